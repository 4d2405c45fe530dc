import Enforcement
import GRDB

/// How the box was at one moment.
package struct BoxSample: Sendable, Equatable {
    package var at: Instant

    /// 0 to 31 as the modem says it; nil when unknown or without a modem.
    package var signal: Int?

    /// Free on the data's disk.
    package var freeBytes: Int?

    /// So many entries wait for the server, and so long the oldest has.
    package var waiting: Int
    package var queueAge: TimeSpan

    package init(at: Instant, signal: Int?, freeBytes: Int?, waiting: Int, queueAge: TimeSpan) {
        self.at = at
        self.signal = signal
        self.freeBytes = freeBytes
        self.waiting = waiting
        self.queueAge = queueAge
    }
}

/// How the box was in the last month, ten minutes a row: 4,320 rows at most.
package struct SampleTable: Table {
    let store: Store
}

extension SampleTable {
    package static let interval = TimeSpan.minutes(10)
    package static let age = TimeSpan.days(30)

    /// Keeps a sample for its ten minutes, in place of an earlier one of the same, and forgets what is too old. What is of a time to come
    /// goes as well: a clock that was wrong wrote it.
    package func keep(_ sample: BoxSample) throws {
        let interval = Self.interval.milliseconds
        let at = sample.at.milliseconds / interval * interval
        try write("Keeping how the box is") { db in
            try db.execute(
                cached: "DELETE FROM box_samples WHERE at < ? OR at >= ?",
                arguments: [at - Self.age.milliseconds + interval, at + interval])
            try db.execute(
                cached: """
                    INSERT INTO box_samples (at, signal, free_bytes, waiting, queue_age_ms) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (at) DO UPDATE SET signal = excluded.signal, free_bytes = excluded.free_bytes,
                        waiting = excluded.waiting, queue_age_ms = excluded.queue_age_ms
                    """,
                arguments: [
                    at, sample.signal, sample.freeBytes, sample.waiting, max(0, sample.queueAge.milliseconds),
                ])
        }
    }

    /// All of them, the oldest first.
    package func list() throws -> [BoxSample] {
        try read("Reading how the box was") { db in
            try Row.fetchAll(db, cached: "SELECT * FROM box_samples ORDER BY at").map { row in
                BoxSample(
                    at: try row.instant("at"), signal: try row.decode(Int?.self, forColumn: "signal"),
                    freeBytes: try row.decode(Int?.self, forColumn: "free_bytes"),
                    waiting: try row.integer("waiting"),
                    queueAge: .milliseconds(Int64(try row.integer("queue_age_ms"))))
            }
        }
    }
}
