import Enforcement
import GRDB

/// What went over the link to the server, by months.
package struct DataUseTable: Table {
    let store: Store
}

extension DataUseTable {
    /// Two years: for whoever compares them with the bills.
    private static let mostMonths = 24

    package func add(_ use: DataUse, at now: Instant) throws {
        guard use.total > 0 else { return }
        try write("Counting data") { db in
            try db.execute(
                cached: """
                    INSERT INTO data_use (month, sent, received) VALUES (?, ?, ?)
                    ON CONFLICT (month) DO UPDATE SET sent = sent + excluded.sent, received = received + excluded.received
                    """, arguments: [DataUse.month(of: now), use.sent, use.received])
            try db.execute(
                cached:
                    "DELETE FROM data_use WHERE month NOT IN (SELECT month FROM data_use ORDER BY month DESC LIMIT ?)",
                arguments: [Self.mostMonths])
        }
    }

    /// - Parameter month: as in `2026-11`.
    package func use(ofMonth month: String) throws -> DataUse {
        try read("Reading what went over the link") { db in
            try Row.fetchOne(db, cached: "SELECT sent, received FROM data_use WHERE month = ?", arguments: [month]).map
            {
                DataUse(sent: $0["sent"], received: $0["received"])
            } ?? DataUse()
        }
    }
}
