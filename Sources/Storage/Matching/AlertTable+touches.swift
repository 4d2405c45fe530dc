import Enforcement
import GRDB

/// What somebody did about an alert without deciding anything: put it off for a while, or said that it was seen.
package struct AlertTouch: Sendable, Equatable {
    package var by: String
    package var at: Instant
    /// Said to be seen: it doesn't come again. Else it was put off.
    package var isSeen: Bool

    package init(by: String, at: Instant, isSeen: Bool) {
        self.by = by
        self.at = at
        self.isSeen = isSeen
    }
}

extension AlertTable {
    /// Keeps what somebody did about an alert. What was seen stays seen when it is put off afterwards.
    ///
    /// - Parameter alert: `violation/<id>` or `overstay/<id>`.
    package func touch(alert: String, _ touch: AlertTouch) throws {
        try write("Putting off an alert") { db in
            try db.execute(
                cached: """
                    INSERT INTO alert_touches (alert, touched_by, touched_at, is_seen) VALUES (?, ?, ?, ?)
                    ON CONFLICT (alert) DO UPDATE SET touched_by = excluded.touched_by, touched_at = excluded.touched_at,
                        is_seen = excluded.is_seen WHERE excluded.is_seen >= is_seen
                    """, arguments: [alert, touch.by, touch.at.milliseconds, touch.isSeen])
        }
    }

    /// Takes it back: the alert comes again.
    package func untouch(alert: String) throws {
        try write("Taking back that an alert was seen") { db in
            try db.execute(cached: "DELETE FROM alert_touches WHERE alert = ?", arguments: [alert])
        }
    }

    /// What was done about these alerts, by their names.
    package func touches(among alerts: [String]) throws -> [String: AlertTouch] {
        try read("Reading which alerts were seen") { db in
            var touches: [String: AlertTouch] = [:]
            for alert in alerts {
                guard
                    let row = try Row.fetchOne(
                        db, cached: "SELECT touched_by, touched_at, is_seen FROM alert_touches WHERE alert = ?",
                        arguments: [alert])
                else { continue }
                touches[alert] = AlertTouch(
                    by: try row.text("touched_by"), at: try row.instant("touched_at"), isSeen: try row.flag("is_seen"))
            }
            return touches
        }
    }
}
