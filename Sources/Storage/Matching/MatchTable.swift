import Enforcement
import Foundation
import GRDB

/// A match on record.
package struct StoredMatch: Sendable, Equatable, Identifiable {
    package var id: Int64
    package var match: Match
    package var state: FindingState
    package var createdAt: Instant
}

/// Matches of passages of both posts, and the list of what matching has to look at.
package struct MatchTable: Table {
    let store: Store
}

extension MatchTable {
    /// Records a match and the violation that it is, if it is one, and resolves the entry's overstay alert.
    ///
    /// Both passages are looked at again inside the transaction, since another process may have matched one meanwhile. One
    /// side of the match is a passage of this post, the other a remote one.
    ///
    /// - Returns: false when either is no longer unmatched; then nothing is written.
    package func save(_ match: Match, violation: Violation?, at now: Instant) throws -> Bool {
        guard match.certainty == .exact else {
            throw StoreError(
                .refused, "A match of plates that only look alike is for a ranger to judge; nothing was recorded.")
        }
        return try write("Recording a match") { db in
            guard let sides = try Self.unmatchedSides(db, of: match) else { return false }
            let matchID = try Self.insertMatch(db, match, sides: sides, at: now)
            // One that the server judged of this entry stands until the server takes it back.
            let isJudged = try Bool.fetchOne(
                db,
                cached: "SELECT EXISTS (SELECT 1 FROM violations WHERE entry_client_id = ? AND state <> 'withdrawn')",
                arguments: [match.entry.clientID.stored])
            if let violation, isJudged != true {
                try ViolationTable.insert(db, violation, matchID: matchID, own: sides.own, at: now)
            }
            // What only looked alike is settled now.
            try db.execute(
                cached: """
                    UPDATE matches SET state = 'withdrawn', withdrawn_at = ?
                    WHERE certainty = 'look_alike' AND state = 'provisional'
                        AND (own_client_id = ? OR remote_client_id = ?)
                    """, arguments: [now.milliseconds, sides.own.stored, sides.remote.stored])
            try AlertTable.resolveAlert(db, entry: match.entry.clientID, by: match.exit.clientID, at: now)
            return true
        }
    }

    /// Keeps matches of plates that only look alike, for a ranger to judge. Those that are known already, or whose passages
    /// have found a match meanwhile, are left out.
    ///
    /// - Returns: how many are new.
    @discardableResult
    package func savePossible(_ matches: [Match], at now: Instant) throws -> Int {
        try write("Recording possible matches") { db in
            var added = 0
            for match in matches where match.certainty == .lookAlike {
                guard let sides = try Self.unmatchedSides(db, of: match) else { continue }
                // A pair that a ranger rejected stays rejected; one that was only withdrawn may come up again.
                let isKnown = try Bool.fetchOne(
                    db,
                    cached: """
                        SELECT EXISTS (SELECT 1 FROM matches
                            WHERE own_client_id = ? AND remote_client_id = ? AND certainty = 'look_alike'
                                AND (state <> 'withdrawn' OR judged_by IS NOT NULL))
                        """, arguments: [sides.own.stored, sides.remote.stored])
                guard isKnown != true else { continue }
                _ = try Self.insertMatch(db, match, sides: sides, at: now)
                // An alert that is out already becomes doubtful: the vehicle may be gone.
                try db.execute(
                    cached:
                        "UPDATE overstay_alerts SET is_doubtful = 1 WHERE entry_client_id = ? AND withdrawn_at IS NULL",
                    arguments: [match.entry.clientID.stored])
                added += 1
            }
            return added
        }
    }

    /// Possible matches that nobody has judged, the newest first.
    package func possible(limit: Int = 100) throws -> [StoredMatch] {
        try read("Reading possible matches") { db in
            try Row.fetchAll(
                db,
                sql: """
                    \(Self.matchQuery) WHERE m.certainty = 'look_alike' AND m.state = 'provisional'
                    ORDER BY m.id DESC LIMIT ?
                    """, arguments: [limit]
            ).map(Self.storedMatch)
        }
    }

    /// A possible match, whatever became of it.
    package func anyPossibleMatch(id: Int64) throws -> StoredMatch? {
        try read("Reading a possible match") { db in
            try Row.fetchOne(
                db, sql: "\(Self.matchQuery) WHERE m.id = ? AND m.certainty = 'look_alike'", arguments: [id]
            ).map(Self.storedMatch)
        }
    }

    /// A possible match that nobody has judged.
    package func possible(id: Int64) throws -> StoredMatch? {
        try read("Reading a possible match") { db in
            try Row.fetchOne(
                db,
                sql: "\(Self.matchQuery) WHERE m.id = ? AND m.certainty = 'look_alike' AND m.state = 'provisional'",
                arguments: [id]
            ).map(Self.storedMatch)
        }
    }

    /// Drops a possible match for good, on a ranger's word: these are two vehicles.
    ///
    /// - Throws: `StoreError` of kind `unknown` when nobody needs to judge it.
    package func rejectPossible(id: Int64, by ranger: String, at now: Instant) throws {
        try write("Rejecting a possible match") { db in
            try db.execute(
                cached: """
                    UPDATE matches SET state = 'withdrawn', withdrawn_at = ?, judged_by = ?
                    WHERE id = ? AND certainty = 'look_alike' AND state = 'provisional'
                    """, arguments: [now.milliseconds, ranger, id])
            guard db.changesCount == 1 else {
                throw StoreError(.unknown, "The possible match \(id) is judged already, or never was there.")
            }
        }
    }

    /// Takes back that two plates are two vehicles: the possible match waits for a ranger's word again.
    ///
    /// - Throws: `StoreError` of kind `unknown` when no ranger rejected it, or when either passage has found its match since.
    package func restorePossible(id: Int64) throws {
        try write("Taking back the rejection of a possible match") { db in
            try db.execute(
                sql: """
                    UPDATE matches SET state = 'provisional', withdrawn_at = NULL, judged_by = NULL
                    WHERE id = ? AND certainty = 'look_alike' AND state = 'withdrawn' AND judged_by IS NOT NULL
                        AND EXISTS (SELECT 1 FROM passages AS p WHERE p.client_id = own_client_id AND \(Self.ownIsUnmatched))
                        AND EXISTS (SELECT 1 FROM remote_passages AS r
                            WHERE r.client_id = remote_client_id AND \(Self.remoteIsUnmatched))
                    """, arguments: [id])
            guard db.changesCount == 1 else {
                throw StoreError(.unknown, "The possible match \(id) can't be taken back: it is settled otherwise.")
            }
        }
    }

    /// The exact match of a passage of this post, if it has one.
    package func match(ofPassage clientID: UUID) throws -> StoredMatch? {
        try read("Reading a match") { db in
            try Row.fetchOne(
                db,
                sql: """
                    \(Self.matchQuery) WHERE m.certainty = 'exact' AND m.state <> 'withdrawn' AND m.own_client_id = ?
                    """, arguments: [clientID.stored]
            ).map(Self.storedMatch)
        }
    }

    /// Which side of a match is whose, if both passages are there and unmatched.
    private static func unmatchedSides(_ db: Database, of match: Match) throws -> (own: UUID, remote: UUID)? {
        for (own, remote) in [(match.entry, match.exit), (match.exit, match.entry)] {
            let isOwn = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM passages AS p WHERE client_id = ? AND \(Self.ownIsUnmatched))",
                arguments: [own.clientID.stored])
            let isRemote = try Bool.fetchOne(
                db,
                sql:
                    "SELECT EXISTS (SELECT 1 FROM remote_passages AS r WHERE client_id = ? AND \(Self.remoteIsUnmatched))",
                arguments: [remote.clientID.stored])
            if isOwn == true, isRemote == true { return (own.clientID, remote.clientID) }
        }
        return nil
    }

    private static func insertMatch(
        _ db: Database, _ match: Match, sides: (own: UUID, remote: UUID), at now: Instant
    ) throws -> Int64 {
        try db.execute(
            cached: """
                INSERT INTO matches (own_client_id, remote_client_id, own_is_entry, certainty, state, created_at)
                VALUES (?, ?, ?, ?, 'provisional', ?)
                """,
            arguments: [
                sides.own.stored, sides.remote.stored, match.entry.clientID == sides.own, match.certainty.rawValue,
                now.milliseconds,
            ])
        return db.lastInsertedRowID
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

    private static let matchQuery = """
        SELECT m.*,
            p.client_id AS p_client_id, p.plate AS p_plate, p.vehicle_type AS p_vehicle_type,
            p.checkpost_code AS p_checkpost_code, p.recorded_at AS p_recorded_at, p.clock_state AS p_clock_state,
            r.client_id AS r_client_id, r.plate AS r_plate, r.vehicle_type AS r_vehicle_type,
            r.checkpost_code AS r_checkpost_code, r.recorded_at AS r_recorded_at, r.clock_state AS r_clock_state
        FROM matches AS m
        JOIN passages AS p ON p.client_id = m.own_client_id
        JOIN remote_passages AS r ON r.client_id = m.remote_client_id
        """

    private static func storedMatch(_ row: Row) throws -> StoredMatch {
        StoredMatch(
            id: try row.decode(Int64.self, forColumn: "id"),
            match: Match(
                try row.matchablePassage(prefix: "p_"), try row.matchablePassage(prefix: "r_"),
                certainty: try row.choice("certainty")),
            state: try row.choice("state"), createdAt: try row.instant("created_at"))
    }
}
