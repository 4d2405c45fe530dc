import Enforcement
import Foundation
import GRDB

/// A vehicle that passed this post while the road was closed to it.
package struct ClosedSight: Sendable, Equatable {
    package var passageClientID: UUID
    package var plate: Plate
    package var vehicleType: VehicleType
    package var recordedAt: Instant

    /// When the box wrote it down.
    package var noticedAt: Instant

    /// The hours that it was closed for.
    package var closed: HourLimit
}

extension PassageTable {
    /// Two busy days.
    private static let mostLookedAt = 5000

    /// Who passed while the road was closed, the last first: on a clock that can be trusted, and no exempt vehicle.
    ///
    /// One that came out is none, unless it went in while the road was closed, too: it was on its way when the hours began.
    ///
    /// - Parameter since: no passage of before.
    package func whileClosed(_ limits: HourLimits, since: Instant, limit: Int = 100) throws -> [ClosedSight] {
        guard !limits.closed.isEmpty else { return [] }
        let passages = try read("Looking for passages while the road was closed") { db in
            try Row.fetchAll(
                db,
                cached: """
                    SELECT p.client_id, p.plate, p.vehicle_type, p.recorded_at, p.created_at, p.travel, r.recorded_at AS entry_at
                    FROM passages AS p
                    LEFT JOIN matches AS m ON m.own_client_id = p.client_id AND m.certainty = 'exact'
                        AND m.state <> 'withdrawn' AND m.own_is_entry = 0
                    LEFT JOIN remote_passages AS r ON r.client_id = m.remote_client_id
                    WHERE p.recorded_at >= ? AND p.withdrawn_at IS NULL AND p.clock_state <> 'untrusted'
                        AND NOT EXISTS (SELECT 1 FROM every_exempt_plate AS x WHERE x.compact = p.plate_compact)
                    ORDER BY p.recorded_at DESC, p.client_id LIMIT ?
                    """, arguments: [since.milliseconds, Self.mostLookedAt])
        }
        var sights: [ClosedSight] = []
        for row in passages where sights.count < limit {
            let type: VehicleType = try row.choice("vehicle_type")
            let at = try row.instant("recorded_at")
            guard let closed = limits.closing(to: type, at: at) else { continue }
            let entry = try row.optionalInstant("entry_at")
            let travel: Travel? = try row.optionalText("travel").flatMap(Travel.init(rawValue:))
            let cameOut = entry != nil || travel == .leaving
            if cameOut, entry.flatMap({ limits.closing(to: type, at: $0) }) == nil { continue }
            sights.append(
                ClosedSight(
                    passageClientID: try row.uuid("client_id"), plate: try row.plate("plate"), vehicleType: type,
                    recordedAt: at, noticedAt: try row.instant("created_at"), closed: closed))
        }
        return sights
    }
}
