import Enforcement
import Storage

extension SyncEntry {
    init(_ entry: QueueEntry) {
        self.init(
            id: entry.id, status: Status(rawValue: entry.status.rawValue) ?? .pending, attempts: entry.attempts,
            lastAttemptAt: entry.lastAttemptAt, nextAttemptAt: entry.nextAttemptAt, lastError: entry.lastError,
            isRefused: entry.isRefused, isBatchable: entry.entity == .passage)
    }

    func applied(to entry: QueueEntry) -> QueueEntry {
        var entry = entry
        entry.status = QueueStatus(rawValue: status.rawValue) ?? .pending
        entry.attempts = attempts
        entry.lastAttemptAt = lastAttemptAt
        entry.nextAttemptAt = nextAttemptAt
        entry.lastError = lastError
        entry.isRefused = isRefused
        return entry
    }
}
