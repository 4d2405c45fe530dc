import Enforcement
import Foundation
import GRDB

extension PhotoTable {
    /// Gives a photo that could be kept only now to the passages that were recorded without it, and puts it in line for the server.
    ///
    /// Sightings for review find it by its hash.
    ///
    /// - Returns: how many passages got it.
    @discardableResult
    package func attach(_ photo: PhotoRecord, at now: Instant) throws -> Int {
        try write("Adding a photo to its passage") { db in
            try Self.upsertPhoto(db, photo)
            let passages = try String.fetchAll(
                db,
                cached: """
                    SELECT p.client_id FROM sightings AS s JOIN passages AS p ON p.client_id = s.passage_client_id
                    WHERE s.best_sha256 = ? AND p.photo_sha256 IS NULL AND p.withdrawn_at IS NULL
                    """, arguments: [photo.sha256])
            for id in passages {
                try db.execute(
                    cached: "UPDATE passages SET photo_sha256 = ? WHERE client_id = ?", arguments: [photo.sha256, id])
                try db.execute(
                    cached: "INSERT OR IGNORE INTO photo_uploads (passage_client_id, sha256) VALUES (?, ?)",
                    arguments: [id, photo.sha256])
                guard let passage = UUID(uuidString: id) else { continue }
                try EvidenceTable.append(db, .photo(passage: passage, sha256: photo.sha256), at: now)
            }
            return passages.count
        }
    }
}
