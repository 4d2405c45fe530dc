import Enforcement
import Foundation
import GRDB

/// A plate that a ranger confirmed or corrected, and where it stands in its photo: what a reader can be taught with.
package struct TaughtPlate: Sendable, Equatable {
    /// The passage as it is now; its plate is what the ranger said.
    package var passage: Passage

    /// Whether the ranger changed what was read.
    package var isCorrected: Bool

    /// When the ranger said it last.
    package var taughtAt: Instant

    /// What the reader saw; its box is the plate's place in the photo. Nil for a passage that was typed, not seen.
    package var reading: PlateReading?

    /// Nil when the photo is gone, or was never kept.
    package var photo: PhotoRecord?
}

extension PassageTable {
    /// The plates that rangers of this post confirmed in a review or corrected later, the oldest word first.
    ///
    /// What the camera recorded by itself is none of them, however sure it was: a reader would learn its own mistakes.
    /// Withdrawn passages are left out.
    ///
    /// - Parameters:
    ///   - since: only what was said at this moment or later.
    ///   - checkpostCode: only passages of this post.
    package func taught(since: Instant? = nil, checkpostCode: String) throws -> [TaughtPlate] {
        let corrected: SQL = """
            (SELECT max(at) FROM passage_corrections AS c
                WHERE c.passage_client_id = p.client_id AND c.kind = 'corrected')
            """
        let query: SQL = """
            SELECT * FROM (
                SELECT p.*, s.reading AS s_reading, s.plate_compact AS s_plate, f.path, f.bytes, f.media_type, f.kept_at,
                    f.sha256, \(corrected) AS corrected_at,
                    max(coalesce(s.decided_at, p.created_at), coalesce(\(corrected), 0)) AS taught_at
                FROM passages AS p
                LEFT JOIN sightings AS s ON s.passage_client_id = p.client_id
                LEFT JOIN photos AS f ON f.sha256 = p.photo_sha256
                WHERE p.withdrawn_at IS NULL AND p.checkpost_code = \(checkpostCode)
            ) AS taught
            WHERE (origin IN ('review', 'manual') OR corrected_at IS NOT NULL)
                AND taught_at >= \(since?.milliseconds ?? 0)
            ORDER BY taught_at, client_id LIMIT \(Self.maximumTaught)
            """
        return try read("Reading what rangers taught") { db in
            try SQLRequest<Row>(literal: query).fetchAll(db).map(Self.taughtPlate)
        }
    }

    /// The posts whose passages are on record here: one, but for a database that several replays wrote.
    package func checkpostCodes() throws -> [String] {
        try read("Reading the posts") {
            try String.fetchAll($0, cached: "SELECT DISTINCT checkpost_code FROM passages ORDER BY 1")
        }
    }

    /// Years of a post's reviews; more are exported in two calls.
    static let maximumTaught = 200_000

    private static func taughtPlate(_ row: Row) throws -> TaughtPlate {
        let reading = try row.optionalText("s_reading").map {
            try JSONDecoder().decode(PlateReading.self, from: Data($0.utf8))
        }
        let passage = try row.passage()
        let wasReadOtherwise = try row.optionalText("s_plate").map { $0 != passage.plate.compact } ?? false
        return TaughtPlate(
            passage: passage, isCorrected: try row.optionalInstant("corrected_at") != nil || wasReadOtherwise,
            taughtAt: try row.instant("taught_at"), reading: reading,
            photo: try row.optionalText("path") == nil ? nil : PhotoTable.photoRecord(row))
    }
}
