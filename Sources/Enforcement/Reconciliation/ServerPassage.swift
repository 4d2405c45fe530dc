import Foundation

/// What the server says of a passage of this post.
package struct OwnServerRow: Sendable, Equatable {
    package var clientID: UUID
    package var serverID: UUID

    /// The row that it matched it with; nil while it has none.
    package var matchedServerID: UUID?

    /// The plate there; nil where the server didn't say.
    package var plate: Plate?

    package init(clientID: UUID, serverID: UUID, matchedServerID: UUID? = nil, plate: Plate? = nil) {
        self.clientID = clientID
        self.serverID = serverID
        self.matchedServerID = matchedServerID
        self.plate = plate
    }
}

/// A passage that was deleted at the server.
package struct ServerDeletion: Sendable, Equatable {
    /// The row that is gone.
    package var serverID: UUID
    package var clientID: UUID
    package var smsClientID: UUID?

    package init(serverID: UUID, clientID: UUID, smsClientID: UUID? = nil) {
        self.serverID = serverID
        self.clientID = clientID
        self.smsClientID = smsClientID
    }
}

/// A passage of this post that the server has and this disk has not: the disk is new, or another client recorded it.
package struct RestoredPassage: Sendable, Equatable {
    package var passage: Passage
    package var serverID: UUID
    package var smsClientID: UUID?
    package var photoPath: String?

    /// Whether nothing but a text told of it: the row of a text has the text's id, until the upload completes it.
    package var isTextAlone: Bool { smsClientID == passage.clientID }

    package init(passage: Passage, serverID: UUID, smsClientID: UUID?, photoPath: String?) {
        self.passage = passage
        self.serverID = serverID
        self.smsClientID = smsClientID
        self.photoPath = photoPath
    }
}
