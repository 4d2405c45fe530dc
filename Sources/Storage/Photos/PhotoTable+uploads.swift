import Enforcement
import Foundation
import GRDB

/// A photo that the server shall get, under its passage's id there.
package struct PhotoUpload: Sendable, Equatable {
    package enum Status: String, Sendable, Codable, CaseIterable {
        case pending
        case uploaded
        case failed
    }

    package var passageClientID: UUID

    /// The name it gets at the server; nil until its passage is there.
    package var passageServerID: UUID?
    package var photo: PhotoRecord
    package var status: Status
    package var attempts: Int
    package var lastAttemptAt: Instant?
    package var lastError: String?
    /// The server refuses this photo: it is sent again only when a person asks for it.
    package var isRefused = false
}

extension PhotoTable {
    /// Photos that wait for their upload and whose passage is at the server, the oldest passage first.
    ///
    /// - Parameter isScarce: the link carries less than there is: those of violations first, then the newest.
    package func dueUploads(limit: Int = 10, isScarce: Bool = false) throws -> [PhotoUpload] {
        let order =
            isScarce
            ? """
            EXISTS (SELECT 1 FROM violations AS v WHERE v.own_client_id = p.client_id) DESC, p.recorded_at DESC, p.client_id
            """ : "p.recorded_at, p.client_id"
        return try read("Reading the photos to upload") { db in
            try Row.fetchAll(
                db,
                composed: """
                    \(Self.uploadQuery) WHERE u.status = 'pending' AND p.server_id IS NOT NULL
                    ORDER BY \(order) LIMIT ?
                    """, arguments: [limit]
            ).map(Self.photoUpload)
        }
    }

    /// The upload of a passage's photo; nil when it has none.
    package func upload(ofPassage clientID: UUID) throws -> PhotoUpload? {
        try read("Reading a photo to upload") { db in
            try Row.fetchOne(
                db, composed: "\(Self.uploadQuery) WHERE u.passage_client_id = ?", arguments: [clientID.stored]
            ).map(Self.photoUpload)
        }
    }

    private static let uploadQuery = """
        SELECT u.*, p.server_id, f.path, f.bytes, f.media_type, f.kept_at, f.kept_sha256
        FROM photo_uploads AS u
        JOIN passages AS p ON p.client_id = u.passage_client_id
        JOIN photos AS f ON f.sha256 = u.sha256 AND f.removed_at IS NULL
        """

    private static func photoUpload(_ row: Row) throws -> PhotoUpload {
        PhotoUpload(
            passageClientID: try row.uuid("passage_client_id"), passageServerID: try row.optionalUUID("server_id"),
            photo: try photoRecord(row), status: try row.choice("status"), attempts: try row.integer("attempts"),
            lastAttemptAt: try row.optionalInstant("last_attempt_at"), lastError: try row.optionalText("last_error"),
            isRefused: try row.flag("is_refused"))
    }

    /// Writes what may change of an upload: status, attempts, time and error.
    ///
    /// - Parameter photoPath: what the server's row names the photo by, kept with the passage in the same transaction.
    package func update(_ upload: PhotoUpload, photoPath: String? = nil) throws {
        try write("Updating a photo's upload") { db in
            try db.execute(
                cached: """
                    UPDATE photo_uploads SET status = ?, attempts = ?, last_attempt_at = ?, last_error = ?,
                        is_refused = ? WHERE passage_client_id = ?
                    """,
                arguments: [
                    upload.status.rawValue, upload.attempts, upload.lastAttemptAt?.milliseconds, upload.lastError,
                    upload.isRefused, upload.passageClientID.stored,
                ])
            guard db.changesCount == 1 else {
                throw StoreError(.unknown, "There is no photo to upload for \(upload.passageClientID.stored).")
            }
            guard let photoPath else { return }
            try db.execute(
                cached: "UPDATE passages SET photo_path = ? WHERE client_id = ?",
                arguments: [photoPath, upload.passageClientID.stored])
        }
    }

    /// Photos that failed are tried again; those that the server refused only when it is asked for.
    ///
    /// - Returns: how many.
    @discardableResult
    package func reviveFailed(refusedToo: Bool = false) throws -> Int {
        try write("Reviving photos") { db in
            try db.execute(
                cached: """
                    UPDATE photo_uploads SET status = 'pending', attempts = 0
                    WHERE status = 'failed' AND (? OR is_refused = 0)
                    """, arguments: [refusedToo])
            return db.changesCount
        }
    }

    /// Why the photo that was tried last is not at the server; nil when none failed.
    package func lastFailure() throws -> String? {
        try read("Reading the photos to upload") { db in
            try String.fetchOne(
                db,
                cached: """
                    SELECT coalesce(last_error, 'for no reason that is known') FROM photo_uploads WHERE status = 'failed'
                    ORDER BY last_attempt_at DESC LIMIT 1
                    """)
        }
    }

    /// How many photos have each state.
    package func counts() throws -> [PhotoUpload.Status: Int] {
        try read("Counting photos") { db in
            var counts = Dictionary(uniqueKeysWithValues: PhotoUpload.Status.allCases.map { ($0, 0) })
            for row in try Row.fetchAll(db, cached: "SELECT status, count(*) AS n FROM photo_uploads GROUP BY status") {
                counts[try row.choice("status")] = try row.integer("n")
            }
            return counts
        }
    }

    /// Of passages without a photo at the server those whose photo it was given, and that is here still.
    package func lost(among ids: [UUID]) throws -> [UUID] {
        try read("Looking up photos") { db in
            try ids.filter { id in
                try Bool.fetchOne(
                    db,
                    cached: """
                        SELECT EXISTS (SELECT 1 FROM passages AS p JOIN photos AS f ON f.sha256 = p.photo_sha256
                            WHERE p.client_id = ? AND p.photo_path IS NOT NULL AND p.withdrawn_at IS NULL
                                AND f.removed_at IS NULL)
                        """, arguments: [id.stored]) == true
            }
        }
    }
}
