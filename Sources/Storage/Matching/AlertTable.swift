import Enforcement
import Foundation
import GRDB

/// An overstay alert with what became of it.
package struct StoredOverstayAlert: Sendable, Equatable, Identifiable {
    package var id: Int64
    package var alert: OverstayAlert
    package var raisedAt: Instant
    package var resolvedAt: Instant?
    package var resolvedByClientID: UUID?
    package var dismissedAt: Instant?
    package var dismissedBy: String?
    package var dismissedReason: String?

    /// Why it may be none, as things stand now; empty for one that is closed.
    package var doubts: [OverstayDoubt] = []

    package var isOpen: Bool { resolvedAt == nil && dismissedAt == nil }
}

/// Overstay alerts: vehicles that came in and didn't come out in time.
package struct AlertTable: Table {
    let store: Store
}

extension AlertTable {
    /// Unmatched passages of this post recorded from `from` and before `until` that have no alert: what `OverstayWatch` asks
    /// for.
    ///
    /// - Parameter limit: so many passages are looked at, at most, whether they are unmatched or not.
    package func openEntries(from: Instant, until: Instant, limit: Int = 1000) throws -> [OverstayWatch.OpenEntry] {
        try nextEntries(
            after: MatchProgress(recordedAt: from, clientID: "", window: .milliseconds(0)), until: until, limit: limit
        ).entries
    }

    /// One step of the walk that judges each entry once.
    ///
    /// - Returns: the open entries among the next `limit` passages recorded before `until`, and how far it came.
    package func nextEntries(
        after progress: MatchProgress, until: Instant, limit: Int
    ) throws -> (entries: [OverstayWatch.OpenEntry], progress: MatchProgress, isFull: Bool) {
        try read("Reading open entries") { db in
            let page = try Row.fetchAll(
                db, composed: Self.nextEntriesQuery,
                arguments: [progress.recordedAt.milliseconds, progress.clientID, until.milliseconds, limit])
            var next = progress
            if let last = page.last {
                next.recordedAt = try last.instant("recorded_at")
                next.clientID = try last.text("client_id")
            }
            let entries = try page.compactMap { try Self.openEntry(db, clientID: try $0.text("client_id")) }
            return (entries, next, page.count == limit)
        }
    }

    /// Those of these passages that are open entries without an alert.
    package func openEntries(among clientIDs: [UUID]) throws -> [OverstayWatch.OpenEntry] {
        try read("Reading open entries") { db in
            try clientIDs.compactMap { try Self.openEntry(db, clientID: $0.stored) }
        }
    }

    static let nextEntriesQuery = """
        SELECT recorded_at, client_id FROM passages WHERE (recorded_at, client_id) > (?, ?) AND recorded_at < ?
        ORDER BY recorded_at, client_id LIMIT ?
        """

    static let openEntryQuery = """
        SELECT p.*, EXISTS (SELECT 1 FROM matches AS m
            WHERE m.own_client_id = p.client_id AND m.own_is_entry = 1 AND m.certainty = 'look_alike'
                AND m.state <> 'withdrawn') AS has_possible_match
        FROM passages AS p
        WHERE p.client_id = ? AND \(MatchTable.ownIsUnmatched)
            AND NOT EXISTS (SELECT 1 FROM overstay_alerts AS a
                WHERE a.entry_client_id = p.client_id AND a.withdrawn_at IS NULL)
        """

    private static func openEntry(_ db: Database, clientID: String) throws -> OverstayWatch.OpenEntry? {
        let statement = try db.cachedStatement(sql: openEntryQuery)
        return try Row.fetchOne(statement, arguments: [clientID]).flatMap { row in
            try row.matchable().map { passage in
                let mayBeOut =
                    try row.flag("has_possible_match")
                    || !unprovenTexts(db, ofEntry: passage.plate, at: passage.recordedAt).isEmpty
                return OverstayWatch.OpenEntry(passage: passage, hasPossibleMatch: mayBeOut)
            }
        }
    }

    /// Raises alerts, each once: an entry that has one, or that was matched meanwhile, is left out.
    ///
    /// - Parameter onlyWhileKnown: leaves out those up to whose deadline the other post is not known: what was fetched may have been forgotten
    ///   since they were looked for.
    /// - Returns: those that are new.
    package func raise(_ alerts: [OverstayAlert], onlyWhileKnown: Bool = false, at now: Instant) throws
        -> [OverstayAlert]
    {
        try write("Raising overstay alerts") { db in
            let known = try OtherPostTable.knownUpTo(db)
            return try alerts.filter { alert in
                guard !onlyWhileKnown || known.map({ alert.expectedExitBy <= $0 }) ?? false else { return false }
                try db.execute(
                    sql: """
                        INSERT INTO overstay_alerts (entry_client_id, plate, vehicle_type, entry_time, expected_exit_by,
                            is_doubtful, raised_at)
                        SELECT client_id, ?, ?, ?, ?, ?, ? FROM passages AS p
                        WHERE client_id = ? AND \(MatchTable.ownIsUnmatched)
                        ON CONFLICT DO NOTHING
                        """,
                    arguments: [
                        alert.plate.canonical, alert.vehicleType.rawValue, alert.entryTime.milliseconds,
                        alert.expectedExitBy.milliseconds, alert.isDoubtful, now.milliseconds,
                        alert.entryClientID.stored,
                    ])
                return db.changesCount == 1
            }
        }
    }

    /// Alerts, the newest first. Whether an open one is doubtful is looked up as it is read: a ranger's word at either post
    /// ends a doubt.
    ///
    /// - Parameter now: nil takes what the other post said last as still true.
    package func list(onlyOpen: Bool = true, limit: Int = 100, now: Instant? = nil) throws
        -> [StoredOverstayAlert]
    {
        let open = onlyOpen ? "AND resolved_at IS NULL AND dismissed_at IS NULL" : ""
        return try read("Reading overstay alerts") { db in
            let other = try OtherPostTable.known(db)
            return try Row.fetchAll(
                db,
                sql: """
                    SELECT *, (SELECT travel FROM passages WHERE client_id = entry_client_id) AS travel
                    FROM overstay_alerts WHERE withdrawn_at IS NULL \(open)
                    ORDER BY raised_at DESC, id DESC LIMIT ?
                    """, arguments: [limit]
            ).map { row in
                var stored = try Self.storedAlert(row)
                guard stored.isOpen else { return stored }
                let alert = stored.alert
                stored.doubts =
                    try Self.lookAlikes(db, ofEntry: alert.entryClientID)
                    + Self.unprovenTexts(db, ofEntry: alert.plate, at: alert.entryTime).map { .toldByText(at: $0) }
                    + OverstayWatch.doubts(
                        alert.plate, enteredAt: alert.entryTime, travel: row.travel("travel"),
                        expectedBy: alert.expectedExitBy, other: other, now: now ?? stored.raisedAt)
                stored.alert.isDoubtful = !stored.doubts.isEmpty
                return stored
            }
        }
    }

    /// Passages of the other post that nobody has judged and that may be the exit of an entry, the first first.
    private static func lookAlikes(_ db: Database, ofEntry entry: UUID) throws -> [OverstayDoubt] {
        try Row.fetchAll(
            db,
            cached: """
                SELECT r.plate, r.recorded_at FROM matches AS m
                JOIN remote_passages AS r ON r.client_id = m.remote_client_id
                WHERE m.own_client_id = ? AND m.own_is_entry = 1 AND m.certainty = 'look_alike'
                    AND m.state = 'provisional'
                ORDER BY r.recorded_at LIMIT 3
                """, arguments: [entry.stored]
        ).map { .looksAlike(try $0.plate("plate"), at: try $0.instant("recorded_at")) }
    }

    static let textsQuery = """
        SELECT * FROM remote_passages AS r WHERE plate_compact = ? AND recorded_at > ? AND clock_state = 'untrusted'
            AND \(MatchTable.remoteIsUnmatched)
        ORDER BY recorded_at LIMIT 50
        """

    /// When texts that nobody has proven tell of a vehicle at the other post, after its entry; at most three.
    private static func unprovenTexts(_ db: Database, ofEntry plate: Plate, at entry: Instant) throws -> [Instant] {
        let statement = try db.cachedStatement(sql: textsQuery)
        return try Array(
            Row.fetchAll(statement, arguments: [plate.compact, entry.milliseconds])
                .compactMap { try $0.matchable() }.filter(\.isUnprovenText).map(\.recordedAt).prefix(3))
    }

    /// Closes an alert on a ranger's word, and tells the server.
    ///
    /// - Throws: `StoreError` of kind `unknown` when the alert isn't open.
    package func dismiss(id: Int64, reason: String, by ranger: String, at now: Instant) throws {
        try write("Dismissing an overstay alert") { db in
            let entry = try String.fetchOne(
                db,
                cached: """
                    UPDATE overstay_alerts SET dismissed_at = ?, dismissed_by = ?, dismissed_reason = ?
                    WHERE id = ? AND resolved_at IS NULL AND dismissed_at IS NULL AND withdrawn_at IS NULL
                    RETURNING entry_client_id
                    """, arguments: [now.milliseconds, ranger, reason, id])
            guard let entry else { throw StoreError(.unknown, "The overstay alert \(id) is not open.") }
            try QueueTable.enqueue(db, .alert, passage: entry, subject: id, at: now)
        }
    }

    /// An exit resolves the alert of its entry. A dismissed one learns of the exit too: the ranger was right or wrong.
    static func resolveAlert(_ db: Database, entry: UUID, by exit: UUID, at now: Instant) throws {
        try db.execute(
            cached: """
                UPDATE overstay_alerts SET resolved_at = ?, resolved_by_client_id = ?
                WHERE entry_client_id = ? AND resolved_at IS NULL AND withdrawn_at IS NULL
                """, arguments: [now.milliseconds, exit.stored, entry.stored])
    }

    private static func storedAlert(_ row: Row) throws -> StoredOverstayAlert {
        StoredOverstayAlert(
            id: try row.decode(Int64.self, forColumn: "id"),
            alert: OverstayAlert(
                entryClientID: try row.uuid("entry_client_id"), plate: try row.plate("plate"),
                vehicleType: try row.choice("vehicle_type"), entryTime: try row.instant("entry_time"),
                expectedExitBy: try row.instant("expected_exit_by"), isDoubtful: try row.flag("is_doubtful")),
            raisedAt: try row.instant("raised_at"), resolvedAt: try row.optionalInstant("resolved_at"),
            resolvedByClientID: try row.optionalUUID("resolved_by_client_id"),
            dismissedAt: try row.optionalInstant("dismissed_at"), dismissedBy: try row.optionalText("dismissed_by"),
            dismissedReason: try row.optionalText("dismissed_reason"))
    }
}
