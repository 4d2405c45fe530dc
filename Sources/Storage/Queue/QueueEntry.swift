import Enforcement
import Foundation

package enum QueueStatus: String, Sendable, Codable, CaseIterable {
    case pending
    case inFlight = "in_flight"
    case synced
    case failed
}

/// One thing that has to reach the server.
package struct QueueEntry: Sendable, Equatable, Identifiable {
    package enum Entity: String, Sendable, Codable, CaseIterable {
        /// The passage itself.
        case passage
        /// A correction or withdrawal: `subjectID` is its row.
        case correction
        /// An outcome of a violation: `subjectID` is its row.
        case outcome
        /// An overstay alert's dismissal: `subjectID` is its row.
        case alert
    }

    package var id: Int64
    package var entity: Entity
    package var passageClientID: UUID
    package var subjectID: Int64?
    package var status: QueueStatus
    package var attempts: Int
    package var lastAttemptAt: Instant?

    /// Backoff: it is not picked before this.
    package var nextAttemptAt: Instant?

    package var lastError: String?

    /// The server refuses this record: it is never retried by itself and never sent by SMS.
    package var isRefused: Bool

    /// Why an entry rests for good, until somebody asks for it by its number.
    package enum SetAside: String, Sendable, Codable, CaseIterable {
        /// A person has taken note of the refusal: no warning speaks of it any longer.
        case discarded
        /// Its passage was deleted at the server.
        case deletedThere = "deleted_there"
    }

    /// Nil for an entry that waits, is sent, or failed and was not looked at.
    package var setAside: SetAside?
    package var isSetAside: Bool { setAside != nil }

    package var smsSent: Bool
    package var createdAt: Instant
}

/// What an entry waits for, whatever the link is like.
package enum SendingObstacle: String, Sendable, Equatable {
    /// Its passage isn't at the server yet.
    case passage
    /// The server has not judged the violation yet: it lacks the other post's passage.
    case judgement

    /// For a person.
    package var text: String {
        switch self {
        case .passage: "waits for its passage"
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
