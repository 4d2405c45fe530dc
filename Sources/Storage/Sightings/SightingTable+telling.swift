import Enforcement
import GRDB

extension SightingTable {
    /// What this post tells the other one: the vehicles that wait for review here and those still in view, the newest.
    ///
    /// - Parameter asOf: what is on the disk by then.
    package func reviewsToTell(asOf: Instant) throws -> OtherPost.Reviews {
        try read("Reading what waits for review") { db in
            let waiting = try Row.fetchAll(
                db,
                cached: """
                    SELECT best_recorded_at, json_extract(reading, '$.plate') AS plate FROM sightings
                    WHERE state IN ('open', 'review') ORDER BY first_seen_at DESC LIMIT ?
                    """, arguments: [OtherPost.Reviews.most]
            ).map {
                WaitingSighting(
                    seenAt: try $0.instant("best_recorded_at"),
                    plate: Plate(canonical: try $0.optionalText("plate") ?? ""))
            }
            return OtherPost.Reviews(asOf: asOf, waiting: waiting)
        }
    }
}
