import Enforcement
import Foundation
import GRDB

/// What the server says of a passage of this post.
package struct OwnServerRow: Sendable, Equatable {
    package var clientID: UUID
    package var serverID: UUID

    /// The row that it matched it with; nil while it has none.
    package var matchedServerID: UUID?

    /// The plate there; nil where the server didn't say.
    package var plate: Plate?

    package init(clientID: UUID, serverID: UUID, matchedServerID: UUID? = nil, plate: Plate? = nil) {
        self.clientID = clientID
        self.serverID = serverID
        self.matchedServerID = matchedServerID
        self.plate = plate
    }
}

/// A match that was found here and that the server has not made by itself.
package struct MatchProposal: Sendable, Equatable, Identifiable {
    package var id: Int64
    package var entryServerID: UUID
    package var exitServerID: UUID
    package var ownClientID: UUID
}

extension Store {
    /// Of these row ids of the server those that no passage is known by, neither of this post nor of the other.
    package func unknownPassages(among ids: Set<UUID>) throws -> Set<UUID> {
        try read("Looking up passages") { db in
            try ids.filter { id in
                try Bool.fetchOne(
                    db,
                    cached: """
                        SELECT EXISTS (SELECT 1 FROM passages WHERE server_id = ?1)
                            OR EXISTS (SELECT 1 FROM remote_passages WHERE server_id = ?1)
                        """, arguments: [id.stored]) != true
            }
        }
    }

    /// Takes in what the server says of this post's passages. Its matches count: one that was found here is confirmed or
    /// withdrawn. Repeating it changes nothing.
    ///
    /// A passage with a correction that has not reached the server yet keeps what it has where the server judged another plate.
    ///
    /// - Parameter cursor: moves in the same transaction.
    package func learn(_ rows: [OwnServerRow], cursor: SyncCursor? = nil, at now: Instant) throws {
        try write("Taking in the server's word") { db in
            for row in rows { try Self.learn(db, row, at: now) }
            if let cursor { try Self.setCursor(db, cursor, at: now) }
        }
    }

    private static func learn(_ db: Database, _ row: OwnServerRow, at now: Instant) throws {
        // The row of a text has the text's id, until the upload completes it.
        let known = try Row.fetchOne(
            db,
            cached: """
                SELECT client_id, server_id, server_matched_id, withdrawn_at, plate_compact,
                    server_deleted_at IS NOT NULL AS was_deleted_there, EXISTS (SELECT 1 FROM sync_queue AS q
                    WHERE q.passage_client_id = p.client_id AND q.entity = 'correction'
                        AND q.status IN ('pending', 'in_flight') ) AS is_changed_here
                FROM passages AS p WHERE client_id = ?1 OR sms_client_id = ?1 ORDER BY client_id <> ?1 LIMIT 1
                """, arguments: [row.clientID.stored])
        guard let known else { return }
        let ownID = try known.uuid("client_id")
        let own = ownID.stored
        let isBack = try known.flag("was_deleted_there")
        if isBack { try putBack(db, passage: own, at: now) }
        if try isBack || known.optionalUUID("server_id") != row.serverID {
            try db.execute(
                cached: "UPDATE OR IGNORE passages SET server_id = ? WHERE client_id = ?",
                arguments: [row.serverID.stored, own])
        }
        // A correction on its way whose plate the server has already: the passage was sent after it was corrected. Its word is on that
        // plate, and it is not said again.
        let isJudged = try row.plate?.compact == known.text("plate_compact")
        guard try isJudged || !known.flag("is_changed_here"), try isBack || known.optionalInstant("withdrawn_at") == nil
        else {
            return
        }
        if let plate = row.plate, try known.text("plate_compact") != plate.compact {
            try adopt(db, plate: plate, of: ownID, at: now)
        }
        if try known.optionalUUID("server_matched_id") != row.matchedServerID {
            try db.execute(
                cached: "UPDATE passages SET server_matched_id = ? WHERE client_id = ?",
                arguments: [row.matchedServerID?.stored, own])
        }
        try judgeMatch(db, own: own, partner: row.matchedServerID?.stored, at: now)
    }

    /// Confirms or withdraws the match that was found here, now that the server has one, or none any longer.
    private static func judgeMatch(_ db: Database, own: String, partner: String?, at now: Instant) throws {
        let live = "own_client_id = ? AND certainty = 'exact'"
        guard let partner else {
            // The server took its match back. What was only found here still waits for its word.
            try withdrawMatches(db, where: "\(live) AND state = 'confirmed'", own, at: now)
            try withdrawConfirmedViolations(db, own: own, exceptWith: nil, at: now)
            return
        }
        let remote = try String.fetchOne(
            db, cached: "SELECT client_id FROM remote_passages WHERE server_id = ?", arguments: [partner])
        let found = try String.fetchOne(
            db, sql: "SELECT remote_client_id FROM matches WHERE \(live) AND state <> 'withdrawn'", arguments: [own])
        if let found {
            if found == remote {
                try db.execute(
                    sql: "UPDATE matches SET state = 'confirmed' WHERE \(live) AND state = 'provisional'",
                    arguments: [own])
            } else {
                try withdrawMatches(db, where: live, own, at: now)
            }
        }
        try db.execute(
            cached: """
                UPDATE matches SET state = 'withdrawn', withdrawn_at = ?
                WHERE own_client_id = ? AND certainty = 'look_alike' AND state <> 'withdrawn'
                """, arguments: [now.milliseconds, own])
        guard let remote else { return }
        try withdrawConfirmedViolations(db, own: own, exceptWith: remote, at: now)
        try takeFromOthers(db, remote: remote, own: own, at: now)
    }

    /// What the server had judged of a match that it no longer has.
    private static func withdrawConfirmedViolations(
        _ db: Database, own: String, exceptWith remote: String?, at now: Instant
    ) throws {
        try db.execute(
            cached: """
                UPDATE violations SET state = 'withdrawn', withdrawn_at = ?1
                WHERE own_client_id = ?2 AND state = 'confirmed'
                    AND (?3 IS NULL OR ?3 NOT IN (entry_client_id, exit_client_id))
                """, arguments: [now.milliseconds, own, remote])
    }

    /// The server has taken a passage off its record: so are the violations that it had judged of it.
    package func takeBackViolations(ofPassage clientID: UUID, at now: Instant) throws {
        try write("Withdrawing violations") { db in
            try Self.withdrawConfirmedViolations(db, own: clientID.stored, exceptWith: nil, at: now)
        }
    }

    /// The server gave a passage of the other post to `own`: no other passage here keeps it.
    private static func takeFromOthers(_ db: Database, remote: String, own: String, at now: Instant) throws {
        let rival = try String.fetchOne(
            db,
            cached: """
                SELECT own_client_id FROM matches
                WHERE remote_client_id = ? AND certainty = 'exact' AND state <> 'withdrawn' AND own_client_id <> ?
                """, arguments: [remote, own])
        if let rival { try withdrawMatches(db, where: "own_client_id = ? AND certainty = 'exact'", rival, at: now) }
        try db.execute(
            cached: "UPDATE remote_passages SET is_matched = 1 WHERE client_id = ? AND is_matched = 0",
            arguments: [remote])
        guard let ownID = UUID(uuidString: own), let remoteID = UUID(uuidString: remote) else { return }
        try resolveAlert(db, entry: ownID, by: remoteID, at: now)
    }

    /// Matches found here, of passages that the server has both and has not matched, the oldest first.
    package func matchesToPropose(limit: Int) throws -> [MatchProposal] {
        try read("Reading matches to propose") { db in
            try Row.fetchAll(
                db,
                cached: """
                    SELECT m.id, m.own_client_id, m.own_is_entry, p.server_id AS own_id, r.server_id AS remote_id
                    FROM matches AS m
                    JOIN passages AS p ON p.client_id = m.own_client_id
                    JOIN remote_passages AS r ON r.client_id = m.remote_client_id
                    WHERE m.certainty = 'exact' AND m.state = 'provisional' AND p.server_id IS NOT NULL
                        AND r.server_id IS NOT NULL AND p.server_matched_id IS NULL
                        AND NOT EXISTS (SELECT 1 FROM sync_queue AS q WHERE q.passage_client_id = p.client_id
                            AND q.entity = 'correction' AND q.status IN ('pending', 'in_flight'))
                    ORDER BY m.id LIMIT ?
                    """, arguments: [limit]
            ).map { row in
                let (own, remote) = (try row.uuid("own_id"), try row.uuid("remote_id"))
                let isEntry = try row.flag("own_is_entry")
                return MatchProposal(
                    id: try row.decode(Int64.self, forColumn: "id"), entryServerID: isEntry ? own : remote,
                    exitServerID: isEntry ? remote : own, ownClientID: try row.uuid("own_client_id"))
            }
        }
    }

    /// Withdraws a match that the server won't have. Its partner is no longer a candidate here: the server has given it to
    /// another passage, or holds that it belongs to none of ours.
    package func withdrawProposal(_ proposal: MatchProposal, at now: Instant) throws {
        try write("Withdrawing a match") { db in
            let remote = try String.fetchOne(
                db, cached: "SELECT remote_client_id FROM matches WHERE id = ? AND state = 'provisional'",
                arguments: [proposal.id])
            guard let remote else { return }
            try Self.withdrawMatches(db, where: "id = CAST(? AS INTEGER)", String(proposal.id), at: now)
            try db.execute(
                cached: "UPDATE remote_passages SET is_matched = 1 WHERE client_id = ?", arguments: [remote])
        }
    }
}
