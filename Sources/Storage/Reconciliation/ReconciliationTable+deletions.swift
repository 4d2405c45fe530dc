import Enforcement
import Foundation
import GRDB

extension ReconciliationTable {
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
            if let cursor { try CursorTable.setCursor(db, cursor, at: now) }
            return count
        }
    }

    private static func deleteOwn(_ db: Database, _ deletion: ServerDeletion, at now: Instant) throws -> Bool {
        let text = deletion.smsClientID ?? deletion.clientID
        let ids = try String.fetchAll(
            db,
            cached:
                "SELECT client_id FROM passages WHERE client_id = ?1 OR sms_client_id = ?2 ORDER BY client_id <> ?1",
            arguments: [deletion.clientID.stored, text.stored])
        for id in ids {
            guard var standing = try ownStanding(db, id) else { continue }
            let actions = standing.handle(.deletedThere(row: deletion.serverID), at: now)
            try perform(db, actions, at: now)
            if !actions.isEmpty { return true }
        }
        return false
    }

    private static func deleteRemote(_ db: Database, _ deletion: ServerDeletion, at now: Instant) throws -> Bool {
        let ids = try String.fetchAll(
            db, cached: "SELECT client_id FROM remote_passages WHERE client_id = ? OR server_id = ?",
            arguments: [deletion.clientID.stored, deletion.serverID.stored])
        return try ids.count { id in
            guard var standing = try remoteStanding(db, id) else { return false }
            let actions = standing.handle(.deletedThere)
            try perform(db, actions, at: now)
            return !actions.isEmpty
        } > 0
    }

    /// Puts the passage of an entry in force again, if it was deleted at the server.
    static func askFor(_ db: Database, entry id: Int64, at now: Instant) throws {
        let passage = try String.fetchOne(
            db, cached: "SELECT passage_client_id FROM sync_queue WHERE id = ?", arguments: [id])
        guard let passage, var standing = try ownStanding(db, passage) else { return }
        try perform(db, standing.handle(.askedFor(entry: id), at: now), at: now)
    }
}
