import Enforcement
import GRDB

/// Something that is wrong with the box, for `status` and the console.
package struct Alarm: Sendable, Equatable, Identifiable {
    package enum Severity: String, Sendable, Codable, CaseIterable {
        case notice
        case warning
        case critical
    }

    /// Names what is wrong, once: `camera.gate.silent`, `disk.full`.
    package var key: String
    package var severity: Severity
    package var message: String

    /// What to do about it.
    package var hint: String?
    package var raisedAt: Instant

    /// Nil while it is on.
    package var clearedAt: Instant?
    package var id: String { key }
}

/// What is wrong with the box, and what was.
package struct AlarmTable: Table {
    let store: Store
}

extension AlarmTable {
    /// Raises an alarm. One that is on keeps the time at which it was raised; its text follows.
    ///
    /// - Returns: whether it was off before.
    @discardableResult
    package func raise(
        _ key: String, _ severity: Alarm.Severity, _ message: String, hint: String? = nil, at now: Instant
    ) throws -> Bool {
        try write("Raising an alarm") { db in
            let wasOn = try Bool.fetchOne(
                db, cached: "SELECT EXISTS (SELECT 1 FROM alarms WHERE key = ? AND cleared_at IS NULL)",
                arguments: [key])
            try db.execute(
                cached: """
                    INSERT INTO alarms (key, severity, message, hint, raised_at) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (key) DO UPDATE SET severity = excluded.severity, message = excluded.message,
                        hint = excluded.hint, cleared_at = NULL,
                        raised_at = CASE WHEN cleared_at IS NULL THEN raised_at ELSE excluded.raised_at END
                    """, arguments: [key, severity.rawValue, message, hint, now.milliseconds])
            return wasOn != true
        }
    }

    /// - Returns: whether it was on.
    @discardableResult
    package func clear(_ key: String, at now: Instant) throws -> Bool {
        try write("Clearing an alarm") { db in
            try db.execute(
                cached: "UPDATE alarms SET cleared_at = ? WHERE key = ? AND cleared_at IS NULL",
                arguments: [now.milliseconds, key])
            return db.changesCount == 1
        }
    }

    /// Alarms, the worst first; those that are on, or all.
    package func list(onlyOn: Bool = true) throws -> [Alarm] {
        try read("Reading alarms") { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM alarms \(onlyOn ? "WHERE cleared_at IS NULL" : "")
                    ORDER BY CASE severity WHEN 'critical' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, raised_at, key
                    """
            ).map { row in
                Alarm(
                    key: try row.text("key"), severity: try row.choice("severity"), message: try row.text("message"),
                    hint: try row.optionalText("hint"), raisedAt: try row.instant("raised_at"),
                    clearedAt: try row.optionalInstant("cleared_at"))
            }
        }
    }
}
