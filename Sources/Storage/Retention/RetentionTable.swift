import Enforcement
import Foundation
import GRDB

/// What is removed because its time is over or the disk is short of room, and what was.
///
/// `RetentionPolicy` decides about each photo, passage and violation, from what stands on record in the transaction that removes it.
package struct RetentionTable: Table {
    let store: Store
}

extension RetentionTable {
    /// How far a walk has come: after the row of this time and id.
    package struct Place: Sendable, Equatable {
        package static let start = Place(time: Instant(milliseconds: .min), id: "")
        var time: Instant
        var id: String

        /// What is walked through by time and id alone: its table, with the names of the two columns.
        enum Rows {
            case passages, violations

            var names: (table: String, time: String, id: String) {
                switch self {
                case .passages: ("passages", "recorded_at", "client_id")
                case .violations: ("violations", "exit_time", "id")
                }
            }
        }

        /// The next rows after a place that are older than a moment, the oldest first.
        static func list(
            _ db: Database, _ rows: Rows, after place: Place, before cutoff: Instant, limit: Int
        ) throws -> [Place] {
            let (table, time, id) = rows.names
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT \(time) AS time, \(id) AS id FROM \(table) WHERE (\(time), \(id)) > (?, ?) AND \(time) < ?
                    ORDER BY \(time), \(id) LIMIT ?
                    """, arguments: [place.time.milliseconds, place.id, cutoff.milliseconds, limit]
            ).map { Place(time: try $0.instant("time"), id: try $0.text("id")) }
        }
    }

    /// What one step of a walk did.
    package struct Step: Sendable, Equatable {
        package var count = 0
        package var bytes = 0

        /// Photos whose rows are gone or marked: their files are the caller's to remove. What a crash leaves of them is an orphan.
        package var files: [PhotoRecord] = []

        package var place = Place.start
        package var hasMore = false

        package init(count: Int = 0, place: Place = .start, hasMore: Bool = false) {
            self.count = count
            self.place = place
            self.hasMore = hasMore
        }
    }

    /// How much was removed of one kind.
    package struct Removed: Sendable, Equatable {
        package var kind: RetentionPolicy.Removal
        package var count: Int
        package var bytes: Int
    }

    /// Adds to what is told of a day.
    package func note(_ kind: RetentionPolicy.Removal, count: Int, bytes: Int, at now: Instant) throws {
        guard count > 0 else { return }
        try write("Noting what was removed") { db in try Self.note(db, kind, count: count, bytes: bytes, at: now) }
    }

    static func note(_ db: Database, _ kind: RetentionPolicy.Removal, count: Int, bytes: Int, at now: Instant) throws {
        try db.execute(
            cached: """
                INSERT INTO removals (day, kind, count, bytes) VALUES (?, ?, ?, ?)
                ON CONFLICT (day, kind) DO UPDATE SET count = count + excluded.count, bytes = bytes + excluded.bytes
                """, arguments: [PassageDay.start(of: now).milliseconds, kind.rawValue, count, bytes])
    }

    /// What was removed since a moment's day, by kind.
    package func removed(since: Instant = Instant(milliseconds: 0)) throws -> [Removed] {
        try read("Reading what was removed") { db in
            try Row.fetchAll(
                db,
                cached: """
                    SELECT kind, sum(count) AS count, sum(bytes) AS bytes FROM removals WHERE day >= ? GROUP BY kind
                    """, arguments: [PassageDay.start(of: since).milliseconds]
            ).compactMap { row in
                guard let kind = RetentionPolicy.Removal(rawValue: try row.text("kind")) else { return nil }
                return Removed(kind: kind, count: try row.integer("count"), bytes: try row.integer("bytes"))
            }
        }
    }

    /// So many samples of the disk, one an hour, are remembered: a week.
    private static let mostSamples = 168
    private static let sampleInterval = TimeSpan.hours(1)

    /// Remembers how much is free, at most once an hour, and gives the samples of the last week with the one of now.
    package func sample(freeBytes: Int, at now: Instant) throws -> [DiskSample] {
        let (known, removed) = try read("Reading how the disk fills") { db in
            (
                try Row.fetchAll(
                    db, cached: "SELECT * FROM disk_samples WHERE at <= ? ORDER BY at", arguments: [now.milliseconds]
                )
                .map {
                    DiskSample(
                        at: try $0.instant("at"), freeBytes: try $0.integer("free_bytes"),
                        removedBytes: try $0.integer("removed_bytes"))
                }, try Int.fetchOne(db, cached: "SELECT coalesce(sum(bytes), 0) FROM removals") ?? 0
            )
        }
        let sample = DiskSample(at: now, freeBytes: freeBytes, removedBytes: removed)
        if known.last.map({ now - $0.at >= Self.sampleInterval }) ?? true {
            try write("Noting how the disk fills") { db in
                // A clock that was set back leaves samples of the future, which say nothing.
                try db.execute(
                    cached: """
                        DELETE FROM disk_samples WHERE at > ?1 OR at NOT IN
                            (SELECT at FROM disk_samples ORDER BY at DESC LIMIT ?2)
                        """, arguments: [now.milliseconds, Self.mostSamples])
                try db.execute(
                    cached: "INSERT OR REPLACE INTO disk_samples (at, free_bytes, removed_bytes) VALUES (?, ?, ?)",
                    arguments: [now.milliseconds, freeBytes, removed])
            }
        }
        return known + [sample]
    }

    /// Whether there ever was a server: then what it lacks is kept until it has it, whatever the configuration says today.
    package func hasEverSynced() throws -> Bool {
        try read("Looking for synchronized records") { db in
            try Bool.fetchOne(db, cached: "SELECT EXISTS (SELECT 1 FROM sync_queue WHERE status = 'synced')") == true
        }
    }
}

extension Store {
    package var retention: RetentionTable { RetentionTable(store: self) }
}
