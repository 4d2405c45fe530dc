import Enforcement
import Foundation
import GRDB

/// What was done about a violation, as the server has it: by this post, the other one or the warden.
package struct ServerOutcome: Sendable, Equatable {
    package var violationServerID: UUID
    package var outcome: Outcome

    /// Whether the server says who acted. One with the published columns alone doesn't: then a name that is known here stays.
    package var isNamed: Bool

    package init(violationServerID: UUID, outcome: Outcome, isNamed: Bool = true) {
        self.violationServerID = violationServerID
        self.outcome = outcome
        self.isNamed = isNamed
    }
}

extension Store {
    /// Takes in outcomes that the server holds: they hold here too, and what held before becomes their history.
    ///
    /// Left out: those of violations that aren't here, those that say what is known, and those of violations with an outcome
    /// that still has to reach the server. Repeating it changes nothing.
    ///
    /// - Parameters:
    ///   - entry: the queue entry of an outcome that gives way; it doesn't count as waiting.
    ///   - cursor: moves in the same transaction.
    /// - Returns: how many were new.
    @discardableResult
    package func take(
        _ outcomes: [ServerOutcome], over entry: Int64? = nil, cursor: SyncCursor? = nil, at now: Instant
    ) throws -> Int {
        try write("Taking in outcomes") { db in
            var count = 0
            for outcome in outcomes where try Self.take(db, outcome, over: entry, at: now) { count += 1 }
            if let cursor { try Self.setCursor(db, cursor, at: now) }
            return count
        }
    }

    private static func take(_ db: Database, _ told: ServerOutcome, over entry: Int64?, at now: Instant) throws -> Bool
    {
        let violation = try String.fetchOne(
            db,
            cached: """
                SELECT id FROM violations AS v WHERE server_id = ? AND NOT EXISTS (
                    SELECT 1 FROM sync_queue AS q JOIN violation_outcomes AS o ON o.id = q.subject_id
                    WHERE q.entity = 'outcome' AND o.violation_id = v.id AND q.status <> 'synced' AND q.is_refused = 0
                        AND q.id IS NOT ?)
                """, arguments: [told.violationServerID.stored, entry])
        guard let violation else { return false }
        let row = try Row.fetchOne(
            db, cached: "SELECT * FROM violation_outcomes WHERE violation_id = ? AND replaced_at IS NULL",
            arguments: [violation])
        if let row, told.says(try outcome(row, prefix: "")) { return false }
        try insert(db, told.outcome, violation: violation, at: now)
        return true
    }
}

extension ServerOutcome {
    /// Whether it is the one that is known: the server keeps cents, and less of long texts.
    fileprivate func says(_ other: Outcome) -> Bool {
        let fines = [outcome, other].map { $0.fineAmount.map { ($0 * 100).rounded() } }
        return outcome.kind == other.kind && fines[0] == fines[1]
            && (outcome.notes ?? "") == String((other.notes ?? "").prefix(4000))
            && (!isNamed || outcome.recordedBy == String(other.recordedBy.prefix(200)))
    }
}
