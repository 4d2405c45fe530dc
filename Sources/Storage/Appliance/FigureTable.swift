import Enforcement
import Foundation
import GRDB

/// What happened in a span of time.
package struct SpanCounts: Sendable, Equatable, Codable {
    /// Not counting withdrawn ones.
    package var passages: Int
    package var byVehicleType: [String: Int]
    package var matched: Int
    package var speeding: Int
    package var overstay: Int
    package var withOutcome: Int
    /// Of vehicles that have not come out since: one that came out late is a violation.
    package var overstayAlerts: Int
    package var unreadableFrames: Int
}

/// The state of what is stored, for `status`.
package struct StoreFigures: Sendable, Equatable {
    package var passages: Int
    package var lastPassageAt: Instant?
    package var waitingForReview: Int
    package var openOverstayAlerts: Int
    package var queue: [QueueStatus: Int]
    package var refused: Int
    package var oldestWaiting: Instant?
    package var photos: Int
    package var photoBytes: Int
    package var remotePassages: Int

    /// The database's file with its log, in bytes.
    package var databaseBytes: Int
    package var alarms: [Alarm]
}

/// Counts of what is stored.
package struct FigureTable: Table {
    let store: Store
}

extension FigureTable {
    /// How many vehicles each camera saw from `from` to before `until`: those on record, and those that wait for a ranger.
    package func seen(from: Instant, until: Instant) throws -> [String: Int] {
        let span: StatementArguments = [from.milliseconds, until.milliseconds]
        return try read("Counting what cameras saw") { db in
            let rows = try Row.fetchAll(
                db,
                cached: """
                    SELECT camera, count(*) AS n FROM (
                        SELECT s.camera FROM passages AS p JOIN sightings AS s ON s.passage_client_id = p.client_id
                        WHERE p.recorded_at >= ?1 AND p.recorded_at < ?2
                        UNION ALL
                        SELECT camera FROM sightings
                        WHERE state IN ('open', 'review') AND first_seen_at >= ?1 AND first_seen_at < ?2
                    ) GROUP BY camera
                    """, arguments: span)
            return Dictionary(uniqueKeysWithValues: try rows.map { (try $0.text("camera"), try $0.integer("n")) })
        }
    }

    /// Counts what was recorded from `from` to before `until`: a day in Nepal, say.
    package func counts(from: Instant, until: Instant) throws -> SpanCounts {
        let span: StatementArguments = [from.milliseconds, until.milliseconds]
        return try read("Counting passages") { db in
            func count(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql, arguments: span) ?? 0 }
            let types = try Row.fetchAll(
                db,
                cached: """
                    SELECT vehicle_type, count(*) AS n FROM passages
                    WHERE recorded_at >= ? AND recorded_at < ? AND withdrawn_at IS NULL GROUP BY vehicle_type
                    """, arguments: span)
            let byType = Dictionary(
                uniqueKeysWithValues: try types.map { (try $0.text("vehicle_type"), try $0.integer("n")) })
            let violations =
                "SELECT count(*) FROM violations AS v WHERE exit_time >= ? AND exit_time < ? AND state <> 'withdrawn'"
            return SpanCounts(
                passages: byType.values.reduce(0, +), byVehicleType: byType,
                matched: try count(
                    """
                    SELECT count(*) FROM passages AS p WHERE recorded_at >= ? AND recorded_at < ?
                        AND withdrawn_at IS NULL AND NOT (\(MatchTable.ownIsUnmatched))
                    """),
                speeding: try count(violations + " AND kind = 'speeding'"),
                overstay: try count(violations + " AND kind = 'overstay'"),
                withOutcome: try count(
                    violations + " AND EXISTS (SELECT 1 FROM violation_outcomes WHERE violation_id = v.id)"),
                overstayAlerts: try count(
                    "SELECT count(*) FROM overstay_alerts WHERE raised_at >= ? AND raised_at < ? AND withdrawn_at IS NULL"
                        + " AND resolved_at IS NULL"
                ),
                unreadableFrames: try count("SELECT count(*) FROM unreadable_frames WHERE at >= ? AND at < ?"))
        }
    }

    package func now() throws -> StoreFigures {
        let refused = try store.queue.refusedCount()
        var counts = try store.queue.counts()
        counts[.failed, default: 0] -= try store.queue.setAsideCount()
        let waiting = try store.queue.oldestWaiting()
        let alarms = try store.alarms.list()
        let bytes = [store.path, store.path + "-wal"].map { file in
            (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? 0
        }
        return try read("Reading the figures") { db in
            func count(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }
            return StoreFigures(
                passages: try count("SELECT count(*) FROM passages"),
                lastPassageAt: try Int64.fetchOne(db, cached: "SELECT max(recorded_at) FROM passages")
                    .map(Instant.init(milliseconds:)),
                waitingForReview: try count("SELECT count(*) FROM sightings WHERE state = 'review'"),
                openOverstayAlerts: try count(
                    """
                    SELECT count(*) FROM overstay_alerts
                    WHERE resolved_at IS NULL AND dismissed_at IS NULL AND withdrawn_at IS NULL
                    """),
                queue: counts, refused: refused,
                oldestWaiting: waiting, photos: try count("SELECT count(*) FROM photos WHERE removed_at IS NULL"),
                photoBytes: try count("SELECT coalesce(sum(bytes), 0) FROM photos WHERE removed_at IS NULL"),
                remotePassages: try count("SELECT count(*) FROM remote_passages"),
                databaseBytes: bytes.reduce(0, +), alarms: alarms)
        }
    }
}
