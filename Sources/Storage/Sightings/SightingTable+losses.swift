import Enforcement
import Foundation
import GRDB

extension SyncCursor {
    /// What this post recorded after this moment, in milliseconds, was lost, as far as the server doesn't have it; see `SightingTable.noteLoss`.
    static let recordsLostFrom = "records_lost_from"

    /// And before this one.
    static let recordsLostUntil = "records_lost_until"
}

/// A box that lost its records can't say who passed meanwhile: nobody may be accused at the other post of not having come out.
extension SightingTable {
    /// Keeps that what was recorded here until now is gone, but for what is in this database.
    package func noteLoss(at now: Instant) throws {
        try write("Keeping that records were lost") { try Self.noteLoss($0, at: now) }
    }

    static func noteLoss(_ db: Database, at now: Instant) throws {
        // A backup holds all that was recorded up to the last moment that it knows of.
        let last = try Int64.fetchOne(
            db,
            cached: """
                SELECT max(at) FROM (SELECT max(watched_up_to) AS at FROM camera_watch
                    UNION ALL SELECT max(recorded_at) FROM passages WHERE recorded_at <= ?)
                """, arguments: [now.milliseconds])
        var from = min(last ?? 0, now.milliseconds)
        if let before = try lost(db), now - before.until < longestMattering {
            from = min(from, before.from.milliseconds)
        }
        for (name, value) in [
            (SyncCursor.recordsLostFrom, from), (SyncCursor.recordsLostUntil, now.milliseconds),
        ] { try CursorTable.setCursor(db, SyncCursor(name: name, value: value), at: now) }
    }

    /// Longer ago nobody waits for an exit any more.
    private static let longestMattering = TimeSpan.days(3)

    /// Every vehicle that is awaited is awaited for longer than this, on a road of two kilometres and more.
    private static let step = TimeSpan.minutes(10)

    /// So many leave room for what waits for review.
    private static let mostMoments = 100

    /// The disk that stands in is prepared once a minute, and the records end with the other one.
    private static let slack = TimeSpan.minutes(1)

    /// Moments at which anybody may have passed here, the newest first. They are told as vehicles that wait with nothing read of them.
    ///
    /// A post sends in order: what it recorded before the newest of its passages that came back from the server is there.
    static func momentsLost(_ db: Database, asOf: Instant) throws -> [WaitingSighting] {
        guard let lost = try lost(db), asOf - lost.until < longestMattering else { return [] }
        let back = try Int64.fetchOne(
            db,
            cached: """
                SELECT max(recorded_at) FROM passages
                WHERE recorded_at > ?1 AND recorded_at <= ?2 AND created_at <= ?2 AND server_id IS NOT NULL
                    AND clock_state <> 'untrusted' AND client_id IS NOT sms_client_id
                """, arguments: [lost.from.milliseconds, lost.until.milliseconds])
        let from = max(lost.from, Instant(milliseconds: back ?? 0))
        var moments: [Instant] = []
        var moment = min(lost.until + slack, asOf)
        while moment > from, moments.count < mostMoments {
            moments.append(moment)
            moment = moment - step
        }
        // A vehicle may have been awaited for a moment more.
        if moments.count < mostMoments, from < lost.until { moments.append(from + .milliseconds(1)) }
        return moments.map { WaitingSighting(seenAt: $0, plate: Plate(canonical: "")) }
    }

    private static func lost(_ db: Database) throws -> (from: Instant, until: Instant)? {
        func value(_ name: String) throws -> Instant? {
            try Int64.fetchOne(db, cached: "SELECT value FROM sync_cursors WHERE name = ?", arguments: [name])
                .map(Instant.init(milliseconds:))
        }
        guard let from = try value(SyncCursor.recordsLostFrom), let until = try value(SyncCursor.recordsLostUntil)
        else { return nil }
        return (from, until)
    }
}
