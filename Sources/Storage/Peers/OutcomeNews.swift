import Enforcement
import Foundation
import GRDB

/// What people of this post did about violations, in the order in which they did it.
package struct OutcomeNews: Sendable {
    package var outcomes: [ToldOutcome]

    /// All up to this number is in it, or was before, as far as it holds.
    package var upTo: Int64
}

extension ViolationTable {
    /// Of notes in one answer, about: it has to pass a slow radio.
    private static let notesBytes = 12_000

    /// What of this post's doings another post was not told yet. What was replaced since is left out.
    ///
    /// - Parameters:
    ///   - number: what it knows. One that was not given yet is of records that are gone: all is told once more.
    ///   - since: of vehicles that came out earlier nothing is told.
    package func outcomeNews(after number: Int64, since: Instant, limit: Int) throws -> OutcomeNews {
        try read("Reading what was done") { db in
            let last = try Self.lastOwnOutcome(db)
            let number = number > last ? 0 : number
            // What it took the place of, where that is the other post's.
            let rows = try Row.fetchAll(
                db,
                cached: """
                    SELECT o.*, v.entry_client_id, v.exit_client_id, r.recorded_by AS replaces_by, r.recorded_at AS replaces_at
                    FROM violation_outcomes AS o
                    CROSS JOIN violations AS v ON v.id = o.violation_id
                    LEFT JOIN violation_outcomes AS r ON r.id = (
                        SELECT max(id) FROM violation_outcomes WHERE violation_id = o.violation_id AND id < o.id AND is_own = 0)
                    WHERE o.is_own = 1 AND o.id > ? AND o.replaced_at IS NULL AND v.exit_time >= ?
                    ORDER BY o.id LIMIT ?
                    """, arguments: [number, since.milliseconds, limit])
            var news = OutcomeNews(outcomes: [], upTo: number)
            var bytes = 0
            for row in rows {
                let told = try Self.toldOutcome(row)
                bytes += min(told.outcome.notes?.utf8.count ?? 0, ToldOutcome.mostNotes)
                guard news.outcomes.isEmpty || bytes <= Self.notesBytes else { return news }
                news.outcomes.append(told)
                news.upTo = try row.decode(Int64.self, forColumn: "id")
            }
            // What is left out is not looked at once more.
            if rows.count < limit { news.upTo = last }
            return news
        }
    }

    /// The number of the last thing that somebody of this post did; 0 when there was none.
    package func lastOutcomeNews() throws -> Int64 {
        try read("Looking for what was done") { db in try Self.lastOwnOutcome(db) }
    }

    private static func lastOwnOutcome(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, cached: "SELECT max(id) FROM violation_outcomes WHERE is_own = 1") ?? 0
    }

    /// What is older than this is not kept: its violation is found by now, or never.
    private static let kept = TimeSpan.days(30)

    /// No road has as many. What is more goes, the oldest first.
    private static let mostKept = 5000

    /// Keeps what the other post says of violations, also of those that are not found here yet.
    package func takeIn(_ told: [ToldOutcome], at now: Instant) throws {
        guard !told.isEmpty else { return }
        try write("Keeping what the other post did") { db in
            for word in told {
                let outcome = word.outcome
                try db.execute(
                    cached: """
                        INSERT INTO peer_outcomes (entry_client_id, exit_client_id, kind, fine_amount, notes, recorded_by,
                            recorded_at, replaces_by, replaces_at)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                        ON CONFLICT (entry_client_id, exit_client_id) DO UPDATE SET kind = excluded.kind,
                            fine_amount = excluded.fine_amount, notes = excluded.notes,
                            recorded_by = excluded.recorded_by, recorded_at = excluded.recorded_at,
                            replaces_by = excluded.replaces_by, replaces_at = excluded.replaces_at, is_settled = 0
                        WHERE (kind, fine_amount, notes, recorded_by, recorded_at) IS NOT (excluded.kind,
                            excluded.fine_amount, excluded.notes, excluded.recorded_by, excluded.recorded_at)
                        """,
                    arguments: [
                        word.entry.stored, word.exit.stored, outcome.kind.rawValue, outcome.fineAmount, outcome.notes,
                        outcome.recordedBy, outcome.recordedAt.milliseconds, word.replaces?.by,
                        word.replaces?.at.milliseconds,
                    ])
            }
            try db.execute(
                cached: """
                    DELETE FROM peer_outcomes WHERE recorded_at < ?1 OR rowid IN (
                        SELECT rowid FROM peer_outcomes ORDER BY recorded_at DESC, rowid DESC LIMIT -1 OFFSET ?2)
                    """, arguments: [(now - Self.kept).milliseconds, Self.mostKept])
        }
    }

    /// Lets hold what the other post told, where its violation is found here by now: see `ToldOutcome.holds`.
    ///
    /// - Returns: how many hold now that didn't.
    @discardableResult
    package func settleTold(limit: Int = 50, at now: Instant) throws -> Int {
        // Most of the time there is none.
        guard try read("Looking for what the other post did", hasOpen) else { return 0 }
        return try write("Taking what the other post did") { db in
            let rows = try Row.fetchAll(db, cached: Self.openTold, arguments: [limit])
            return try rows.count { try Self.settle(db, $0, at: now) }
        }
    }

    private func hasOpen(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db, cached: "SELECT EXISTS (SELECT 1 FROM peer_outcomes WHERE is_settled = 0)") ?? false
    }

    /// - Returns: whether it holds now, and didn't.
    private static func settle(_ db: Database, _ row: Row, at now: Instant) throws -> Bool {
        let (told, violation) = (try toldOutcome(row), try row.text("violation"))
        // Told under whatever name of its passages; or known by way of the server, and told now.
        let known = try Row.fetchOne(
            db,
            cached: """
                SELECT o.*, EXISTS (SELECT 1 FROM peer_outcomes WHERE outcome_id = o.id) AS is_told,
                    EXISTS (SELECT 1 FROM sync_queue
                        WHERE entity = 'outcome' AND entity <> 'passage' AND subject_id = o.id AND status IN ('synced', 'in_flight'))
                        AS is_at_server
                FROM violation_outcomes AS o WHERE o.violation_id = ? AND o.replaced_at IS NULL
                """, arguments: [violation])
        let isOwn = try known?.flag("is_own") ?? false
        let held = try known.map {
            let isTold = try $0.flag("is_told")
            return ToldOutcome.Held(
                outcome: try outcome($0, prefix: ""), isTold: isTold,
                isAtServer: try $0.flag("is_at_server") || (!isOwn && !isTold))
        }
        var became = try row.decode(Int64?.self, forColumn: "outcome_id")
        let holds = told.holds(over: held)
        if holds {
            try insert(db, told.outcome, violation: violation, isOwn: false, at: now)
            became = db.lastInsertedRowID
            // What both posts have given up doesn't reach the server before what holds, which it may not let the other post change.
            if let known, isOwn {
                try db.execute(
                    cached:
                        "DELETE FROM sync_queue WHERE entity = 'outcome' AND entity <> 'passage' AND subject_id = ?",
                    arguments: [try known.decode(Int64.self, forColumn: "id")])
            }
        } else if let known, let held, !isOwn, held.outcome.saysTheSame(as: told.outcome) {
            became = try known.decode(Int64.self, forColumn: "id")
        }
        try db.execute(
            cached:
                "UPDATE peer_outcomes SET is_settled = 1, outcome_id = ? WHERE entry_client_id = ? AND exit_client_id = ?",
            arguments: [became, told.entry.stored, told.exit.stored])
        return holds
    }

    /// A passage may be known to the other post by the id of its text alone.
    private static let openTold: StaticString = """
        SELECT t.*, v.id AS violation FROM peer_outcomes AS t
        CROSS JOIN violations AS v ON v.state <> 'withdrawn' AND v.entry_client_id IN (t.entry_client_id,
                (SELECT client_id FROM passages WHERE sms_client_id = t.entry_client_id),
                (SELECT client_id FROM remote_passages WHERE sms_client_id = t.entry_client_id))
            AND v.exit_client_id IN (t.exit_client_id,
                (SELECT client_id FROM passages WHERE sms_client_id = t.exit_client_id),
                (SELECT client_id FROM remote_passages WHERE sms_client_id = t.exit_client_id))
        WHERE t.is_settled = 0 ORDER BY t.recorded_at LIMIT ?
        """

    private static func toldOutcome(_ row: Row) throws -> ToldOutcome {
        var told = ToldOutcome(
            entry: try row.uuid("entry_client_id"), exit: try row.uuid("exit_client_id"),
            outcome: try outcome(row, prefix: ""))
        if let by = try row.optionalText("replaces_by"), let at = try row.optionalInstant("replaces_at") {
            told.replaces = .init(by: by, at: at)
        }
        return told
    }
}
