import Enforcement
import Foundation
import GRDB

/// When a ranger's screen first showed the alert of a violation, and whether the server knows.
package struct DeliveryTable: Table {
    let store: Store
}

/// A delivery that the server is to know.
package struct AlertDelivery: Sendable, Equatable {
    package var violation: UUID
    package var violationServerID: UUID
    package var shownAt: Instant
}

extension DeliveryTable {
    /// The first time counts. Of what is no violation here nothing is kept.
    package func note(violation id: UUID, shownAt: Instant) throws {
        let isKnown = try read("Looking up a delivered alert") { db in
            try Bool.fetchOne(
                db, cached: "SELECT EXISTS (SELECT 1 FROM alert_deliveries WHERE violation_id = ?)",
                arguments: [id.stored])
        }
        guard isKnown != true else { return }
        try write("Keeping that an alert was shown") { db in
            try db.execute(
                cached: """
                    INSERT INTO alert_deliveries (violation_id, shown_at) SELECT id, ? FROM violations WHERE id = ?
                    ON CONFLICT DO NOTHING
                    """, arguments: [shownAt.milliseconds, id.stored])
        }
    }

    package func shownAt(violation id: UUID) throws -> Instant? {
        try read("Reading a delivered alert") { db in
            try Row.fetchOne(
                db, cached: "SELECT shown_at FROM alert_deliveries WHERE violation_id = ?", arguments: [id.stored]
            ).map { try $0.instant("shown_at") }
        }
    }

    /// Those that the server was not told, of violations that it has judged, the oldest first.
    package func toTell(limit: Int) throws -> [AlertDelivery] {
        try read("Reading delivered alerts") { db in
            try Row.fetchAll(
                db,
                cached: """
                    SELECT d.violation_id, v.server_id, d.shown_at
                    FROM alert_deliveries AS d JOIN violations AS v ON v.id = d.violation_id
                    WHERE d.told_of IS NULL AND v.server_id IS NOT NULL ORDER BY d.shown_at LIMIT ?
                    """, arguments: [limit]
            ).map {
                AlertDelivery(
                    violation: try $0.uuid("violation_id"), violationServerID: try $0.uuid("server_id"),
                    shownAt: try $0.instant("shown_at"))
            }
        }
    }

    /// The server knows it, or says that it takes none.
    package func told(_ delivery: AlertDelivery) throws {
        try write("Keeping that the server knows of an alert") { db in
            try db.execute(
                cached: "UPDATE alert_deliveries SET told_of = ? WHERE violation_id = ?",
                arguments: [delivery.violationServerID.stored, delivery.violation.stored])
        }
    }
}
