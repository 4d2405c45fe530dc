import Enforcement
import GRDB

/// What is left out of a camera's pictures, as somebody has drawn it at the box. It stands instead of the configuration's.
package struct DrawnMask: Sendable, Equatable {
    package var mask: PictureMask
    package var changedBy: String
    package var changedAt: Instant

    package init(_ mask: PictureMask, by name: String, at now: Instant) {
        self.mask = mask
        changedBy = name
        changedAt = now
    }
}

/// Masks that were drawn, by camera.
package struct CameraMaskTable: Table {
    let store: Store
}

extension CameraMaskTable {
    /// Nil where nobody has drawn one: then the configuration's holds.
    package func mask(of camera: String) throws -> DrawnMask? {
        try read("Reading a camera's mask") { db in
            try Row.fetchOne(
                db, cached: "SELECT mask, changed_by, changed_at FROM camera_masks WHERE camera = ?",
                arguments: [camera]
            )
            .flatMap { row in
                try PictureMask(drawn: row.text("mask")).map {
                    DrawnMask($0, by: try row.text("changed_by"), at: try row.instant("changed_at"))
                }
            }
        }
    }

    /// - Parameter mask: nil takes the drawn one back: the configuration's holds again.
    package func set(_ mask: PictureMask?, of camera: String, by name: String, at now: Instant) throws {
        try write("Storing a camera's mask") { db in
            guard let mask else {
                try db.execute(cached: "DELETE FROM camera_masks WHERE camera = ?", arguments: [camera])
                return
            }
            try db.execute(
                cached: """
                    INSERT INTO camera_masks (camera, mask, changed_by, changed_at) VALUES (?, ?, ?, ?)
                    ON CONFLICT (camera) DO UPDATE SET mask = excluded.mask, changed_by = excluded.changed_by,
                        changed_at = excluded.changed_at
                    """, arguments: [camera, mask.text, name, now.milliseconds])
        }
    }
}
