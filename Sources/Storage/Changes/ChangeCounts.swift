import GRDB

/// How often each kind of thing has changed in the database, by every process that ever wrote it.
struct ChangeCounts: Equatable, Sendable {
    private var counts: [Int: Int64] = [:]

    /// Counts a change, in the transaction that makes it.
    ///
    /// - Returns: the counts of what changed.
    static func add(_ change: StoreChange, _ db: Database) throws -> ChangeCounts {
        try ChangeCounts(
            Row.fetchAll(
                db, cached: "UPDATE change_counts SET count = count + 1 WHERE kind & ? <> 0 RETURNING kind, count",
                arguments: [change.rawValue]))
    }

    static func read(_ db: Database) throws -> ChangeCounts {
        try ChangeCounts(Row.fetchAll(db, cached: "SELECT kind, count FROM change_counts"))
    }

    init() {}

    private init(_ rows: [Row]) {
        for row in rows { counts[row["kind"]] = row["count"] }
    }

    /// The counts of these kinds, one behind the other.
    func revision(of kinds: StoreChange) -> String {
        counts.filter { kinds.rawValue & $0.key != 0 }.sorted { $0.key < $1.key }.map { "\($0.value)" }
            .joined(separator: ".")
    }

    /// What is counted higher here than there.
    func changes(since earlier: ChangeCounts) -> StoreChange {
        counts.reduce(into: []) { change, entry in
            if entry.value != earlier.counts[entry.key] { change.formUnion(StoreChange(rawValue: entry.key)) }
        }
    }

    /// Takes over what this process has counted itself, where nobody else has counted in between.
    mutating func follow(_ own: ChangeCounts) {
        for (kind, count) in own.counts where counts[kind] == count - 1 { counts[kind] = count }
    }
}
