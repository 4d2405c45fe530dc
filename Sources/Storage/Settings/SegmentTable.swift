import Enforcement
import Foundation
import GRDB

/// The segment and its posts, as the server tells them.
package struct SegmentTable: Table {
    let store: Store
}

extension SegmentTable {
    /// Keeps what the server says of a segment and its posts. Both must have the server's ids.
    package func keep(_ segment: Segment, checkposts: [Checkpost], at now: Instant) throws {
        guard let segmentID = segment.id?.stored else {
            throw StoreError(.refused, "The segment \(segment.name) has no id from the server.")
        }
        try write("Storing the segment") { db in
            // A new speed by night takes no alert away of who passed while the road was closed.
            let known = try Row.fetchOne(
                db, cached: "SELECT hour_limits, hours_since FROM segments WHERE id = ?", arguments: [segmentID])
            let before = known.flatMap { try? Self.hours($0) }
            let isSame = before.map { Set($0.closed) == Set(segment.hourLimits.closed) } ?? false
            let since = try isSame ? known?.instant("hours_since") : nil
            try db.execute(
                cached: """
                    INSERT INTO segments (id, name, distance_km, max_speed_kmh, min_speed_kmh, tolerance_kmh,
                        tolerance_percent, type_speeds_kmh, hour_limits, hours_since, distance_certificate, updated_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET name = excluded.name, distance_km = excluded.distance_km,
                        max_speed_kmh = excluded.max_speed_kmh, min_speed_kmh = excluded.min_speed_kmh,
                        tolerance_kmh = excluded.tolerance_kmh, tolerance_percent = excluded.tolerance_percent,
                        type_speeds_kmh = excluded.type_speeds_kmh,
                        hour_limits = excluded.hour_limits, hours_since = excluded.hours_since,
                        distance_certificate = excluded.distance_certificate, updated_at = excluded.updated_at
                    """,
                arguments: [
                    segmentID, segment.name, segment.distanceKm, segment.maxSpeedKmh, segment.minSpeedKmh,
                    segment.toleranceKmh, segment.tolerancePercent, try segment.typeSpeeds.json,
                    try segment.hourLimits.json, (since ?? now).milliseconds, segment.distanceCertificate,
                    now.milliseconds,
                ])
            // Posts that swapped their ends would meet each other on the way: the old rows go first.
            try db.execute(cached: "DELETE FROM checkposts WHERE segment_id = ?", arguments: [segmentID])
            for checkpost in checkposts {
                // One that was made anew on another road has its code from there.
                try db.execute(cached: "DELETE FROM checkposts WHERE code = ?", arguments: [checkpost.code])
                guard let id = checkpost.id?.stored else {
                    throw StoreError(.refused, "The checkpost \(checkpost.code) has no id from the server.")
                }
                try db.execute(
                    cached: """
                        INSERT INTO checkposts (id, segment_id, code, name, position_index, updated_at)
                        VALUES (?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        id, segmentID, checkpost.code, checkpost.name, checkpost.positionIndex, now.milliseconds,
                    ])
            }
        }
    }

    /// Forgets what was told of other roads than this.
    package func forgetOthers(than segment: UUID) throws {
        try write("Forgetting other roads") { db in
            try db.execute(cached: "DELETE FROM checkposts WHERE segment_id <> ?", arguments: [segment.stored])
            try db.execute(cached: "DELETE FROM segments WHERE id <> ?", arguments: [segment.stored])
        }
    }

    /// The segment that a checkpost stands at, and all its posts, as the server told; nil when it has not.
    package func segment(ofCheckpost code: String) throws -> (segment: Segment, checkposts: [Checkpost])? {
        try read("Reading the segment") { db in
            let row = try Row.fetchOne(
                db,
                cached: "SELECT s.* FROM segments AS s JOIN checkposts AS c ON c.segment_id = s.id WHERE c.code = ?",
                arguments: [code])
            guard let row else { return nil }
            let (distance, most, least) = (
                try row.number("distance_km"), try row.number("max_speed_kmh"), try row.number("min_speed_kmh")
            )
            let (toleranceKmh, tolerancePercent) = (
                try row.number("tolerance_kmh"), try row.number("tolerance_percent")
            )
            guard let typeSpeeds = try? TypeSpeeds(json: try row.text("type_speeds_kmh")) else {
                throw StoreError(.corrupt, "The segment on record has limits of vehicle types that are none.")
            }
            let hourLimits = try Self.hours(row)
            if let problem = Segment.problem(
                distanceKm: distance, maxSpeedKmh: most, minSpeedKmh: least, toleranceKmh: toleranceKmh,
                tolerancePercent: tolerancePercent, typeSpeeds: typeSpeeds, hourLimits: hourLimits)
            {
                throw StoreError(.corrupt, "The segment on record makes none. \(problem)")
            }
            let segment = Segment(
                id: try row.uuid("id"), name: try row.text("name"), distanceKm: distance, maxSpeedKmh: most,
                minSpeedKmh: least, toleranceKmh: toleranceKmh, tolerancePercent: tolerancePercent,
                typeSpeeds: typeSpeeds, hourLimits: hourLimits, distanceCertificate: row["distance_certificate"])
            let checkposts = try Row.fetchAll(
                db, cached: "SELECT * FROM checkposts WHERE segment_id = ? ORDER BY position_index",
                arguments: [try row.text("id")]
            ).map {
                Checkpost(
                    id: try $0.uuid("id"), code: try $0.text("code"), name: try $0.text("name"),
                    positionIndex: try $0.integer("position_index"))
            }
            return (segment, checkposts)
        }
    }

    /// What the server told of the hours of a post's road, and since when this box knows it; nil while it has told of no road.
    package func hours(ofCheckpost code: String) throws -> (limits: HourLimits, since: Instant)? {
        try read("Reading the hours of the road") { db in
            let row = try Row.fetchOne(
                db,
                cached: """
                    SELECT s.hour_limits, s.hours_since FROM segments AS s JOIN checkposts AS c ON c.segment_id = s.id
                    WHERE c.code = ?
                    """, arguments: [code])
            return try row.map { (try Self.hours($0), try $0.instant("hours_since")) }
        }
    }

    private static func hours(_ row: Row) throws -> HourLimits {
        guard let limits = try? HourLimits(json: try row.text("hour_limits")) else {
            throw StoreError(.corrupt, "The segment on record has limits by hours that are none.")
        }
        return limits
    }
}
