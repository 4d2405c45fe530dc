import Enforcement
import Foundation
import GRDB

extension MessageTable {
    /// A network names a message by a number from 0 to 255: reports of older ones are taken for none.
    private static let reportAge = TimeSpan.hours(72)
    private static let maximumWaitingTests = 5

    /// Messages, the newest first.
    package func list(limit: Int = 100) throws -> [StoredMessage] {
        try read("Reading messages") { db in
            try Row.fetchAll(db, cached: "SELECT * FROM sms_messages ORDER BY id DESC LIMIT ?", arguments: [limit])
                .map(StoredMessage.init)
        }
    }

    package func message(id: Int64) throws -> StoredMessage? {
        try read("Reading a message") { db in
            try Row.fetchOne(db, cached: "SELECT * FROM sms_messages WHERE id = ?", arguments: [id])
                .map(StoredMessage.init)
        }
    }

    /// The message of a passage; nil when none was tried.
    package func message(ofPassage clientID: UUID) throws -> StoredMessage? {
        try read("Reading a message") { db in
            try Row.fetchOne(
                db, cached: "SELECT * FROM sms_messages WHERE passage_client_id = ?", arguments: [clientID.stored]
            ).map(StoredMessage.init)
        }
    }

    /// When messages were handed over since a moment: what a budget has to know after a start.
    package func handOvers(since moment: Instant) throws -> [Instant] {
        try read("Counting messages") { db in
            try Int64.fetchAll(
                db, cached: "SELECT at FROM sms_hand_overs WHERE at >= ? ORDER BY at", arguments: [moment.milliseconds]
            ).map(Instant.init(milliseconds:))
        }
    }

    package func counts(midnight: Instant, at now: Instant) throws -> MessageCounts {
        try read("Counting messages") { db in
            func handOvers(since moment: Instant) throws -> Int {
                try Int.fetchOne(
                    db, cached: "SELECT count(*) FROM sms_hand_overs WHERE at >= ? AND at <= ?",
                    arguments: [moment.milliseconds, now.milliseconds]) ?? 0
            }
            var counts = MessageCounts(
                today: try handOvers(since: midnight), lastHour: try handOvers(since: now - .hours(1)),
                lastDay: try handOvers(since: now - .hours(24)))
            counts.byState = Dictionary(uniqueKeysWithValues: MessageState.allCases.map { ($0, 0) })
            let rows = try Row.fetchAll(
                db,
                cached: """
                    SELECT state, count(*) AS n FROM sms_messages AS m WHERE passage_client_id IS NOT NULL
                        -- What the link brought to the server meanwhile waits for no modem.
                        AND NOT (state IN ('queued', 'sending', 'ambiguous') AND EXISTS (SELECT 1 FROM sync_queue AS q
                            WHERE q.passage_client_id = m.passage_client_id AND q.entity = 'passage' AND q.status = 'synced'))
                    GROUP BY state
                    """)
            for row in rows { counts.byState[try row.choice("state")] = try row.integer("n") }
            // Numbers are given once: the last one says how many there were.
            counts.inbound = try Int.fetchOne(db, cached: "SELECT coalesce(max(id), 0) FROM sms_inbound") ?? 0
            counts.inboundToday =
                try Int.fetchOne(
                    db, cached: "SELECT count(*) FROM sms_inbound WHERE received_at >= ?",
                    arguments: [midnight.milliseconds]) ?? 0
            return counts
        }
    }

    /// Takes the network's word on a message that was accepted.
    ///
    /// - Parameter status: TP-Status of the report, kept as it is.
    /// - Returns: the message and its new state; nil when no message of the last days has this reference.
    @discardableResult
    package func takeReport(
        reference: UInt8, status: UInt8, event: MessageState.Event, at now: Instant
    ) throws -> (message: Int64, state: MessageState)? {
        try write("Writing down a report of delivery") { db in
            let row = try Row.fetchOne(
                db,
                cached: """
                    SELECT p.message_id, p.part, m.state FROM sms_parts AS p JOIN sms_messages AS m ON m.id = p.message_id
                    WHERE p.reference = ? AND p.accepted_at >= ? AND p.reported_at IS NULL
                    ORDER BY p.accepted_at DESC LIMIT 1
                    """, arguments: [Int(reference), (now - Self.reportAge).milliseconds])
            guard let row else { return nil }
            let id = try row.decode(Int64.self, forColumn: "message_id")
            let state = try row.choice("state", MessageState.self).after(event)
            try db.execute(
                cached: "UPDATE sms_parts SET status = ?, reported_at = ? WHERE message_id = ? AND part = ?",
                arguments: [Int(status), now.milliseconds, id, try row.integer("part")])
            for message in try [id] + Self.companions(db, of: id, in: [.sending, .ambiguous, .sent]) {
                try db.execute(
                    cached: "UPDATE sms_messages SET state = ?, settled_at = ? WHERE id = ?",
                    arguments: [state.rawValue, now.milliseconds, message])
                if state.isTold { try Self.markTold(db, message: message) }
            }
            return (id, state)
        }
    }
}

/// A technician's tests.
extension MessageTable {
    /// Asks whoever has the modem to send a text.
    ///
    /// - Returns: the message's id.
    package func addTest(to number: String, text: String, at now: Instant) throws -> Int64 {
        try write("Asking for a test message") { db in
            let waiting =
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM sms_messages WHERE \(Self.testWaits)")
                ?? 0
            guard waiting < Self.maximumWaitingTests else {
                throw StoreError(.refused, "\(waiting) test messages wait for the modem already.")
            }
            try db.execute(
                cached: "INSERT INTO sms_messages (number, text, state, created_at) VALUES (?, ?, 'queued', ?)",
                arguments: [number, text, now.milliseconds])
            return db.lastInsertedRowID
        }
    }

    /// Takes the first test that waits. Those that were asked before `cutoff` are given up: whoever asked went away.
    ///
    /// - Returns: the test, now written down as `sending`.
    package func beginTest(askedSince cutoff: Instant, at now: Instant) throws -> StoredMessage? {
        try begin(Self.testWaits, since: cutoff, at: now)
    }

    /// Takes the first message without a passage that waits as the condition says; older ones are given up.
    func begin(_ waits: String, since cutoff: Instant, at now: Instant) throws -> StoredMessage? {
        // Most of the time there is none, and reading takes no lock.
        let isAny = try read("Looking for messages") { db in
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM sms_messages WHERE \(waits))")
        }
        guard isAny == true else { return nil }
        return try write("Taking a message") { db in
            try db.execute(
                sql: """
                    UPDATE sms_messages SET state = 'failed', reason = 'nobody waited for it any longer'
                    WHERE \(waits) AND created_at < ?
                    """, arguments: [cutoff.milliseconds])
            return try Self.take(db, waits, at: now)
        }
    }

    /// Takes one test.
    ///
    /// - Returns: nil when it doesn't wait any longer.
    package func beginTest(id: Int64, at now: Instant) throws -> StoredMessage? {
        try write("Taking a test message") { try Self.take($0, "\(Self.testWaits) AND id = \(id)", at: now) }
    }

    private static let testWaits = "passage_client_id IS NULL AND question IS NULL AND state = 'queued'"

    private static func take(_ db: Database, _ condition: String, at now: Instant) throws -> StoredMessage? {
        let id = try Int64.fetchOne(db, sql: "SELECT id FROM sms_messages WHERE \(condition) ORDER BY id LIMIT 1")
        guard let id else { return nil }
        try noteHandOver(db, message: id, at: now)
        return try Row.fetchOne(db, cached: "SELECT * FROM sms_messages WHERE id = ?", arguments: [id])
            .map(StoredMessage.init)
    }
}
