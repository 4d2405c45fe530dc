import Enforcement
import Foundation
import GRDB

/// What happened at this post in each slot of a span, and how the box was.
package struct PostFigures: Sendable, Equatable {
    package struct Slot: Sendable, Equatable {
        package var start: Instant

        /// Passages, not counting withdrawn ones.
        package var vehicles = 0

        /// Of these: recorded by the camera alone, and by a ranger.
        package var alone = 0
        package var reviewed: Int { vehicles - alone }

        /// What waits for review still.
        package var waiting = 0

        /// Vehicles that a trigger told of and nobody has a plate of.
        package var withoutPlate = 0

        /// The mean of the readings that the camera recorded alone; 0 to 1.
        package var confidence: Double?

        /// The longest that the oldest entry of the queue had waited; nil where there is no sample.
        package var queueAge: TimeSpan?

        /// The mean of what the modem told, 0 to 31.
        package var signal: Double?
        package var freeBytes: Int?

        /// Of a hundred vehicles, those without a plate among them, so many were read by the camera alone, and decided by a ranger; nil
        /// where none came.
        package var readShare: Int? { share(alone) }
        package var reviewedShare: Int? { share(reviewed) }

        private func share(_ part: Int) -> Int? {
            let all = vehicles + waiting + withoutPlate
            return all == 0 ? nil : Int((Double(part) * 100 / Double(all)).rounded())
        }
    }

    package var slots: [Slot]

    /// By hour of the day.
    package var hours = [Int](repeating: 0, count: 24)

    /// Matched vehicles by average speed: the lower end of a span of `speedStep` km/h.
    package var speeds: [Int: Int] = [:]

    package static let speedStep = 5

    /// What is faster counts here.
    package static let topSpeed = 200
}

extension FigureTable {
    /// - Parameter distanceKm: of the road between the posts; nil where it isn't known: then there are no speeds.
    package func plots(_ span: FigureSpan, distanceKm: Double?) throws -> PostFigures {
        var figures = PostFigures(slots: (0..<span.count).map { .init(start: span.beginning(of: $0)) })
        let (start, slot) = (span.start.milliseconds, span.slot.milliseconds)
        let arguments: StatementArguments = [start, slot, start, span.end.milliseconds]
        try read("Reading figures") { db in
            let passages = try Row.fetchAll(
                db,
                cached: """
                    SELECT (recorded_at - ?) / ? AS slot, count(*) AS n, sum(origin = 'camera') AS alone,
                        avg(CASE WHEN origin = 'camera' THEN confidence END) AS confidence
                    FROM passages WHERE recorded_at >= ? AND recorded_at < ? AND withdrawn_at IS NULL GROUP BY slot
                    """, arguments: arguments)
            for row in passages {
                let index = try row.integer("slot")
                figures.slots[index].vehicles = try row.integer("n")
                figures.slots[index].alone = try row.integer("alone")
                figures.slots[index].confidence = try row.decode(Double?.self, forColumn: "confidence")
            }
            let waiting = try Row.fetchAll(
                db,
                cached: """
                    SELECT (first_seen_at - ?) / ? AS slot, count(*) AS n FROM sightings
                    WHERE state = 'review' AND first_seen_at >= ? AND first_seen_at < ? GROUP BY slot
                    """, arguments: arguments)
            for row in waiting { figures.slots[try row.integer("slot")].waiting = try row.integer("n") }
            let unplated = try Row.fetchAll(
                db,
                composed: """
                    SELECT (e.at - ?) / ? AS slot, count(*) AS n
                    FROM trigger_events AS e LEFT JOIN sightings AS s ON s.id = e.sighting_id
                    WHERE e.at >= ? AND e.at < ? AND \(TriggerTable.hasNoPlate) GROUP BY slot
                    """, arguments: arguments)
            for row in unplated { figures.slots[try row.integer("slot")].withoutPlate = try row.integer("n") }
            let samples = try Row.fetchAll(
                db,
                cached: """
                    SELECT (at - ?) / ? AS slot, max(queue_age_ms) AS age, avg(signal) AS signal, min(free_bytes) AS free
                    FROM box_samples WHERE at >= ? AND at < ? GROUP BY slot
                    """, arguments: arguments)
            for row in samples {
                let index = try row.integer("slot")
                figures.slots[index].queueAge = .milliseconds(Int64(try row.integer("age")))
                figures.slots[index].signal = try row.decode(Double?.self, forColumn: "signal")
                figures.slots[index].freeBytes = try row.decode(Int?.self, forColumn: "free")
            }
            let hours = try Row.fetchAll(
                db,
                cached: """
                    SELECT (recorded_at + ?) / 3600000 % 24 AS hour, count(*) AS n
                    FROM passages WHERE recorded_at >= ? AND recorded_at < ? AND withdrawn_at IS NULL GROUP BY hour
                    """,
                arguments: [CivilTime.nepalOffset.milliseconds, start, span.end.milliseconds])
            for row in hours { figures.hours[try row.integer("hour")] = try row.integer("n") }
            guard let distanceKm else { return }
            figures.speeds = try Self.speeds(db, span, distanceKm: distanceKm)
        }
        return figures
    }

    private static func speeds(_ db: Database, _ span: FigureSpan, distanceKm: Double) throws -> [Int: Int] {
        let times = try Row.fetchAll(
            db,
            cached: """
                SELECT abs(p.recorded_at - r.recorded_at) AS ms, count(*) AS n FROM passages AS p
                JOIN matches AS m ON m.own_client_id = p.client_id AND m.certainty = 'exact' AND m.state <> 'withdrawn'
                JOIN remote_passages AS r ON r.client_id = m.remote_client_id
                WHERE p.recorded_at >= ? AND p.recorded_at < ? AND p.withdrawn_at IS NULL GROUP BY ms
                """, arguments: [span.start.milliseconds, span.end.milliseconds])
        var speeds: [Int: Int] = [:]
        for row in times {
            let hours = Double(try row.integer("ms")) / 3_600_000
            let speed = hours > 0 ? min(distanceKm / hours, Double(PostFigures.topSpeed)) : Double(PostFigures.topSpeed)
            let lowest = Int(speed) / PostFigures.speedStep * PostFigures.speedStep
            speeds[lowest, default: 0] += try row.integer("n")
        }
        return speeds
    }
}
