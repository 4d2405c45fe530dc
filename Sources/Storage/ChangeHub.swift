import Foundation
import GRDB
import Synchronization

/// What has changed in the database, by kind.
package struct StoreChange: OptionSet, Sendable, Hashable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let passage = StoreChange(rawValue: 1)
    package static let violation = StoreChange(rawValue: 2)
    package static let review = StoreChange(rawValue: 4)
    package static let overstayAlert = StoreChange(rawValue: 8)
    package static let queue = StoreChange(rawValue: 16)
    package static let alarm = StoreChange(rawValue: 32)
    package static let match = StoreChange(rawValue: 64)
    package static let setting = StoreChange(rawValue: 128)

    init(table: String) {
        switch table {
        case "passages", "passage_corrections": self = .passage
        case "violations", "violation_outcomes", "alert_touches", "wanted_plates", "listed_plates": self = .violation
        case "sightings": self = .review
        case "overstay_alerts": self = .overstayAlert
        case "sync_queue", "photo_uploads": self = .queue
        case "alarms": self = .alarm
        case "matches": self = .match
        case "settings", "segments", "checkposts", "exempt_plates": self = .setting
        default: self = []
        }
    }
}

/// Tells subscribers what each transaction changed, once it is committed.
final class ChangeHub: TransactionObserver, Sendable {
    private struct State {
        var ongoing: StoreChange = []

        /// What the transaction under way has counted.
        var counted = ChangeCounts()

        /// What other processes are known to have counted; nil before the first look.
        var seen: ChangeCounts?
        var isLooking = false
        var isFinished = false
        var subscribers: [UUID: AsyncStream<StoreChange>.Continuation] = [:]
    }

    private let state = Mutex(State())

    /// Held while somebody looks for what others commit: the file isn't closed under a look.
    private let looking = Mutex(())

    func subscribe() -> AsyncStream<StoreChange> {
        let (stream, continuation) = AsyncStream.makeStream(of: StoreChange.self, bufferingPolicy: .bufferingNewest(1))
        let id = UUID()
        state.withLock { $0.subscribers[id] = continuation }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.subscribers.removeValue(forKey: id) }
        }
        return stream
    }

    /// Does a look, unless the file is about to be closed.
    func look(_ body: () -> Void) {
        looking.withLock { _ in if !isFinished { body() } }
    }

    /// Waits for a look that has begun; none begins afterwards.
    func finish() {
        let all = looking.withLock { _ in
            state.withLock { state in
                state.isFinished = true
                return Array(state.subscribers.values)
            }
        }
        for continuation in all { continuation.finish() }
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        !StoreChange(table: eventKind.tableName).isEmpty
    }

    func databaseDidChange(with event: DatabaseEvent) {
        let change = StoreChange(table: event.tableName)
        state.withLock { $0.ongoing.formUnion(change) }
    }

    func databaseDidCommit(_ db: Database) {
        let (change, subscribers) = state.withLock { state in
            let change = state.ongoing
            state.ongoing = []
            state.seen?.follow(state.counted)
            state.counted = ChangeCounts()
            return (change, Array(state.subscribers.values))
        }
        guard !change.isEmpty else { return }
        for subscriber in subscribers { Self.deliver(change, to: subscriber) }
    }

    /// Takes a change that SQLite doesn't report into the transaction under way: it is silent about tables without a row id.
    func note(_ change: StoreChange) {
        state.withLock { $0.ongoing.formUnion(change) }
    }

    /// Counts what the transaction under way has changed, as its last step.
    func count(_ db: Database) throws {
        let change = state.withLock { $0.ongoing }
        guard !change.isEmpty else { return }
        let counted = try ChangeCounts.add(change, db)
        state.withLock { $0.counted = counted }
    }

    /// - Returns: true once, for the one who is to look for what other processes commit.
    func beginsToLook() -> Bool {
        state.withLock { state in
            defer { state.isLooking = true }
            return !state.isLooking
        }
    }

    var isFinished: Bool { state.withLock { $0.isFinished } }

    /// - Returns: what has changed since the last look, by other hands than this process's.
    func news(_ counts: ChangeCounts) -> StoreChange {
        state.withLock { state in
            defer { state.seen = counts }
            return state.seen.map { counts.changes(since: $0) } ?? []
        }
    }

    /// Tells of a change that another process committed.
    func announce(_ change: StoreChange) {
        guard !change.isEmpty else { return }
        for subscriber in state.withLock({ Array($0.subscribers.values) }) { Self.deliver(change, to: subscriber) }
    }

    func databaseDidRollback(_ db: Database) {
        state.withLock { state in
            state.ongoing = []
            state.counted = ChangeCounts()
        }
    }

    /// Puts a change into a buffer of one, together with what it pushes out.
    private static func deliver(_ change: StoreChange, to subscriber: AsyncStream<StoreChange>.Continuation) {
        var union = change
        while case .dropped(let earlier) = subscriber.yield(union), !union.isSuperset(of: earlier) {
            union.formUnion(earlier)
        }
    }
}
