import GRDB

/// What the database is for one role: passages, the queue, matches and so on. It stands on the store, which opens, reads, writes and tells
/// of changes, and keeps no state of its own.
protocol Table: Sendable {
    var store: Store { get }
}

extension Table {
    func read<T>(_ tried: String, _ work: (Database) throws -> T) throws -> T { try store.read(tried, work) }

    func write<T>(_ tried: String, _ work: (Database) throws -> T) throws -> T { try store.write(tried, work) }
}

extension Store {
    package var accounts: AccountTable { AccountTable(store: self) }
    package var alerts: AlertTable { AlertTable(store: self) }
    package var comparisons: ComparisonTable { ComparisonTable(store: self) }
    package var cursors: CursorTable { CursorTable(store: self) }
    package var deliveries: DeliveryTable { DeliveryTable(store: self) }
    package var matches: MatchTable { MatchTable(store: self) }
    package var messages: MessageTable { MessageTable(store: self) }
    package var photos: PhotoTable { PhotoTable(store: self) }
    package var queue: QueueTable { QueueTable(store: self) }
    package var runs: RunTable { RunTable(store: self) }
}
