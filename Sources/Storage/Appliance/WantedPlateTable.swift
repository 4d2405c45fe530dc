import Enforcement
import Foundation
import GRDB

/// A plate to watch for.
package struct WantedPlate: Sendable, Equatable {
    package var plate: Plate

    /// Short: it stands on the alert.
    package var reason: String

    /// Who at the post; nil where the park's office lists it.
    package var addedBy: String?
    package var addedAt: Instant

    /// When this post recorded it last; nil for never.
    package var lastSeenAt: Instant?
}

/// A vehicle of the list that this post recorded since it stands there.
package struct WantedSight: Sendable, Equatable {
    package var wanted: WantedPlate
    package var passageClientID: UUID
    package var vehicleType: VehicleType
    package var recordedAt: Instant

    /// When the box wrote it down.
    package var noticedAt: Instant
}

/// Plates to watch for: the post's own, which are added and removed here, and those that the park's office lists.
package struct WantedPlateTable: Table {
    let store: Store
}

extension WantedPlateTable {
    /// More would be a list that nobody looks after, and each is looked up.
    package static let most = 500

    /// Puts a plate on the list, or gives it another reason.
    ///
    /// - Throws: `StoreError` of kind `refused` when the list is full.
    package func add(_ plate: Plate, reason: String, by name: String, at now: Instant) throws {
        try write("Adding a plate to watch for") { db in
            let others = try Int.fetchOne(
                db, cached: "SELECT count(*) FROM wanted_plates WHERE compact <> ?", arguments: [plate.compact])
            guard (others ?? 0) < Self.most else {
                throw StoreError(.refused, "At most \(Self.most) plates are watched for: take some off the list.")
            }
            try db.execute(
                cached: """
                    INSERT INTO wanted_plates (compact, canonical, reason, added_by, added_at) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (compact) DO UPDATE SET canonical = excluded.canonical, reason = excluded.reason
                    """, arguments: [plate.compact, plate.canonical, reason, name, now.milliseconds])
        }
    }

    /// - Returns: whether it was on the post's own list.
    @discardableResult
    package func remove(_ plate: Plate) throws -> Bool {
        try write("Taking a plate off the list") { db in
            try db.execute(cached: "DELETE FROM wanted_plates WHERE compact = ?", arguments: [plate.compact])
            return db.changesCount == 1
        }
    }

    /// The list, the newest first.
    package func list() throws -> [WantedPlate] {
        try read("Reading the plates to watch for") { db in
            try Row.fetchAll(
                db,
                cached: """
                    SELECT w.*, (SELECT max(p.recorded_at) FROM passages AS p
                        WHERE p.plate_compact = w.compact AND p.withdrawn_at IS NULL) AS last_seen_at
                    FROM every_wanted_plate AS w ORDER BY w.added_at DESC, w.compact
                    """
            ).map(Self.wanted)
        }
    }

    /// What this post recorded of them since they stand on the list, the last first.
    ///
    /// - Parameter since: nothing that was written down before.
    package func sights(since: Instant, limit: Int = 100) throws -> [WantedSight] {
        try read("Looking for plates to watch for") { db in
            try Row.fetchAll(
                db,
                cached: """
                    SELECT w.*, NULL AS last_seen_at, p.client_id, p.vehicle_type, p.recorded_at, p.created_at
                    FROM every_wanted_plate AS w CROSS JOIN passages AS p ON p.plate_compact = w.compact
                    WHERE p.withdrawn_at IS NULL AND p.created_at > w.added_at AND p.created_at >= ?
                    ORDER BY p.created_at DESC, p.client_id LIMIT ?
                    """, arguments: [since.milliseconds, limit]
            ).map { row in
                WantedSight(
                    wanted: try Self.wanted(row), passageClientID: try row.uuid("client_id"),
                    vehicleType: try row.choice("vehicle_type"), recordedAt: try row.instant("recorded_at"),
                    noticedAt: try row.instant("created_at"))
            }
        }
    }

    private static func wanted(_ row: Row) throws -> WantedPlate {
        WantedPlate(
            plate: try row.plate("canonical"), reason: try row.text("reason"),
            addedBy: try row.optionalText("added_by"),
            addedAt: try row.instant("added_at"), lastSeenAt: try row.optionalInstant("last_seen_at"))
    }
}
