import Enforcement
import Foundation

/// An entry of some passage; one that isn't batchable is an outcome.
func queueEntry(
    id: Int64, status: QueueStatus = .pending, attempts: Int = 0, lastAttemptAt: Instant? = nil,
    nextAttemptAt: Instant? = nil, lastError: String? = nil, isRefused: Bool = false, isBatchable: Bool = true
) -> QueueEntry {
    QueueEntry(
        id: id, entity: isBatchable ? .passage : .outcome, passageClientID: somePassage,
        subjectID: isBatchable ? nil : 1, status: status, attempts: attempts, lastAttemptAt: lastAttemptAt,
        nextAttemptAt: nextAttemptAt, lastError: lastError, isRefused: isRefused,
        createdAt: Instant(milliseconds: 1_795_255_200_000))
}

private let somePassage = UUID()
