import Enforcement
import GRDB

/// On which way one post tells the other.
package enum TellingWay: Sendable {
    /// Through the server: it has what was sent.
    case server
    /// In a file, which has every passage.
    case file
}

extension SightingTable {
    /// What this post tells the other one: when nobody watched, the vehicles that wait for review here and those still in view, the newest;
    /// and up to when all that its cameras saw is there.
    ///
    /// - Parameters:
    ///   - asOf: what is on the disk by then.
    ///   - cameras: the post's cameras by their names; without any nobody can say up to when the road was watched.
    package func reviewsToTell(asOf: Instant, cameras: [String] = [], by way: TellingWay) throws -> OtherPost.Reviews {
        try read("Reading what waits for review") { db in
            let waiting = try Row.fetchAll(
                db, cached: way == .server ? Self.waitingHere : Self.waitingForReview,
                arguments: [OtherPost.Reviews.most]
            ).map {
                WaitingSighting(
                    seenAt: try $0.instant("seen_at"), plate: Plate(canonical: try $0.optionalText("plate") ?? ""))
            }
            let unwatched = try UnwatchedTable.toTell(db, cameras: cameras, asOf: asOf)
            return OtherPost.Reviews(
                asOf: asOf, waiting: unwatched + waiting.prefix(OtherPost.Reviews.most - unwatched.count),
                completeUpTo: try Self.completeUpTo(db, cameras, by: way, asOf: asOf))
        }
    }

    private static let waitingForReview: StaticString = """
        SELECT best_recorded_at AS seen_at, json_extract(reading, '$.plate') AS plate FROM sightings
        WHERE state IN ('open', 'review') ORDER BY seen_at DESC LIMIT ?
        """

    /// With the passages that the server doesn't take: there they wait for somebody's word like a sighting in review.
    private static let waitingHere: StaticString = """
        SELECT best_recorded_at AS seen_at, json_extract(reading, '$.plate') AS plate FROM sightings
        WHERE state IN ('open', 'review')
        UNION ALL
        SELECT p.recorded_at, p.plate FROM sync_queue AS q JOIN passages AS p ON p.client_id = q.passage_client_id
        WHERE q.status = 'failed' AND q.entity = 'passage' AND q.set_aside IS NOT 'deleted_there'
            AND p.server_id IS NULL AND p.withdrawn_at IS NULL
        ORDER BY seen_at DESC LIMIT ?
        """

    /// Nil while a camera has not watched, a passage on a clock that was wrong waits, or the server has lost records.
    private static func completeUpTo(
        _ db: Database, _ cameras: [String], by way: TellingWay, asOf: Instant
    ) throws -> Instant? {
        var moments = [asOf.milliseconds]
        for camera in cameras {
            guard
                let watched = try Int64.fetchOne(
                    db, cached: "SELECT watched_up_to FROM camera_watch WHERE camera = ?", arguments: [camera])
            else { return nil }
            moments.append(watched)
        }
        guard moments.count > 1 else { return nil }
        // What is still to be put right may have been at any time.
        if way == .file, try ClockTable.hasUnsettled(db) { return nil }
        if way == .server {
            let hasLost = try Bool.fetchOne(
                db, cached: "SELECT EXISTS (SELECT 1 FROM sync_cursors WHERE name IN (?, ?))",
                arguments: [SyncCursor.lostRecords, SyncCursor.serverWentBack])
            let unsent = try Row.fetchOne(
                db,
                cached: """
                    SELECT min(p.recorded_at) AS oldest, max(p.clock_state = 'untrusted') AS is_uncertain
                    FROM sync_queue AS q JOIN passages AS p ON p.client_id = q.passage_client_id
                    WHERE q.status IN ('pending', 'in_flight') AND q.entity IN ('passage', 'correction')
                    """)
            if hasLost == true || unsent?["is_uncertain"] == true { return nil }
            if let oldest = unsent?["oldest"] as Int64? { moments.append(oldest - 1) }
        }
        return moments.min().map(Instant.init(milliseconds:))
    }
}
