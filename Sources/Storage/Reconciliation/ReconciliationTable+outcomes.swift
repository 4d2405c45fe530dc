import Enforcement
import Foundation
import GRDB

extension ReconciliationTable {
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
            let count = try outcomes.count { told in
                guard let standing = try Self.outcomeStanding(db, ofServerViolation: told.violationServerID) else {
                    return false
                }
                let actions = standing.handle(told, over: entry)
                try Self.perform(db, actions, at: now)
                return !actions.isEmpty
            }
            if let cursor { try CursorTable.setCursor(db, cursor, at: now) }
            return count
        }
    }
}
