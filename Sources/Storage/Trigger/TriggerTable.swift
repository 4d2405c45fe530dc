import Enforcement
import Foundation
import GRDB

/// Events of a trigger, and which vehicles they were.
package struct TriggerTable: Table {
    let store: Store
}

/// Vehicles that a trigger told of.
package struct TriggerSpan: Sendable, Equatable {
    package var events = 0

    /// Of these: no camera read a plate, and no ranger wrote one down. The newest events are not among them yet.
    package var withoutPlate = 0

    package init(events: Int = 0, withoutPlate: Int = 0) {
        self.events = events
        self.withoutPlate = withoutPlate
    }
}

extension TriggerTable {
    /// Keeps an event. Repeating it changes nothing.
    package func keep(_ event: TriggerEvent) throws {
        try write("Keeping an event of the trigger") { db in
            try db.execute(
                cached: """
                    INSERT INTO trigger_events (at, boot, number, lane, direction, speed_kmh) SELECT ?1, ?2, ?3, ?4, ?5, ?6
                    -- A device that hears nothing sends it again and again, and its age is never the same to the millisecond.
                    WHERE NOT EXISTS (SELECT 1 FROM trigger_events WHERE boot = ?2 AND number = ?3
                        AND at BETWEEN ?1 - 86400000 AND ?1 + 86400000)
                    ON CONFLICT DO NOTHING
                    """,
                arguments: [
                    event.at.milliseconds, Int(event.name.boot), Int(event.name.number), event.lane,
                    event.direction?.rawValue, event.speedKmh,
                ])
        }
    }

    /// The names of the last events, the newest last.
    package func last(_ count: Int = TriggerReceiver.remembered) throws -> [TriggerEvent.Name] {
        try read("Reading the last events of the trigger") { db in
            try Row.fetchAll(
                db, cached: "SELECT boot, number FROM trigger_events ORDER BY rowid DESC LIMIT ?", arguments: [count]
            ).reversed().map { row in
                TriggerEvent.Name(
                    boot: UInt16(clamping: try row.integer("boot")), number: UInt16(clamping: try row.integer("number"))
                )
            }
        }
    }

    /// The events from `from` to before `until`, the oldest first.
    package func list(from: Instant, until: Instant) throws -> [TriggerEvent] {
        try read("Reading the events of the trigger") { db in
            try Row.fetchAll(
                db, cached: "SELECT * FROM trigger_events WHERE at >= ? AND at < ? ORDER BY at",
                arguments: [from.milliseconds, until.milliseconds]
            ).map { row in
                TriggerEvent(
                    name: .init(
                        boot: UInt16(clamping: try row.integer("boot")),
                        number: UInt16(clamping: try row.integer("number"))),
                    at: try row.instant("at"), lane: try row.integer("lane"),
                    direction: try row.optionalText("direction").flatMap(TriggerEvent.Direction.init(rawValue:)),
                    speedKmh: try row.decode(Double?.self, forColumn: "speed_kmh"))
            }
        }
    }

    /// What a span of time brought.
    package func counts(from: Instant, until: Instant) throws -> TriggerSpan {
        try read("Counting the events of the trigger") { db in
            let row = try Row.fetchOne(
                db,
                composed: """
                    SELECT count(*) AS events, count(*) FILTER (WHERE \(Self.hasNoPlate)) AS without_plate
                    FROM trigger_events AS e LEFT JOIN sightings AS s ON s.id = e.sighting_id
                    WHERE e.at >= ? AND e.at < ?
                    """, arguments: [from.milliseconds, until.milliseconds])
            return try row.map {
                TriggerSpan(events: try $0.integer("events"), withoutPlate: try $0.integer("without_plate"))
            } ?? TriggerSpan()
        }
    }

    /// Of `trigger_events AS e` with its `sightings AS s`: a vehicle that nobody has a plate of. A sighting that a ranger discarded was no
    /// plate; the vehicle was there.
    static let hasNoPlate = "e.is_settled = 1 AND (s.id IS NULL OR s.state = 'discarded')"

    /// Of `passages AS p`: how fast the vehicle was at the trigger.
    static let speedOfPassage = """
        (SELECT e.speed_kmh FROM sightings AS s JOIN trigger_events AS e ON e.sighting_id = s.id
            WHERE s.passage_client_id = p.client_id AND e.speed_kmh IS NOT NULL ORDER BY e.at LIMIT 1)
        """

    /// Forgets events without a vehicle on record. Those of a passage go with it.
    package func forget(before cutoff: Instant) throws {
        try write("Forgetting events of the trigger") { db in
            try db.execute(
                cached: """
                    DELETE FROM trigger_events WHERE at < ? AND (sighting_id IS NULL
                        OR sighting_id IN (SELECT id FROM sightings WHERE state = 'discarded'))
                    """,
                arguments: [cutoff.milliseconds])
        }
    }
}
