import Enforcement
import Foundation
import GRDB

extension ReconciliationTable {
    /// Takes back passages of this post that were withdrawn at the server. Repeating it changes nothing.
    ///
    /// - Parameter cursor: moves in the same transaction.
    /// - Returns: how many were in force here.
    @discardableResult
    package func withdrawOwn(_ clientIDs: [UUID], cursor: SyncCursor? = nil, at now: Instant) throws -> Int {
        try write("Taking back what the server withdrew") { db in
            let withdrawn = try clientIDs.count { id in
                guard var standing = try Self.ownStanding(db, id.stored) else { return false }
                let actions = standing.handle(.withdrawnThere, at: now)
                try Self.perform(db, actions, at: now)
                return !actions.isEmpty
            }
            if let cursor { try CursorTable.setCursor(db, cursor, at: now) }
            return withdrawn
        }
    }
}
