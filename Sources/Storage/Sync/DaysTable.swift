import Enforcement
import Foundation
import GRDB

/// Which way the records of some days go once more.
package enum DaysDirection: String, Sendable, CaseIterable {
    /// What this post recorded, to the server.
    case send
    /// What the server has of the other post, and what it judged, to this box.
    case fetch
}

/// Days that a person wants sent or fetched once more, and how far that is.
package struct WantedDays: Sendable, Equatable {
    package var direction: DaysDirection
    package var from: Instant
    /// The first moment that is not wanted.
    package var until: Instant
    /// Everything before this is done.
    package var place: Instant
    /// The last passage at `place` that is done.
    package var last: UUID?
    /// How many records so far.
    package var count = 0
    package var hasPhotos = false

    /// As many as box and server compare, and two.
    package static let mostDays = 92
    package var isTooLong: Bool { until - from > .hours(24 * Double(Self.mostDays)) }

    package init(_ direction: DaysDirection, from: Instant, until: Instant, hasPhotos: Bool = false) {
        (self.direction, self.from, self.until, place) = (direction, from, until, from)
        self.hasPhotos = hasPhotos
    }
}

/// What stands of some days here.
package struct DaysCounts: Sendable, Equatable {
    /// Of this post, at the server by what is known here: these are sent once more.
    package var passages = 0
    package var corrections = 0
    package var photos = 0
    /// Of this post, and waiting or refused: they are in the queue as it is.
    package var waiting = 0
    /// Of the other post.
    package var others = 0
}

/// Days that are sent or fetched once more, a part at a time. One span of each direction at once: another one takes its place.
package struct DaysTable: Table {
    let store: Store
}

extension DaysTable {
    private static let isSent = """
        EXISTS (SELECT 1 FROM sync_queue AS q WHERE q.passage_client_id = p.client_id AND q.entity = 'passage'
            AND q.status = 'synced')
        """

    package func counts(from: Instant, until: Instant) throws -> DaysCounts {
        try read("Counting the records of some days") { db in
            var counts = DaysCounts()
            func count(_ sql: String) throws -> Int {
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM " + sql, arguments: [from.milliseconds, until.milliseconds])
                    ?? 0
            }
            let days = "p.recorded_at >= ? AND p.recorded_at < ?"
            counts.passages = try count("passages AS p WHERE \(days) AND p.withdrawn_at IS NULL AND \(Self.isSent)")
            counts.waiting = try count("passages AS p WHERE \(days) AND p.withdrawn_at IS NULL AND NOT \(Self.isSent)")
            counts.corrections = try count(
                """
                sync_queue AS q JOIN passages AS p ON p.client_id = q.passage_client_id
                WHERE \(days) AND q.entity = 'correction' AND q.status = 'synced' AND p.server_deleted_at IS NULL
                    AND q.subject_id = (SELECT max(c.id) FROM passage_corrections AS c
                        WHERE c.passage_client_id = p.client_id)
                """)
            counts.photos = try count(
                """
                passages AS p JOIN photo_uploads AS u ON u.passage_client_id = p.client_id
                    JOIN photos AS f ON f.sha256 = u.sha256 AND f.removed_at IS NULL
                WHERE \(days) AND p.withdrawn_at IS NULL AND u.status = 'uploaded'
                """)
            counts.others = try count("remote_passages AS p WHERE \(days)")
            return counts
        }
    }

    package func want(_ days: WantedDays, at now: Instant) throws {
        try write("Keeping which days are wanted") { try Self.keep($0, days, at: now) }
    }

    package func wanted(_ direction: DaysDirection) throws -> WantedDays? {
        try read("Reading which days are wanted") { try Self.wanted($0, direction) }
    }

    /// Keeps how far it is; nothing where other days are wanted since.
    package func move(_ days: WantedDays, at now: Instant) throws {
        try write("Keeping how far some days are") { db in
            guard let known = try Self.wanted(db, days.direction), known.from == days.from, known.until == days.until
            else { return }
            try Self.move(db, days, at: now)
        }
    }

    /// Puts the next of this post's records back in line, where they stood. Nothing is doubled: the server knows each by its id.
    ///
    /// - Returns: how many passages were looked at; nil when no days are wanted.
    package func sendNext(limit: Int, at now: Instant) throws -> Int? {
        try write("Putting the records of some days in line") { db in
            guard var days = try Self.wanted(db, .send) else { return nil }
            let rows = try Row.fetchAll(
                db,
                cached: """
                    SELECT client_id, recorded_at FROM passages
                    WHERE recorded_at >= ?1 AND recorded_at < ?2 AND (recorded_at, client_id) > (?1, ?3)
                    ORDER BY recorded_at, client_id LIMIT ?4
                    """,
                arguments: [
                    days.place.milliseconds, days.until.milliseconds, days.last?.stored ?? "", limit,
                ])
            for row in rows {
                let id = try row.text("client_id")
                guard var standing = try ReconciliationTable.ownStanding(db, id) else { continue }
                let actions = standing.handle(.wantedAgain(withPhoto: days.hasPhotos), at: now)
                try ReconciliationTable.perform(db, actions, at: now)
                if !actions.isEmpty { days.count += 1 }
            }
            if let last = rows.last {
                days.place = try last.instant("recorded_at")
                days.last = try last.uuid("client_id")
            }
            if rows.count < limit { days.place = days.until }
            try Self.move(db, days, at: now)
            return rows.count
        }
    }

    // MARK: Rows

    private static func name(_ direction: DaysDirection, _ part: String) -> String {
        "days_\(direction.rawValue)_\(part)"
    }

    private static func keep(_ db: Database, _ days: WantedDays, at now: Instant) throws {
        let parts: [(String, Int64, UUID?)] = [
            ("from", days.from.milliseconds, nil), ("until", days.until.milliseconds, nil),
            ("place", days.place.milliseconds, days.last), ("count", Int64(days.count), nil),
            ("photos", days.hasPhotos ? 1 : 0, nil),
        ]
        for (part, value, row) in parts {
            try CursorTable.setCursor(
                db, SyncCursor(name: name(days.direction, part), value: value, row: row), at: now)
        }
    }

    /// What is at its end is wanted no more.
    private static func move(_ db: Database, _ days: WantedDays, at now: Instant) throws {
        guard days.place >= days.until else { return try keep(db, days, at: now) }
        try db.execute(
            cached: "DELETE FROM sync_cursors WHERE substr(name, 1, length(?1)) = ?1",
            arguments: [name(days.direction, "")])
    }

    private static func wanted(_ db: Database, _ direction: DaysDirection) throws -> WantedDays? {
        let prefix = name(direction, "")
        let rows = try Row.fetchAll(
            db, cached: "SELECT name, value, row_id FROM sync_cursors WHERE substr(name, 1, length(?1)) = ?1",
            arguments: [prefix])
        var values: [String: Int64] = [:]
        var last: UUID?
        for row in rows {
            let part = try String(row.text("name").dropFirst(prefix.count))
            values[part] = try row.decode(Int64.self, forColumn: "value")
            if part == "place" { last = try row.optionalUUID("row_id") }
        }
        guard let from = values["from"], let until = values["until"], let place = values["place"] else { return nil }
        var days = WantedDays(
            direction, from: Instant(milliseconds: from), until: Instant(milliseconds: until),
            hasPhotos: values["photos"] == 1)
        (days.place, days.last, days.count) = (Instant(milliseconds: place), last, Int(values["count"] ?? 0))
        return days
    }
}
