import Enforcement
import Foundation
import GRDB

/// Photos that are on the disk, and those that have to reach the server.
package struct PhotoTable: Table {
    let store: Store
}

extension PhotoTable {
    /// A photo by its hash; nil when it isn't on the disk, or no longer.
    package func record(sha256: String) throws -> PhotoRecord? {
        try read("Reading a photo's record") { db in
            try Row.fetchOne(
                db, cached: "SELECT * FROM photos WHERE sha256 = ? AND removed_at IS NULL", arguments: [sha256]
            ).map(Self.photoRecord)
        }
    }

    /// Which of these paths below the data folder belong to a photo that is kept.
    package func knownPaths(among paths: [String]) throws -> Set<String> {
        try read("Looking for photos") { db in
            let statement = try db.makeStatement(sql: "SELECT 1 FROM photos WHERE path = ? AND removed_at IS NULL")
            return Set(try paths.filter { try Int.fetchOne(statement, arguments: [$0]) != nil })
        }
    }

    /// Photos kept before `cutoff` that no passage, no undecided or recorded sighting and no tracker refers to: earlier best
    /// frames and what the tracker discarded. What a ranger discarded keeps its picture: it can be restored.
    package func unreferenced(keptBefore cutoff: Instant, limit: Int = 500) throws -> [PhotoRecord] {
        try read("Looking for photos without use") { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM photos WHERE removed_at IS NULL AND kept_at < ? AND \(Self.isUnreferenced)
                    ORDER BY kept_at LIMIT ?
                    """,
                arguments: [cutoff.milliseconds, limit]
            ).map(Self.photoRecord)
        }
    }

    /// Takes photos off the record unless something refers to them by now. The files are the caller's to remove, afterwards.
    ///
    /// - Returns: those that were taken off.
    package func forget(_ photos: [PhotoRecord], at now: Instant) throws -> [PhotoRecord] {
        guard !photos.isEmpty else { return [] }
        return try write("Forgetting photos") { db in
            let gone = try photos.filter { try Self.forget(db, sha256: $0.sha256) != nil }
            let bytes = gone.reduce(0) { $0 + $1.bytes }
            try RetentionTable.note(db, .superseded, count: gone.count, bytes: bytes, at: now)
            return gone
        }
    }

    /// - Returns: what was on record; nil when it wasn't, or when something refers to it.
    static func forget(_ db: Database, sha256: String) throws -> PhotoRecord? {
        let statement = try db.cachedStatement(
            sql: "DELETE FROM photos WHERE sha256 = ? AND \(isUnreferenced) RETURNING *")
        return try Row.fetchOne(statement, arguments: [sha256]).map(photoRecord)
    }

    /// The tracker's state is a text that names its frames by hash, so looking for the hash in it is enough.
    private static let isUnreferenced = """
        NOT EXISTS (SELECT 1 FROM passages WHERE photo_sha256 = photos.sha256)
        AND NOT EXISTS (SELECT 1 FROM photo_uploads WHERE sha256 = photos.sha256)
        AND NOT EXISTS (SELECT 1 FROM sightings WHERE best_sha256 = photos.sha256
            AND (state <> 'discarded' OR decided_by IS NOT NULL))
        AND NOT EXISTS (SELECT 1 FROM tracker_states WHERE instr(CAST(state AS TEXT), photos.sha256) > 0)
        """

    /// The same picture kept twice is one row; the file that is there stays.
    static func upsertPhoto(_ db: Database, _ photo: PhotoRecord) throws {
        try db.execute(
            cached: """
                INSERT INTO photos (sha256, path, bytes, media_type, kept_at, kept_sha256) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (sha256) DO UPDATE SET path = excluded.path, kept_at = excluded.kept_at,
                    bytes = excluded.bytes, media_type = excluded.media_type, kept_sha256 = excluded.kept_sha256,
                    removed_at = NULL
                """,
            arguments: [
                photo.sha256, photo.path, photo.bytes, photo.mediaType, photo.keptAt.milliseconds, photo.keptSHA256,
            ])
    }

    static func photoRecord(_ row: Row) throws -> PhotoRecord {
        PhotoRecord(
            sha256: try row.text("sha256"), path: try row.text("path"), bytes: try row.integer("bytes"),
            mediaType: try row.text("media_type"), keptAt: try row.instant("kept_at"),
            keptSHA256: try row.optionalText("kept_sha256"))
    }
}
