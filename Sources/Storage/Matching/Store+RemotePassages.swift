import Enforcement
import Foundation
import GRDB

extension Store {
    /// Takes in passages of the other post. Repeating it changes nothing.
    ///
    /// A row is known by its `clientID`, or by its server id: when the server merges an SMS with the upload that came later,
    /// the row keeps its id and takes the upload's `clientID`. A passage whose plate or time changed loses its match here.
    ///
    /// - Parameters:
    ///   - matched: those that the server has matched: they are no longer candidates here.
    ///   - cursor: moves in the same transaction, so that it never covers rows that aren't there.
    /// - Returns: how many were new.
    @discardableResult
    package func upsertRemotePassages(
        _ passages: [RemotePassage], matched: Set<UUID> = [], cursor: SyncCursor? = nil, at now: Instant
    ) throws -> Int {
        try write("Taking in the other post's passages") { db in
            var added = 0
            for passage in passages {
                let isNew = try Self.upsertRemote(db, passage, isMatched: matched.contains(passage.clientID), at: now)
                if isNew { added += 1 }
            }
            if let cursor { try Self.setCursor(db, cursor, at: now) }
            return added
        }
    }

    /// Takes back passages that the other post withdrew, with what followed from them here. Repeating it changes nothing.
    ///
    /// - Parameter cursor: moves in the same transaction.
    /// - Returns: how many were in force.
    @discardableResult
    package func withdrawRemotePassages(_ clientIDs: [UUID], cursor: SyncCursor? = nil, at now: Instant) throws -> Int {
        try write("Taking back the other post's passages") { db in
            let withdrawn = try clientIDs.count { try Self.withdrawRemote(db, $0, at: now) }
            if let cursor { try Self.setCursor(db, cursor, at: now) }
            return withdrawn
        }
    }

    /// Puts passages that the other post withdrew on record as such, in one transaction: none of them is in force in between.
    ///
    /// - Returns: how many were new, or in force.
    func takeInWithdrawn(_ passages: [RemotePassage], at now: Instant) throws -> Int {
        try write("Taking in the other post's passages") { db in
            try passages.count { passage in
                _ = try Self.upsertRemote(db, passage, isMatched: false, at: now)
                return try Self.withdrawRemote(db, passage.clientID, at: now)
            }
        }
    }

    /// - Returns: whether it was in force.
    private static func withdrawRemote(_ db: Database, _ clientID: UUID, at now: Instant) throws -> Bool {
        try db.execute(
            cached: "UPDATE remote_passages SET withdrawn_at = ? WHERE client_id = ? AND withdrawn_at IS NULL",
            arguments: [now.milliseconds, clientID.stored])
        guard db.changesCount == 1 else { return false }
        try withdrawMatches(db, where: "remote_client_id = ?", clientID.stored, at: now)
        return true
    }

    package func remotePassage(clientID: UUID) throws -> RemotePassage? {
        try read("Reading a passage of the other post") { db in
            try Row.fetchOne(
                db, cached: "SELECT * FROM remote_passages WHERE client_id = ?", arguments: [clientID.stored]
            ).map { try $0.remotePassage() }
        }
    }

    /// Passages of this post recorded from `from` to `to`, both included, that have no match, the oldest first.
    package func unmatchedPassages(from: Instant, to: Instant) throws -> [MatchablePassage] {
        try read("Reading unmatched passages") { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM passages AS p WHERE recorded_at BETWEEN ? AND ? AND \(Self.ownIsUnmatched)
                    ORDER BY recorded_at, client_id
                    """, arguments: [from.milliseconds, to.milliseconds]
            ).map { try $0.matchablePassage() }
        }
    }

    /// Passages of the other post recorded from `from` to `to`, both included, that have no match, the oldest first.
    package func unmatchedRemotePassages(from: Instant, to: Instant) throws -> [MatchablePassage] {
        try read("Reading the other post's unmatched passages") { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM remote_passages AS r WHERE recorded_at BETWEEN ? AND ? AND \(Self.remoteIsUnmatched)
                    ORDER BY recorded_at, client_id
                    """, arguments: [from.milliseconds, to.milliseconds]
            ).map { try $0.matchablePassage() }
        }
    }

    /// Condition on `passages AS p`.
    static let ownIsUnmatched = """
        p.withdrawn_at IS NULL AND p.server_matched_id IS NULL AND NOT EXISTS (
            SELECT 1 FROM matches WHERE own_client_id = p.client_id AND certainty = 'exact' AND state <> 'withdrawn')
        """

    /// Condition on `remote_passages AS r`.
    static let remoteIsUnmatched = """
        r.is_matched = 0 AND r.withdrawn_at IS NULL AND NOT EXISTS (
            SELECT 1 FROM matches WHERE remote_client_id = r.client_id AND certainty = 'exact' AND state <> 'withdrawn')
        """

    /// - Returns: whether it is new.
    private static func upsertRemote(
        _ db: Database, _ passage: RemotePassage, isMatched: Bool, at now: Instant
    ) throws -> Bool {
        let id = passage.clientID.stored
        if let serverID = passage.serverID { try adoptClientID(db, id, serverID: serverID.stored) }
        let known = try Row.fetchOne(
            db,
            cached:
                "SELECT plate_compact, recorded_at, server_sequence, withdrawn_at FROM remote_passages WHERE client_id = ?",
            arguments: [id])
        // A row that was gone and has a higher number now: its deletion was taken back at the server.
        let wasNumber = try known?.decode(Int64?.self, forColumn: "server_sequence")
        let isBack =
            try known?.optionalInstant("withdrawn_at") != nil
            && (wasNumber.flatMap { was in passage.serverSequence.map { $0 > was } } ?? false)
        if let known {
            let isSame =
                try known.text("plate_compact") == passage.plate.compact
                && known.instant("recorded_at") == passage.recordedAt
            if !isSame { try withdrawMatches(db, where: "remote_client_id = ?", id, at: now) }
        }
        // The other post's plate comes without spaces; where this post read the same plate, it knows them.
        let read = try String.fetchOne(
            db, cached: "SELECT plate FROM passages WHERE plate_compact = ? ORDER BY recorded_at DESC LIMIT 1",
            arguments: [passage.plate.compact])
        try db.execute(
            cached: """
                INSERT INTO remote_passages (client_id, server_id, plate, plate_compact, vehicle_type, checkpost_code,
                    recorded_at, clock_state, server_sequence, is_matched, fetched_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (client_id) DO UPDATE SET server_id = coalesce(excluded.server_id, server_id),
                    plate = excluded.plate, plate_compact = excluded.plate_compact, vehicle_type = excluded.vehicle_type,
                    checkpost_code = excluded.checkpost_code, recorded_at = excluded.recorded_at,
                    clock_state = excluded.clock_state,
                    server_sequence = coalesce(excluded.server_sequence, server_sequence),
                    is_matched = excluded.is_matched, fetched_at = excluded.fetched_at,
                    withdrawn_at = CASE WHEN ? THEN NULL ELSE withdrawn_at END
                """,
            arguments: [
                id, passage.serverID?.stored, read ?? passage.plate.canonical, passage.plate.compact,
                passage.vehicleType.rawValue, passage.checkpostCode, passage.recordedAt.milliseconds,
                passage.clockState.rawValue, passage.serverSequence, isMatched, now.milliseconds, isBack,
            ])
        return known == nil || isBack
    }

    /// Gives a row that is known by its server id the `clientID` that it has there now.
    private static func adoptClientID(_ db: Database, _ id: String, serverID: String) throws {
        let old = try String.fetchOne(
            db, cached: "SELECT client_id FROM remote_passages WHERE server_id = ? AND client_id <> ?",
            arguments: [serverID, id])
        guard let old else { return }
        // An import may have brought the upload's row already: what hangs on the old one moves over, as far as it can.
        let isTaken = try Bool.fetchOne(
            db, cached: "SELECT EXISTS (SELECT 1 FROM remote_passages WHERE client_id = ?)", arguments: [id])
        if isTaken == true {
            try db.execute(
                cached: "UPDATE OR IGNORE matches SET remote_client_id = ? WHERE remote_client_id = ?",
                arguments: [id, old])
            try db.execute(
                cached: "UPDATE remote_passages SET server_id = NULL, is_matched = 1 WHERE client_id = ?",
                arguments: [old]
            )
        } else {
            try db.execute(
                cached: "UPDATE remote_passages SET client_id = ? WHERE client_id = ?", arguments: [id, old])
        }
        for column in ["entry_client_id", "exit_client_id"] {
            try db.execute(
                sql: "UPDATE OR IGNORE violations SET \(column) = ? WHERE \(column) = ?", arguments: [id, old])
        }
        try db.execute(
            cached: "UPDATE overstay_alerts SET resolved_by_client_id = ? WHERE resolved_by_client_id = ?",
            arguments: [id, old])
    }
}
