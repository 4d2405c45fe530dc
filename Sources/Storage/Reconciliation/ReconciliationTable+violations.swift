import Enforcement
import Foundation
import GRDB

extension ReconciliationTable {
    /// Takes in violations that the server judged: those found here are confirmed and take its figures, the others are new.
    /// Repeating it changes nothing.
    ///
    /// - Parameter cursor: moves in the same transaction.
    /// - Throws: `StoreError` of kind `unknown` when a passage that one refers to is not here; then nothing is written, and
    ///   the cursor stays.
    package func take(_ violations: [ServerViolation], cursor: SyncCursor? = nil, at now: Instant) throws {
        try write("Taking in violations") { db in
            for told in violations {
                let actions = try Self.judgedStanding(db, told)?.handle(told) ?? []
                try Self.perform(db, actions, at: now)
            }
            if let cursor { try CursorTable.setCursor(db, cursor, at: now) }
        }
    }

    /// Withdraws violations of matches that the server confirmed without a violation: those found here, and those that the server itself
    /// had found, lost, and not found again. To be asked when the server's violations are all here.
    ///
    /// - Returns: how many.
    @discardableResult
    package func withdrawUnconfirmedViolations(at now: Instant) throws -> Int {
        try write("Withdrawing violations") { db in
            // They are not all here while what the server had lost is on its way.
            let isRead = try Bool.fetchOne(
                db, cached: "SELECT NOT EXISTS (SELECT 1 FROM sync_cursors WHERE name = ?)",
                arguments: [SyncCursor.lostRecords])
            guard isRead == true else { return 0 }
            let rows = try Row.fetchAll(
                db,
                cached: """
                    SELECT v.*, m.state AS match_state,
                        p.server_matched_id IS NOT NULL AS is_matched_there
                    FROM violations AS v LEFT JOIN matches AS m ON m.id = v.match_id
                    LEFT JOIN passages AS p ON p.client_id = v.own_client_id
                    WHERE v.state = 'provisional' AND v.server_id IS NULL
                    """)
            return try rows.count { row in
                let actions = try Self.violationStanding(db, row).missingThere(
                    match: row.optionalText("match_state").flatMap(FindingState.init),
                    isMatchedThere: row.flag("is_matched_there"))
                try Self.perform(db, actions, at: now)
                return !actions.isEmpty
            }
        }
    }

    /// The server's ids of violations on further roads of this post, of the newest that only the server knows the match of.
    package func violationsOfFurtherRoads(limit: Int) throws -> [UUID] {
        try read("Reading violations") { db in
            try Row.fetchAll(
                db,
                cached: """
                    SELECT * FROM violations WHERE match_id IS NULL AND state <> 'withdrawn' AND server_id IS NOT NULL
                    ORDER BY exit_time DESC LIMIT ?
                    """, arguments: [limit]
            ).map { try Self.violationStanding(db, $0) }.filter(\.isOfFurtherRoad).compactMap(\.serverID)
        }
    }

    /// Withdraws violations that the server took back, by its ids.
    package func withdrawViolations(_ serverIDs: Set<UUID>, at now: Instant) throws {
        guard !serverIDs.isEmpty else { return }
        try write("Withdrawing violations") { db in
            for id in serverIDs.map(\.stored).sorted() {
                let found = try Row.fetchOne(
                    db, cached: "SELECT * FROM violations WHERE server_id = ? AND state <> 'withdrawn'", arguments: [id]
                )
                guard let row = found else { continue }
                try Self.perform(db, [.withdrawViolation(Self.violationStanding(db, row).id)], at: now)
            }
        }
    }

    /// Takes in the server's overstay alerts. Those of the other post's entries are left out: they are that post's.
    package func take(_ alerts: [ServerAlert], cursor: SyncCursor? = nil, at now: Instant) throws {
        try write("Taking in overstay alerts") { db in
            for told in alerts {
                let actions = try Self.alertStanding(db, entryServerID: told.entryServerID)?.handle(told, at: now) ?? []
                try Self.perform(db, actions, at: now)
            }
            if let cursor { try CursorTable.setCursor(db, cursor, at: now) }
        }
    }
}
