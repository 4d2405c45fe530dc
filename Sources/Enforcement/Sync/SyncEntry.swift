/// What the sync queue decides about: one thing that has to reach the server.
package struct SyncEntry: Sendable, Equatable, Identifiable {
    package enum Status: String, Sendable, Codable, CaseIterable {
        case pending
        case inFlight = "in_flight"
        case synced
        case failed
    }

    package var id: Int64
    package var status: Status
    package var attempts: Int
    package var lastAttemptAt: Instant?

    /// Backoff: it is not picked before this.
    package var nextAttemptAt: Instant?
    package var lastError: String?

    /// The server refuses it: never retried by itself, never sent by SMS.
    package var isRefused: Bool

    /// Whether it may travel together with others of its kind: passages may.
    package var isBatchable: Bool

    package init(
        id: Int64, status: Status = .pending, attempts: Int = 0, lastAttemptAt: Instant? = nil,
        nextAttemptAt: Instant? = nil, lastError: String? = nil, isRefused: Bool = false, isBatchable: Bool = true
    ) {
        self.id = id
        self.status = status
        self.attempts = attempts
        self.lastAttemptAt = lastAttemptAt
        self.nextAttemptAt = nextAttemptAt
        self.lastError = lastError
        self.isRefused = isRefused
        self.isBatchable = isBatchable
    }
}
