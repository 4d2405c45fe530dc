import Enforcement
import Foundation

/// What an entry waits for, whatever the link is like.
package enum SendingObstacle: String, Sendable, Equatable {
    /// Its passage isn't at the server yet.
    case passage
    /// Its time isn't known yet: the box's clock was wrong when it was recorded, and nobody has told the right one since.
    case time
    /// The server has not judged the violation yet: it lacks the other post's passage.
    case judgement

    /// For a person.
    package var text: String {
        switch self {
        case .passage: "waits for its passage"
        case .time: "waits until the box's clock is known: then its time is put right"
        case .judgement: "waits until the server has judged the violation: the other post's passage isn't there yet"
        }
    }
}

/// What is known of a passage at the server. What is nil leaves what is stored.
package struct ServerFacts: Sendable, Equatable {
    /// The server's row id.
    package var serverID: UUID?

    /// The row that the server matched it with.
    package var matchedServerID: UUID?

    /// The id that the server derives from the passage's SMS.
    package var smsClientID: UUID?

    package init(serverID: UUID? = nil, matchedServerID: UUID? = nil, smsClientID: UUID? = nil) {
        self.serverID = serverID
        self.matchedServerID = matchedServerID
        self.smsClientID = smsClientID
    }
}
