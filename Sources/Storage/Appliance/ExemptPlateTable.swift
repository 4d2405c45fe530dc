import Enforcement
import GRDB

/// A vehicle that raises no alarm: the park's own, an ambulance.
package struct ExemptPlate: Sendable, Equatable {
    package var plate: Plate
    package var reason: String
    package var addedAt: Instant

    /// Whether the park's office lists it, and not this post.
    package var isOfPark = false
}

/// Vehicles that raise no alarm: the post's own, which are added and removed here, and those that the park's office lists.
package struct ExemptPlateTable: Table {
    let store: Store
}

extension ExemptPlateTable {
    /// Adds a plate to the list, or gives it another reason.
    package func add(_ plate: Plate, reason: String, at now: Instant) throws {
        try write("Adding an exempt plate") { db in
            try db.execute(
                cached: """
                    INSERT INTO exempt_plates (compact, canonical, reason, added_at) VALUES (?, ?, ?, ?)
                    ON CONFLICT (compact) DO UPDATE SET canonical = excluded.canonical, reason = excluded.reason
                    """, arguments: [plate.compact, plate.canonical, reason, now.milliseconds])
        }
    }

    /// - Returns: whether it was on the post's own list.
    @discardableResult
    package func remove(_ plate: Plate) throws -> Bool {
        try write("Removing an exempt plate") { db in
            try db.execute(cached: "DELETE FROM exempt_plates WHERE compact = ?", arguments: [plate.compact])
            return db.changesCount == 1
        }
    }

    package func list() throws -> [ExemptPlate] {
        try read("Reading the exempt plates") { db in
            try Row.fetchAll(db, cached: "SELECT * FROM every_exempt_plate ORDER BY compact").map {
                ExemptPlate(
                    plate: try $0.plate("canonical"), reason: try $0.text("reason"),
                    addedAt: try $0.instant("added_at"), isOfPark: try $0.flag("is_listed"))
            }
        }
    }
}
