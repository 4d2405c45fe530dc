import Enforcement
import Foundation
import GRDB

/// A passage that was deleted at the server.
package struct ServerDeletion: Sendable, Equatable {
    /// The row that is gone.
    package var serverID: UUID
    package var clientID: UUID
    package var smsClientID: UUID?

    package init(serverID: UUID, clientID: UUID, smsClientID: UUID? = nil) {
        self.serverID = serverID
        self.clientID = clientID
        self.smsClientID = smsClientID
    }
}

extension Store {
    /// Why an entry of such a passage rests.
    static let deletedReason = "deleted at the server"

    /// Takes in what was deleted at the server, of either post. Repeating it changes nothing.
    ///
    /// A passage of this post counts as withdrawn from then on, with what followed from it, and its entry is set aside: it is sent
    /// again only when a person asks for it. One of the other post is a candidate no longer.
    ///
    /// - Parameter cursor: moves in the same transaction.
    /// - Returns: how many changed something here.
    @discardableResult
    package func take(_ deletions: [ServerDeletion], cursor: SyncCursor? = nil, at now: Instant) throws -> Int {
        try write("Taking in what the server deleted") { db in
            let count = try deletions.count { deletion in
                let isOwn = try Self.deleteOwn(db, deletion, at: now)
                return try Self.deleteRemote(db, deletion, at: now) || isOwn
            }
            if let cursor { try Self.setCursor(db, cursor, at: now) }
            return count
        }
    }

    private static func deleteOwn(_ db: Database, _ deletion: ServerDeletion, at now: Instant) throws -> Bool {
        let sms = deletion.smsClientID ?? deletion.clientID
        let own = try String.fetchOne(
            db,
            cached: """
                SELECT client_id FROM passages WHERE (client_id = ?1 OR sms_client_id = ?2) AND withdrawn_at IS NULL
                    AND (server_id IS NULL OR server_id = ?3)
                """, arguments: [deletion.clientID.stored, sms.stored, deletion.serverID.stored])
        guard let own, let clientID = UUID(uuidString: own) else { return false }
        _ = try apply(
            db,
            PassageChange(
                clientID: clientID, newPlate: nil, reason: "deleted at the server", actor: wardenActor, at: now,
                isTheServers: true))
        try db.execute(
            cached: "UPDATE passages SET server_deleted_at = ? WHERE client_id = ?", arguments: [now.milliseconds, own])
        try withdrawViolations(db, of: own, at: now)
        // What would follow the passage has nowhere to go either.
        try db.execute(
            cached: """
                UPDATE sync_queue SET status = 'failed', is_refused = 1, next_attempt_at = NULL, last_error = ?,
                    set_aside = 'deleted_there'
                WHERE passage_client_id = ? AND (entity = 'passage' OR status <> 'synced')
                """, arguments: [deletedReason, own])
        return true
    }

    private static func deleteRemote(_ db: Database, _ deletion: ServerDeletion, at now: Instant) throws -> Bool {
        let ids = try String.fetchAll(
            db,
            cached:
                "SELECT client_id FROM remote_passages WHERE (client_id = ? OR server_id = ?) AND withdrawn_at IS NULL",
            arguments: [deletion.clientID.stored, deletion.serverID.stored])
        for id in ids {
            try db.execute(
                cached: "UPDATE remote_passages SET withdrawn_at = ? WHERE client_id = ?",
                arguments: [now.milliseconds, id])
            try withdrawMatches(db, where: "remote_client_id = ?", id, at: now)
            try withdrawViolations(db, of: id, at: now)
        }
        return !ids.isEmpty
    }

    /// The server keeps every passage that a violation of its own stands on: there is none of a passage that is gone.
    private static func withdrawViolations(_ db: Database, of passage: String, at now: Instant) throws {
        try db.execute(
            cached: """
                UPDATE violations SET state = 'withdrawn', withdrawn_at = ?1
                WHERE (entry_client_id = ?2 OR exit_client_id = ?2) AND state <> 'withdrawn'
                """, arguments: [now.milliseconds, passage])
    }

    /// Puts a passage that was deleted at the server in force again.
    static func undelete(_ db: Database, entry id: Int64, at now: Instant) throws {
        let row = try Row.fetchOne(
            db,
            cached: """
                SELECT p.client_id, p.plate, p.server_deleted_at FROM sync_queue AS q
                JOIN passages AS p ON p.client_id = q.passage_client_id
                WHERE q.id = ? AND q.entity = 'passage' AND q.status = 'failed' AND p.server_deleted_at IS NOT NULL
                """, arguments: [id])
        guard let row else { return }
        let passage = try row.text("client_id")
        try db.execute(
            cached: "UPDATE passages SET withdrawn_at = NULL, server_deleted_at = NULL WHERE client_id = ?",
            arguments: [passage])
        try forgetServerRow(db, of: passage)
        try noteReturn(
            db, of: passage, plate: try row.text("plate"), reason: "sent again after it was deleted at the server",
            actor: "queue retry", at: now)
    }

    /// Puts a passage in force again whose deletion was taken back at the server: its row stands there anew.
    static func putBack(_ db: Database, passage: String, at now: Instant) throws {
        guard
            let plate = try String.fetchOne(
                db, cached: "SELECT plate FROM passages WHERE client_id = ? AND server_deleted_at IS NOT NULL",
                arguments: [passage])
        else { return }
        try db.execute(
            cached: "UPDATE passages SET withdrawn_at = NULL, server_deleted_at = NULL WHERE client_id = ?",
            arguments: [passage])
        try forgetServerRow(db, of: passage)
        // It is there already, and what was to follow it goes on.
        try db.execute(
            cached: """
                UPDATE sync_queue SET is_refused = 0, last_error = NULL, attempts = 0, next_attempt_at = NULL,
                    status = CASE WHEN entity = 'passage' THEN 'synced' ELSE 'pending' END
                WHERE passage_client_id = ? AND status = 'failed' AND set_aside = 'deleted_there'
                """, arguments: [passage])
        try noteReturn(db, of: passage, plate: plate, reason: "put back at the server", actor: wardenActor, at: now)
    }

    private static func noteReturn(
        _ db: Database, of passage: String, plate: String, reason: String, actor: String, at now: Instant
    ) throws {
        try db.execute(
            cached: """
                INSERT INTO passage_corrections (passage_client_id, kind, old_plate, new_plate, reason, actor, at)
                VALUES (?1, 'corrected', ?2, ?2, ?3, ?4, ?5)
                """,
            arguments: [passage, plate, reason, actor, now.milliseconds])
    }

    /// Makes a passage one that the server has never had: with its photo, its match and its violation.
    static func forgetServerRow(_ db: Database, of passage: String) throws {
        try db.execute(
            cached: """
                UPDATE passages SET server_id = NULL, server_matched_id = NULL, photo_path = NULL WHERE client_id = ?
                """, arguments: [passage])
        try db.execute(
            cached: """
                INSERT INTO photo_uploads (passage_client_id, sha256)
                SELECT p.client_id, p.photo_sha256 FROM passages AS p JOIN photos AS f ON f.sha256 = p.photo_sha256
                WHERE p.client_id = ?
                ON CONFLICT (passage_client_id) DO UPDATE SET status = 'pending', attempts = 0, last_error = NULL
                """, arguments: [passage])
        try db.execute(
            cached: "UPDATE matches SET state = 'provisional' WHERE own_client_id = ? AND state = 'confirmed'",
            arguments: [passage])
        try db.execute(
            cached: """
                UPDATE violations SET state = 'provisional', server_id = NULL
                WHERE own_client_id = ? AND state = 'confirmed'
                """, arguments: [passage])
    }
}
