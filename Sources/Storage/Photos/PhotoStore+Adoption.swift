import Enforcement
import Foundation
import GRDB

extension PhotoStore {
    private static let endings = ["jpg": "image/jpeg", "png": "image/png", "pnm": "image/x-portable-anymap"]

    /// Folders of photos that were set aside with a damaged database.
    var asides: [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasPrefix("photos.damaged-") }.sorted(by: >).map(folder.appendingPathComponent)
    }

    /// Finds the file of a photo whose record was lost, by its hash and the day of capture.
    ///
    /// - Parameter aside: a folder like `photos` to look in as well; what is found there is put in its place here.
    /// - Returns: nil when there is none.
    package func adopt(_ sha256: String, recordedAt: Instant, from aside: URL? = nil) -> PhotoRecord? {
        let day = CivilTime(recordedAt).dateText
        for (ending, mediaType) in Self.endings {
            let name = "\(day)/\(sha256).\(ending)"
            let file = url(of: "photos/\(name)")
            if !FileManager.default.fileExists(atPath: file.path), let aside {
                let old = aside.appendingPathComponent(name)
                guard FileManager.default.fileExists(atPath: old.path) else { continue }
                try? DurableFile.makeFolder(file.deletingLastPathComponent(), below: folder)
                // Both names stay where the file system knows links: what was set aside is kept as it was.
                if link(old.path, file.path) != 0, rename(old.path, file.path) != 0, !Self.copy(old, to: file) {
                    continue
                }
            }
            var status = stat()
            guard stat(file.path, &status) == 0, status.st_size > 0 else { continue }
            return PhotoRecord(
                sha256: sha256, path: "photos/\(name)", bytes: Int(status.st_size), mediaType: mediaType,
                keptAt: recordedAt)
        }
        return nil
    }
}

extension PhotoStore {
    /// From another disk.
    private static func copy(_ old: URL, to file: URL) -> Bool {
        guard let bytes = try? Data(contentsOf: old) else { return false }
        return (try? DurableFile.write(bytes, to: file)) != nil
    }
}

extension PhotoTable {
    /// Puts a photo on record that a passage refers to, as removed when its file is gone; one that is on record stays.
    static func putOnRecord(
        _ db: Database, _ photo: PhotoRecord?, sha256: String, of passage: Passage, at now: Instant
    ) throws {
        let isKnown = try Bool.fetchOne(
            db, cached: "SELECT EXISTS (SELECT 1 FROM photos WHERE sha256 = ?)", arguments: [sha256])
        guard isKnown != true else { return }
        if let photo { return try upsertPhoto(db, photo) }
        let path = "photos/\(CivilTime(passage.recordedAt).dateText)/\(sha256).jpg"
        try db.execute(
            cached: """
                INSERT OR IGNORE INTO photos (sha256, path, bytes, media_type, kept_at, removed_at)
                VALUES (?, ?, 1, 'image/jpeg', ?, ?)
                """, arguments: [sha256, path, passage.recordedAt.milliseconds, now.milliseconds])
    }
}
