import Enforcement
import Foundation
import GRDB

extension SyncCursor {
    /// What this post recorded after this moment, in milliseconds, may be lost; see `LossTable`.
    static let recordsLostFrom = "records_lost_from"

    /// And before this one; below zero until a camera has watched since, by a clock that can be believed.
    static let recordsLostUntil = "records_lost_until"

    /// That a box has run with this database.
    static let boxHasRun = "box_has_run"
}

/// A box that lost its records can't say who passed meanwhile: nobody may be accused at the other post of not having come out.
package struct LossTable: Table {
    let store: Store
}

extension LossTable {
    /// Keeps that what was recorded here until a camera watches again is gone, but for what is in this database. Whether what the server
    /// has of this post is all that there was nobody knows: what waited for review was never sent.
    static func note(_ db: Database, at now: Instant) throws {
        // A backup holds all that was recorded up to the last moment that it knows of.
        let last = try Int64.fetchOne(
            db,
            cached: """
                SELECT max(at) FROM (SELECT max(watched_up_to) AS at FROM camera_watch WHERE watched_up_to <= ?1
                    UNION ALL SELECT max(recorded_at) FROM passages WHERE recorded_at <= ?1 AND clock_state <> 'untrusted')
                """, arguments: [now.milliseconds])
        // Of two losses shortly after one another the first one's beginning counts: how much there was between them is not asked.
        let formerUntil = try CursorTable.value(db, SyncCursor.recordsLostUntil)
        let isClose = formerUntil.map { $0 < 0 || (last ?? 0) - $0 < longestReach.milliseconds } ?? false
        let before = try isClose ? CursorTable.value(db, SyncCursor.recordsLostFrom) : nil
        let from = [last ?? 0, before].compactMap(\.self).min() ?? 0
        for (name, value) in [(SyncCursor.recordsLostFrom, from), (SyncCursor.recordsLostUntil, -1)] {
            try CursorTable.setCursor(db, SyncCursor(name: name, value: value), at: now)
        }
    }

    /// A box begins with this database. One that nothing was recorded in may be that of a new disk in a box that has been here for long.
    package func noteRun(at now: Instant) throws {
        try write("Keeping that the box runs") { db in
            guard try CursorTable.value(db, SyncCursor.boxHasRun) == nil else { return }
            let isEmpty = try Bool.fetchOne(
                db,
                cached: "SELECT NOT EXISTS (SELECT 1 FROM passages) AND NOT EXISTS (SELECT 1 FROM camera_watch)")
            if isEmpty == true { try Self.note(db, at: now) }
            try CursorTable.setCursor(db, SyncCursor(name: SyncCursor.boxHasRun, value: 1), at: now)
        }
    }

    /// A camera watches: who passes from now on is known. A picture may be of long ago, or of a time to come.
    static func end(_ db: Database, watchedUpTo moment: Instant, at now: Instant) throws {
        try db.execute(
            cached: "UPDATE sync_cursors SET value = min(max(?1, updated_at), ?2) WHERE name = ?3 AND value < 0",
            arguments: [moment.milliseconds, max(now.milliseconds, 0), SyncCursor.recordsLostUntil])
    }

    /// As long as the server asks once more about an alert's doubts.
    private static let longestMattering = TimeSpan.days(30)

    /// Longer before the loss nobody was awaited any more.
    private static let longestReach = TimeSpan.hours(48)

    /// So many leave room for what waits for review.
    private static let mostMoments = 100

    /// While the road is not known.
    private static let leastStep = TimeSpan.minutes(10)

    /// Moments at which anybody may have passed here, the newest first. They are told as vehicles that wait, with a gap for a plate: every
    /// vehicle that is awaited has one of them in its time, if it may have passed then.
    static func moments(_ db: Database, asOf: Instant) throws -> [WaitingSighting] {
        guard let lostFrom = try CursorTable.value(db, SyncCursor.recordsLostFrom),
            let lostUntil = try CursorTable.value(db, SyncCursor.recordsLostUntil)
        else { return [] }
        let step = try step(db)
        // As long as it goes on, by a grid: what is told is not another one at every moment.
        let grid = step.milliseconds
        let until = lostUntil < 0 ? asOf.milliseconds / grid * grid : lostUntil
        guard asOf.milliseconds - until < longestMattering.milliseconds else { return [] }
        let first = max(lostFrom, until - longestReach.milliseconds) + 1
        let moments = stride(from: until, to: first, by: -Int(grid)).prefix(mostMoments - 1) + [first]
        return moments.filter { $0 <= asOf.milliseconds }.map {
            WaitingSighting(seenAt: Instant(milliseconds: $0), plate: Plate(canonical: "\(Plate.gap)"))
        }
    }

    /// No vehicle is awaited for less than this.
    private static func step(_ db: Database) throws -> TimeSpan {
        let stays = try Row.fetchAll(
            db,
            cached: "SELECT distance_km, max_speed_kmh, min_speed_kmh, tolerance_kmh, tolerance_percent FROM segments"
        ).map { road in
            Segment(
                name: "", distanceKm: try road.number("distance_km"), maxSpeedKmh: try road.number("max_speed_kmh"),
                minSpeedKmh: try road.number("min_speed_kmh"), toleranceKmh: try road.number("tolerance_kmh"),
                tolerancePercent: try road.number("tolerance_percent")
            ).longestTravelTime
        }
        guard let shortest = stays.min() else { return leastStep }
        return min(max(.minutes(1), .milliseconds(shortest.milliseconds - 60_000)), .hours(24))
    }
}
