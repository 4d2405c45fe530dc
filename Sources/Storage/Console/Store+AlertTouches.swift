import Enforcement
import GRDB

extension Store {
    /// Keeps that somebody has seen an alert and put it off. Repeating it changes nothing.
    ///
    /// - Parameter alert: `violation/<id>` or `overstay/<id>`.
    package func touch(alert: String, by ranger: String, at now: Instant) throws {
        try write("Putting off an alert") { db in
            try db.execute(
                cached: "INSERT OR IGNORE INTO alert_touches (alert, touched_by, touched_at) VALUES (?, ?, ?)",
                arguments: [alert, ranger, now.milliseconds])
        }
    }

    /// Which of these alerts somebody has seen.
    package func touched(among alerts: [String]) throws -> Set<String> {
        try read("Reading which alerts were seen") { db in
            let statement = try db.makeStatement(sql: "SELECT 1 FROM alert_touches WHERE alert = ?")
            return Set(try alerts.filter { try Int.fetchOne(statement, arguments: [$0]) != nil })
        }
    }
}
