import Enforcement
import Foundation
import GRDB

/// A passage of this post that the server has, with what else it says of it.
package struct OlderPassage: Sendable {
    package var restored: RestoredPassage
    package var matchedServerID: UUID?
    package var photoSHA256: String?

    package init(restored: RestoredPassage, matchedServerID: UUID?, photoSHA256: String?) {
        self.restored = restored
        self.matchedServerID = matchedServerID
        self.photoSHA256 = photoSHA256
    }
}

extension ReconciliationTable {
    /// Puts passages of the last months back on record, with the photos that are still on the disk. Repeating it changes nothing.
    ///
    /// They are history: nothing is matched or alerted anew because of them. The server did that long ago.
    ///
    /// - Parameter cursor: moves in the same transaction.
    /// - Returns: how many were new.
    package func restoreOlder(_ passages: [OlderPassage], cursor: SyncCursor, at now: Instant) throws -> Int {
        let photos = PhotoStore(folder: URL(fileURLWithPath: store.path).deletingLastPathComponent())
        let asides = photos.asides
        // Looked for before the transaction: a disk may be slow.
        let found = passages.map { older in
            older.photoSHA256.flatMap { sha256 in
                ([nil] + asides).lazy.compactMap {
                    photos.adopt(sha256, recordedAt: older.restored.passage.recordedAt, from: $0)
                }.first
            }
        }
        return try write("Taking back older passages") { db in
            var count = 0
            for (older, photo) in zip(passages, found) {
                let restored = older.restored
                let id = restored.passage.clientID.stored
                let actions = try Self.restoredStanding(db, restored).handle(restored)
                try Self.perform(db, actions, at: restored.passage.recordedAt)
                if actions == [.putOnRecord(restored)] {
                    count += 1
                    try db.execute(
                        cached: "UPDATE passages SET server_matched_id = ? WHERE client_id = ?",
                        arguments: [older.matchedServerID?.stored, id])
                    try db.execute(
                        cached: "DELETE FROM match_work WHERE side = 'own' AND client_id = ?", arguments: [id])
                }
                if let photo { try Self.attach(db, photo, to: restored, at: now) }
            }
            try CursorTable.setCursor(db, cursor, at: now)
            return count
        }
    }

    private static func attach(
        _ db: Database, _ photo: PhotoRecord, to restored: RestoredPassage, at now: Instant
    ) throws {
        let id = restored.passage.clientID.stored
        let lacksIt = try Bool.fetchOne(
            db,
            cached: "SELECT EXISTS (SELECT 1 FROM passages WHERE client_id = ? AND photo_sha256 IS NULL)",
            arguments: [id])
        guard lacksIt == true else { return }
        try PhotoTable.putOnRecord(db, photo, sha256: photo.sha256, of: restored.passage, at: now)
        try db.execute(
            cached: "UPDATE passages SET photo_sha256 = ? WHERE client_id = ?", arguments: [photo.sha256, id])
        try db.execute(
            cached: "INSERT OR IGNORE INTO photo_uploads (passage_client_id, sha256, status) VALUES (?, ?, ?)",
            arguments: [id, photo.sha256, restored.photoPath == nil ? "pending" : "uploaded"])
    }
}

extension MatchTable {
    /// After records were taken over: what is so recent that it matters is looked at once more, and what is older no more.
    package func lookAgain(since: Instant) throws {
        try write("Looking again at recent passages") { db in
            try db.execute(
                cached: """
                    INSERT INTO match_progress (name, recorded_at, client_id, window_ms) VALUES ('overstay', ?, '', 0)
                    ON CONFLICT (name) DO UPDATE SET recorded_at = excluded.recorded_at, client_id = '', window_ms = 0
                    """, arguments: [since.milliseconds])
            try db.execute(
                cached: """
                    INSERT OR IGNORE INTO match_work (side, client_id)
                    SELECT 'own', client_id FROM passages
                    WHERE recorded_at >= ? AND withdrawn_at IS NULL AND server_matched_id IS NULL
                    """, arguments: [since.milliseconds])
        }
    }
}
