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

    /// Whether it may travel together with others of its kind: passages may.
    package var isBatchable: Bool { entity == .passage }

    package var smsSent: Bool
    package var createdAt: Instant

    /// When it was put in line again because the server lost it: such an entry was told once, and goes by no SMS.
    package var resentAt: Instant?

    package init(
        id: Int64, entity: Entity = .passage, passageClientID: UUID, subjectID: Int64? = nil,
        status: QueueStatus = .pending, attempts: Int = 0, lastAttemptAt: Instant? = nil, nextAttemptAt: Instant? = nil,
        lastError: String? = nil, isRefused: Bool = false, setAside: SetAside? = nil, smsSent: Bool = false,
        createdAt: Instant, resentAt: Instant? = nil
    ) {
        self.id = id
        self.entity = entity
        self.passageClientID = passageClientID
        self.subjectID = subjectID
        self.status = status
        self.attempts = attempts
        self.lastAttemptAt = lastAttemptAt
        self.nextAttemptAt = nextAttemptAt
        self.lastError = lastError
        self.isRefused = isRefused
        self.setAside = setAside
        self.smsSent = smsSent
        self.createdAt = createdAt
        self.resentAt = resentAt
    }
}
