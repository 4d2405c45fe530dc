import Enforcement
import Foundation
import GRDB

/// A match that was found here and that the server has not made by itself.
package struct MatchProposal: Sendable, Equatable, Identifiable {
    package var id: Int64
    package var entryServerID: UUID
    package var exitServerID: UUID
    package var ownClientID: UUID
}

extension ReconciliationTable {
    /// Of these row ids of the server those that no passage is known by, neither of this post nor of the other.
    package func unknownPassages(among ids: Set<UUID>) throws -> Set<UUID> {
        try read("Looking up passages") { db in
            try ids.filter { id in
                try Bool.fetchOne(
                    db,
                    cached: """
                        SELECT EXISTS (SELECT 1 FROM passages WHERE server_id = ?1)
                            OR EXISTS (SELECT 1 FROM remote_passages WHERE server_id = ?1)
                            OR EXISTS (SELECT 1 FROM further_passages WHERE server_id = ?1)
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
            if let cursor { try CursorTable.setCursor(db, cursor, at: now) }
        }
    }

    private static func learn(_ db: Database, _ row: OwnServerRow, at now: Instant) throws {
        // The row of a text has the text's id, until the upload completes it.
        let known = try String.fetchOne(
            db,
            cached: """
                SELECT client_id FROM passages WHERE client_id = ?1 OR sms_client_id = ?1
                ORDER BY client_id <> ?1 LIMIT 1
                """, arguments: [row.clientID.stored])
        guard let known else { return }
        let partner = try row.matchedServerID.flatMap { try Self.partner(db, serverID: $0) }
        guard var standing = try ownStanding(db, known, partner: partner?.clientID.stored) else { return }
        try perform(db, standing.handle(.told(row, partner: partner), at: now), at: now)
    }

    /// The server has taken a passage off its record: so are the violations that it had judged of it.
    package func takeBackViolations(ofPassage clientID: UUID, at now: Instant) throws {
        try write("Withdrawing violations") { db in
            guard var standing = try Self.ownStanding(db, clientID.stored) else { return }
            try Self.perform(db, standing.handle(.takenOffRecord, at: now), at: now)
        }
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

    /// Takes back what was found here of a passage of this post, now that another one lies between it and its match.
    package func takeBackMatch(ofPassage clientID: UUID, at now: Instant) throws {
        try write("Taking back a match") { db in
            guard var standing = try Self.ownStanding(db, clientID.stored) else { return }
            try Self.perform(db, standing.handle(.matchContradicted, at: now), at: now)
        }
    }

    /// Withdraws a match that the server won't have.
    package func withdrawProposal(_ proposal: MatchProposal, at now: Instant) throws {
        try write("Withdrawing a match") { db in
            guard var standing = try Self.ownStanding(db, proposal.ownClientID.stored) else { return }
            try Self.perform(db, standing.handle(.matchRefused(proposal.id), at: now), at: now)
        }
    }
}
