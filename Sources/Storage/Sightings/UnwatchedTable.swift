import Enforcement
import Foundation
import GRDB

extension SyncCursor {
    /// That a box has run with this database.
    static let boxHasRun = "box_has_run"
}

/// When nobody knows who passed this post: a camera was dead, the box had no power, or its records are lost. Nobody may be accused at the
/// other post, without a doubt, of not having come out then.
package struct UnwatchedTable: Table {
    let store: Store
}

extension UnwatchedTable {
    /// A camera that gave nothing for less is not told of: too few vehicles pass in it to doubt every alert for them. A camera's mark is
    /// behind by a minute, and a box that begins anew needs another.
    package static let leastGap = TimeSpan.minutes(3)

    /// As long as the server asks once more about an alert's doubts.
    private static let longestMattering = TimeSpan.days(30)

    /// The newest count: whoever came before them may have left in any of them.
    private static let mostTold = 20

    // MARK: Lost records

    /// Keeps that what was recorded here until a camera watches again is gone, but for what is in this database. Whether what the server
    /// has of this post is all that there was nobody knows: what waited for review was never sent.
    static func noteLoss(_ db: Database, at now: Instant) throws {
        // A backup holds all that was recorded up to the last moment that it knows of.
        let last = try Int64.fetchOne(
            db,
            cached: """
                SELECT max(at) FROM (SELECT max(watched_up_to) AS at FROM camera_watch WHERE watched_up_to <= ?1
                    UNION ALL SELECT max(recorded_at) FROM passages WHERE recorded_at <= ?1 AND clock_state <> 'untrusted')
                """, arguments: [now.milliseconds])
        // One that goes on since the loss before is the same.
        let before = try Int64.fetchOne(db, cached: "SELECT min(started_at) FROM unwatched WHERE ended_at IS NULL")
        try db.execute(cached: "DELETE FROM unwatched WHERE ended_at IS NULL")
        try db.execute(
            cached: "INSERT INTO unwatched (camera, started_at, noted_at) VALUES (NULL, ?, ?)",
            arguments: [min(last ?? 0, before ?? .max), now.milliseconds])
    }

    /// A box begins with this database. One that nothing was recorded in may be that of a new disk in a box that has been here for long.
    package func noteRun(at now: Instant) throws {
        try write("Keeping that the box runs") { db in
            guard try CursorTable.value(db, SyncCursor.boxHasRun) == nil else { return }
            let isEmpty = try Bool.fetchOne(
                db,
                cached: "SELECT NOT EXISTS (SELECT 1 FROM passages) AND NOT EXISTS (SELECT 1 FROM camera_watch)")
            if isEmpty == true { try Self.noteLoss(db, at: now) }
            try CursorTable.setCursor(db, SyncCursor(name: SyncCursor.boxHasRun, value: 1), at: now)
        }
    }

    // MARK: Cameras

    /// A camera watches: who passes from now on is known. A picture may be of long ago, or of a time to come.
    ///
    /// Where the mark before is old, nothing came from the camera since, or it could not be written, or nobody knew the time.
    static func watch(_ db: Database, _ camera: String, _ watch: FrameCommit.Watch, at now: Instant) throws {
        let moment = watch.upTo.milliseconds
        let before = try Int64.fetchOne(
            db, cached: "SELECT watched_up_to FROM camera_watch WHERE camera = ? AND is_live = 1", arguments: [camera])
        if watch.isLive, let before, moment - before > leastGap.milliseconds {
            try db.execute(
                cached: "INSERT INTO unwatched (camera, started_at, noted_at, ended_at) VALUES (?1, ?2, ?3, ?4)",
                arguments: [camera, before, now.milliseconds, moment])
            try db.execute(
                cached: "DELETE FROM unwatched WHERE ended_at < ?",
                arguments: [moment - longestMattering.milliseconds])
        }
        try db.execute(
            cached: """
                INSERT INTO camera_watch (camera, watched_up_to, is_live) VALUES (?, ?, ?)
                ON CONFLICT (camera) DO UPDATE SET watched_up_to = excluded.watched_up_to, is_live = excluded.is_live
                """, arguments: [camera, moment, watch.isLive])
        try db.execute(
            cached:
                "UPDATE unwatched SET ended_at = max(min(max(?1, noted_at), ?2), started_at) WHERE ended_at IS NULL",
            arguments: [moment, max(now.milliseconds, 0)])
    }

    // MARK: Telling

    /// What is told, the newest first.
    ///
    /// - Parameter cameras: those that the post has: one that gives nothing now is told of, too.
    static func toTell(_ db: Database, cameras: [String], asOf: Instant) throws -> [WaitingSighting] {
        var stretches = try Row.fetchAll(
            db,
            cached: """
                SELECT started_at, ended_at FROM unwatched WHERE ended_at IS NULL OR ended_at BETWEEN ? AND ?
                ORDER BY ended_at IS NULL DESC, ended_at DESC LIMIT ?
                """,
            arguments: [asOf.milliseconds - longestMattering.milliseconds + 1, asOf.milliseconds, mostTold]
        ).map { row in
            let start = try row.instant("started_at")
            return WaitingSighting.unwatched(
                from: start, until: try row.optionalInstant("ended_at") ?? upToNow(from: start, asOf))
        }
        for camera in cameras {
            let watched = try Int64.fetchOne(
                db, cached: "SELECT watched_up_to FROM camera_watch WHERE camera = ? AND is_live = 1",
                arguments: [camera])
            if let watched, asOf.milliseconds - watched > leastGap.milliseconds {
                let start = Instant(milliseconds: watched)
                stretches.append(.unwatched(from: start, until: upToNow(from: start, asOf)))
            }
        }
        return Array(stretches.sorted { $0.seenAt > $1.seenAt }.prefix(mostTold))
    }

    /// By a grid: what is told is not another one at every moment.
    private static func upToNow(from start: Instant, _ asOf: Instant) -> Instant {
        let even = Instant(milliseconds: asOf.milliseconds / leastGap.milliseconds * leastGap.milliseconds)
        return even > start ? even : asOf
    }
}
