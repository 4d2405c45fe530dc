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
    /// What of this post's doings another post was not told yet. What was replaced since is left out.
    ///
    /// - Parameters:
    ///   - number: what it knows. One that was not given yet is of records that are gone: all is told once more.
    ///   - since: of vehicles that came out earlier nothing is told.
    package func outcomeNews(after number: Int64, since: Instant, limit: Int) throws -> OutcomeNews {
        try read("Reading what was done") { db in
            let last = try Self.lastOwnOutcome(db)
            let number = number > last ? 0 : number
            let rows = try Row.fetchAll(
                db,
                cached: """
                    SELECT o.*, v.entry_client_id, v.exit_client_id FROM violation_outcomes AS o
                    CROSS JOIN violations AS v ON v.id = o.violation_id
                    WHERE o.is_own = 1 AND o.id > ? AND o.replaced_at IS NULL AND v.exit_time >= ?
                    ORDER BY o.id LIMIT ?
                    """, arguments: [number, since.milliseconds, limit])
            let upTo = rows.count == limit ? try rows.last?.decode(Int64.self, forColumn: "id") : last
            return OutcomeNews(outcomes: try rows.map(Self.toldOutcome), upTo: upTo ?? last)
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

    /// Keeps what the other post says of violations, also of those that are not found here yet.
    package func takeIn(_ told: [ToldOutcome], at now: Instant) throws {
        guard !told.isEmpty else { return }
        try write("Keeping what the other post did") { db in
            try db.execute(
                cached: "DELETE FROM peer_outcomes WHERE recorded_at < ?", arguments: [(now - Self.kept).milliseconds])
            for word in told {
                let outcome = word.outcome
                try db.execute(
                    cached: """
                        INSERT INTO peer_outcomes (entry_client_id, exit_client_id, kind, fine_amount, notes, recorded_by,
                            recorded_at)
                        VALUES (?, ?, ?, ?, ?, ?, ?)
                        ON CONFLICT (entry_client_id, exit_client_id) DO UPDATE SET kind = excluded.kind,
                            fine_amount = excluded.fine_amount, notes = excluded.notes,
                            recorded_by = excluded.recorded_by, recorded_at = excluded.recorded_at, is_settled = 0
                        WHERE (kind, fine_amount, notes, recorded_by, recorded_at) IS NOT (excluded.kind,
                            excluded.fine_amount, excluded.notes, excluded.recorded_by, excluded.recorded_at)
                        """,
                    arguments: [
                        word.entry.stored, word.exit.stored, outcome.kind.rawValue, outcome.fineAmount, outcome.notes,
                        outcome.recordedBy, outcome.recordedAt.milliseconds,
                    ])
            }
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
            var taken = 0
            for row in rows {
                let told = try Self.toldOutcome(row)
                let (violation, settled) = (
                    try row.text("violation"), try row.decode(Int64?.self, forColumn: "outcome_id")
                )
                let held = try Row.fetchOne(
                    db, cached: "SELECT * FROM violation_outcomes WHERE violation_id = ? AND replaced_at IS NULL",
                    arguments: [violation])
                let heldID = try held?.decode(Int64.self, forColumn: "id")
                var outcome = settled
                if told.holds(
                    over: try held.map { try Self.outcome($0, prefix: "") }, isTold: heldID != nil && heldID == settled)
                {
                    try Self.insert(db, told.outcome, violation: violation, isOwn: false, at: now)
                    (outcome, taken) = (db.lastInsertedRowID, taken + 1)
                }
                try db.execute(
                    cached: """
                        UPDATE peer_outcomes SET is_settled = 1, outcome_id = ?
                        WHERE entry_client_id = ? AND exit_client_id = ?
                        """, arguments: [outcome, told.entry.stored, told.exit.stored])
            }
            return taken
        }
    }

    private func hasOpen(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db, cached: "SELECT EXISTS (SELECT 1 FROM peer_outcomes WHERE is_settled = 0)") ?? false
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
        ToldOutcome(
            entry: try row.uuid("entry_client_id"), exit: try row.uuid("exit_client_id"),
            outcome: try outcome(row, prefix: ""))
    }
}
