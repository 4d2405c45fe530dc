import Enforcement
import GRDB

/// How events of a trigger find their vehicles.
package struct TriggerSearch: Sendable, Equatable {
    /// Whose vehicles pass the trigger; nil for those of all cameras.
    package var camera: String?

    /// So long before or after an event its vehicle is before the camera.
    package var window: TimeSpan

    /// A ranger writes a vehicle down so long after it was there.
    package var writtenDownAfter = TimeSpan.minutes(3)

    package init(camera: String? = nil, window: TimeSpan) {
        self.camera = camera
        self.window = window
    }
}

extension TriggerTable {
    /// Events that are looked at together.
    static let page = 200

    /// Looks for the vehicles of events that have none. An event that was looked at is settled; a vehicle that goes on record later, since
    /// its picture waited or a ranger wrote it down, is found when the span is gone through once more.
    ///
    /// - Parameter until: later events may find another vehicle yet.
    /// - Returns: how many found theirs.
    @discardableResult
    package func pair(_ search: TriggerSearch, from: Instant, until: Instant) throws -> Int {
        var (count, after) = (0, (at: from.milliseconds, row: Int64(-1)))
        let around = TimeSpan.milliseconds(2 * search.window.milliseconds)
        while true {
            let (events, vehicles) = try read("Looking for the vehicles of events") {
                db -> ([Row], [TriggerPairing.Vehicle]) in
                let events = try Row.fetchAll(
                    db,
                    cached: """
                        SELECT rowid AS row, at, is_settled FROM trigger_events
                        WHERE (sighting_id IS NULL OR sighting_id IN (SELECT id FROM sightings WHERE state = 'discarded'))
                            AND (at, rowid) > (?, ?) AND at < ? ORDER BY at, rowid LIMIT ?
                        """, arguments: [after.at, after.row, (until + around).milliseconds, Self.page])
                guard let first = events.first, let last = events.last else { return (events, []) }
                return (
                    events, try Self.vehicles(db, search, from: try first.instant("at"), until: try last.instant("at"))
                )
            }
            guard let last = events.last else { return count }
            let isEnd = events.count < Self.page
            // What comes just after has a say in which vehicle is whose, and is decided on with the next page or the next look.
            let moments = try events.map { try $0.instant("at") }
            let before = isEnd ? until : min(until, try last.instant("at") - around)
            let sure = moments.prefix { $0 < before }.count
            // So many at once that the page holds nothing else: a loop that chatters.
            let decided = sure == 0 && !isEnd && moments[0] < until ? moments.prefix { $0 < until }.count : sure
            guard decided > 0 else { return count }
            let rows = try events.prefix(decided).map { try $0.decode(Int64.self, forColumn: "row") }
            let pairs = TriggerPairing.pairs(moments, vehicles).filter { $0.event < decided }
            if try !pairs.isEmpty || events.prefix(decided).contains(where: { try !$0.flag("is_settled") }) {
                count += try write("Noting the vehicles of events") { db in
                    for row in rows {
                        try db.execute(
                            cached: "UPDATE trigger_events SET is_settled = 1 WHERE rowid = ? AND is_settled = 0",
                            arguments: [row])
                    }
                    return try pairs.count { pair in
                        try db.execute(
                            cached: """
                                UPDATE trigger_events SET sighting_id = ?1 WHERE rowid = ?2 AND (sighting_id IS NULL
                                        OR sighting_id IN (SELECT id FROM sightings WHERE state = 'discarded'))
                                    AND EXISTS (SELECT 1 FROM sightings WHERE id = ?1)
                                """, arguments: [pair.vehicle, rows[pair.event]])
                        return db.changesCount == 1
                    }
                }
            }
            guard !isEnd else { return count }
            after = (moments[decided - 1].milliseconds, rows[decided - 1])
        }
    }

    /// Vehicles that are no event's yet: on record, in review, or in view.
    private static func vehicles(
        _ db: Database, _ search: TriggerSearch, from: Instant, until: Instant
    ) throws -> [TriggerPairing.Vehicle] {
        let (window, late) = (search.window, search.writtenDownAfter)
        let prefix = ManualReview.cameraPrefix
        return try Row.fetchAll(
            db,
            cached: """
                SELECT s.id, s.camera, s.first_seen_at, s.last_seen_at, s.best_recorded_at FROM (
                    SELECT s.* FROM passages AS p JOIN sightings AS s ON s.passage_client_id = p.client_id
                    WHERE p.recorded_at BETWEEN ?1 AND ?2
                    UNION ALL
                    SELECT * FROM sightings WHERE state IN ('open', 'review') AND first_seen_at BETWEEN ?1 AND ?2
                ) AS s WHERE (?3 IS NULL OR s.camera IN (?3, ?4 || ?3, ?4))
                    AND NOT EXISTS (SELECT 1 FROM trigger_events AS e WHERE e.sighting_id = s.id)
                ORDER BY s.best_recorded_at LIMIT ?5
                """,
            arguments: [
                (from - window - .minutes(10)).milliseconds, (until + window + late).milliseconds, search.camera,
                prefix,
                4 * page,
            ]
        ).map { row in
            let seen = try row.instant("best_recorded_at")
            let isWritten = try row.text("camera").hasPrefix(prefix)
            return TriggerPairing.Vehicle(
                id: try row.text("id"), seenAt: seen,
                from: min(try row.instant("first_seen_at"), seen) - (isWritten ? late : window),
                until: max(try row.instant("last_seen_at"), seen) + window)
        }
    }
}
