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

    /// More are not kept.
    private static let mostKept = 1000

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

    /// A box has these cameras, by a clock that can be believed. One that is none of them any more gives nothing: when it was dead is kept now,
    /// or it would be never. One that is back after a while is as a new one.
    ///
    /// - Parameter live: those of them that are silent only when they are dead. One that never gave a picture is awaited from now on.
    package func noteCameras(live: [String], at now: Instant) throws {
        try write("Keeping which cameras watch") { db in
            for row in try Row.fetchAll(db, cached: "SELECT camera, watched_up_to FROM camera_watch WHERE is_live = 1")
            {
                let (camera, watched) = (try row.text("camera"), try row.instant("watched_up_to"))
                // By a clock that is behind nothing can be said yet.
                guard !live.contains(camera), now >= watched else { continue }
                if now - watched > Self.leastGap { try Self.keep(db, camera, from: watched, until: now, at: now) }
                try db.execute(cached: "UPDATE camera_watch SET is_live = 0 WHERE camera = ?", arguments: [camera])
            }
            for camera in live {
                try db.execute(
                    cached: """
                        INSERT INTO camera_watch (camera, watched_up_to, is_live) VALUES (?, ?, 1)
                        ON CONFLICT (camera) DO UPDATE SET is_live = 1, watched_up_to =
                            CASE WHEN is_live = 0 AND stretch IS NOT NULL THEN excluded.watched_up_to ELSE watched_up_to END
                        """, arguments: [camera, now.milliseconds])
            }
        }
    }

    private static func keep(
        _ db: Database, _ camera: String, from start: Instant, until end: Instant, at now: Instant
    ) throws {
        try db.execute(
            cached: "INSERT INTO unwatched (camera, started_at, noted_at, ended_at) VALUES (?, ?, ?, ?)",
            arguments: [camera, start.milliseconds, now.milliseconds, end.milliseconds])
        try db.execute(
            cached: "DELETE FROM unwatched WHERE id <= ? AND ended_at IS NOT NULL",
            arguments: [db.lastInsertedRowID - Int64(mostKept)])
    }

    /// A camera watches: who passes from now on is known. A picture may be of long ago, or of a time to come.
    static func watch(_ db: Database, _ camera: String, _ watch: FrameCommit.Watch, at now: Instant) throws {
        let moment = watch.upTo.milliseconds
        let known = try Row.fetchOne(
            db, cached: "SELECT watched_up_to, stretch FROM camera_watch WHERE camera = ? AND is_live = 1",
            arguments: [camera])
        let stretch = watch.stretch
        // Of the same stretch it has watched since, whatever the clocks showed meanwhile and whether it could be written.
        if let known, let stretch, try known.optionalText("stretch") != stretch.id.stored {
            let before = try known.instant("watched_up_to")
            if stretch.start - before > leastGap {
                try keep(db, camera, from: before, until: stretch.start, at: now)
            }
        }
        try db.execute(
            cached: """
                INSERT INTO camera_watch (camera, watched_up_to, is_live, stretch) VALUES (?, ?, ?, ?)
                ON CONFLICT (camera) DO UPDATE SET watched_up_to = excluded.watched_up_to, is_live = excluded.is_live,
                    stretch = excluded.stretch
                """, arguments: [camera, moment, stretch != nil, stretch?.id.stored])
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
        let oldest = asOf - longestMattering
        var stretches = try Row.fetchAll(
            db,
            cached: """
                SELECT started_at, ended_at FROM unwatched WHERE started_at < ? AND (ended_at IS NULL OR ended_at > ?)
                ORDER BY ended_at IS NULL DESC, ended_at DESC LIMIT ?
                """,
            arguments: [asOf.milliseconds, oldest.milliseconds, mostKept]
        ).map { row in
            let start = try row.instant("started_at")
            let end = try row.optionalInstant("ended_at") ?? upToNow(from: start, asOf)
            return (start: start, end: min(end, asOf))
        }
        for camera in cameras {
            let watched = try Int64.fetchOne(
                db, cached: "SELECT watched_up_to FROM camera_watch WHERE camera = ? AND is_live = 1",
                arguments: [camera])
            if let watched, asOf.milliseconds - watched > leastGap.milliseconds {
                let start = Instant(milliseconds: watched)
                stretches.append((start, upToNow(from: start, asOf)))
            }
        }
        // Of several cameras, and of lost records, they are of the same time.
        let merged = stretches.sorted { $0.start < $1.start }.reduce(into: [(start: Instant, end: Instant)]()) {
            if let last = $0.last, $1.start <= last.end {
                $0[$0.count - 1].end = max(last.end, $1.end)
            } else {
                $0.append($1)
            }
        }
        return merged.sorted { $0.end > $1.end }.prefix(mostTold).map {
            .unwatched(from: max($0.start, $0.end - longestMattering), until: $0.end)
        }
    }

    /// By a grid: what is told is not another one at every moment.
    private static func upToNow(from start: Instant, _ asOf: Instant) -> Instant {
        let even = Instant(milliseconds: asOf.milliseconds / leastGap.milliseconds * leastGap.milliseconds)
        return even > start ? even : asOf
    }
}
