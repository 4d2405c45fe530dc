import Enforcement
import Foundation
import GRDB
import ParkAPI

/// Text messages: of passages on their way, tests, and what came in.
package struct MessageTable: Table {
    let store: Store
}

extension MessageTable {
    /// Hand-overs are remembered for so long: budgets count a day.
    private static let handOverAge = TimeSpan.hours(31 * 24)

    /// Entries of passages that could go out by SMS, in the order in which they were recorded, with what is known of their
    /// messages. The number of an entry says the order, since a clock that was put back doesn't.
    ///
    /// Left out: what the server has, gets now or refuses, what is withdrawn, what was told or can't be, what was lost twice,
    /// what was recorded on a clock that isn't trusted (see ``heldBackFromSMS()``), and what the server may have under the plate of
    /// before a correction.
    ///
    /// - Parameters:
    ///   - limit: so many from the front, or from the end of those that the newest come first of.
    ///   - createdSince: older entries go by the data link alone.
    ///   - lostAnswers: one whose answer was lost more often goes no more.
    package func waiting(
        limit: Int = 50, createdSince: Instant = Instant(milliseconds: 0), newestFirst: Bool = false,
        lostAnswers: Int = 1
    ) throws -> [EscalationPolicy.Entry] {
        try read("Reading what waits for SMS") { db in
            try Row.fetchAll(
                db,
                composed: """
                    SELECT q.id, q.created_at, q.status, m.state, coalesce(m.lost_answers, 0) AS lost_answers
                    FROM sync_queue AS q JOIN passages AS p ON p.client_id = q.passage_client_id
                    LEFT JOIN sms_messages AS m ON m.passage_client_id = q.passage_client_id
                    WHERE q.entity = 'passage' AND \(Self.needsSMS)
                        AND (m.id IS NULL OR (m.state IN ('queued', 'sending', 'ambiguous') AND m.lost_answers <= ?))
                        AND q.created_at >= ?
                    ORDER BY q.id \(newestFirst ? "DESC" : "ASC") LIMIT ?
                    """, arguments: [lostAnswers, createdSince.milliseconds, limit]
            ).map { row in
                EscalationPolicy.Entry(
                    id: try row.decode(Int64.self, forColumn: "id"), createdAt: try row.instant("created_at"),
                    standing: try row.text("status") == "failed" ? .failedAfterAttempts : .pending,
                    message: try row.optionalText("state").flatMap(MessageState.init(rawValue:)),
                    lostAnswers: try row.integer("lost_answers"))
            }.sorted { $0.id < $1.id }
        }
    }

    private static let waitsForServer =
        "q.status IN ('pending', 'failed') AND q.is_refused = 0 AND q.sms_sent = 0 AND q.resent_at IS NULL "
        + "AND p.withdrawn_at IS NULL"

    /// A text of version V1 has no place for the state of the clock: the server would take its time for a good one.
    static let needsSMS = "\(waitsForServer) AND p.clock_state <> 'untrusted' AND NOT \(mayBeThereOtherwise)"

    /// Offered to the server, which may have it, and corrected since: its text would be another passage there.
    private static let mayBeThereOtherwise = """
        EXISTS (SELECT 1 FROM passage_corrections AS c WHERE c.passage_client_id = p.client_id AND c.kind = 'corrected'
            AND c.at >= q.last_attempt_at)
        """

    /// How many passages wait for the data link alone, since their clock isn't trusted.
    package func heldBack() throws -> Int {
        try read("Counting what doesn't go by SMS") { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM sync_queue AS q JOIN passages AS p ON p.client_id = q.passage_client_id
                    WHERE q.entity = 'passage' AND \(Self.waitsForServer) AND p.clock_state = 'untrusted'
                    """) ?? 0
        }
    }

    /// Writes what became of a message; that it was told goes into its queue entry too.
    package func settle(message id: Int64, _ settlement: MessageSettlement, at now: Instant) throws {
        try write("Writing down what became of an SMS") { db in
            guard try Self.settle(db, message: id, settlement, at: now) else {
                throw StoreError(.unknown, "There is no SMS \(id).")
            }
        }
    }

    /// The same of the message of a queue entry. One that is gone with its passage needs no word any longer.
    package func settle(entry: Int64, _ settlement: MessageSettlement, at now: Instant) throws {
        try write("Writing down what became of an SMS") { db in
            let id = try Int64.fetchOne(
                db,
                cached: """
                    SELECT m.id FROM sms_messages AS m JOIN sync_queue AS q ON q.passage_client_id = m.passage_client_id
                    WHERE q.id = ? AND q.entity = 'passage'
                    """, arguments: [entry])
            if let id { _ = try Self.settle(db, message: id, settlement, at: now) }
        }
    }

    /// What was being sent when the box stopped: nobody knows whether it went out.
    ///
    /// - Returns: how many.
    @discardableResult
    package func recover(at now: Instant) throws -> Int {
        try write("Recovering messages") { db in
            try db.execute(
                cached: """
                    UPDATE sms_messages SET state = 'ambiguous', lost_answers = lost_answers + 1, settled_at = ?,
                        reason = 'the box stopped before the modem''s answer was written down'
                    WHERE state = 'sending'
                    """, arguments: [now.milliseconds])
            return db.changesCount
        }
    }

    // MARK: Parts of transactions

    /// - Returns: whether there is such a message.
    private static func settle(
        _ db: Database, message id: Int64, _ settlement: MessageSettlement, at now: Instant
    ) throws -> Bool {
        try db.execute(
            cached: "UPDATE sms_messages SET state = ?, lost_answers = ?, reason = ?, settled_at = ? WHERE id = ?",
            arguments: [
                settlement.state.rawValue, settlement.lostAnswers, settlement.reason, now.milliseconds, id,
            ])
        guard db.changesCount == 1 else { return false }
        try settleCompanions(db, message: id, settlement, at: now)
        if settlement.takesBack { try takeBackHandOver(db, message: id) }
        for (index, reference) in settlement.references.enumerated() {
            try db.execute(
                cached: """
                    INSERT INTO sms_parts (message_id, part, reference, accepted_at) VALUES (?, ?, ?, ?)
                    ON CONFLICT (message_id, part) DO UPDATE SET reference = excluded.reference,
                        accepted_at = excluded.accepted_at, status = NULL, reported_at = NULL
                    """, arguments: [id, index + 1, Int(reference), now.milliseconds])
        }
        if settlement.state.isTold { try markTold(db, message: id) }
        return true
    }

    static func upsert(_ db: Database, client: String, number: String, text: String, at now: Instant) throws -> Int64 {
        try db.execute(
            cached: """
                INSERT INTO sms_messages (passage_client_id, number, text, state, created_at)
                VALUES (?, ?, ?, 'queued', ?)
                ON CONFLICT (passage_client_id) DO UPDATE SET number = excluded.number, text = excluded.text
                """, arguments: [client, number, text, now.milliseconds])
        let id = try Int64.fetchOne(
            db, cached: "SELECT id FROM sms_messages WHERE passage_client_id = ?", arguments: [client])
        guard let id else { throw StoreError(.other, "An SMS was written and is not there.") }
        return id
    }

    static func noteHandOver(_ db: Database, message id: Int64, at now: Instant) throws {
        try db.execute(
            cached: """
                UPDATE sms_messages SET state = 'sending', hand_overs = hand_overs + 1, handed_over_at = ?, reason = NULL
                WHERE id = ?
                """, arguments: [now.milliseconds, id])
        try db.execute(
            cached: "INSERT INTO sms_hand_overs (message_id, at) VALUES (?, ?)", arguments: [id, now.milliseconds])
        try db.execute(
            cached: "DELETE FROM sms_hand_overs WHERE at < ?", arguments: [(now - handOverAge).milliseconds])
    }

    private static func takeBackHandOver(_ db: Database, message id: Int64) throws {
        try db.execute(
            cached: "DELETE FROM sms_hand_overs WHERE id = (SELECT max(id) FROM sms_hand_overs WHERE message_id = ?)",
            arguments: [id])
        if db.changesCount == 1 {
            try db.execute(cached: "UPDATE sms_messages SET hand_overs = hand_overs - 1 WHERE id = ?", arguments: [id])
        }
    }

    static func markTold(_ db: Database, message id: Int64) throws {
        try db.execute(
            cached: """
                UPDATE sync_queue SET sms_sent = 1 WHERE entity = 'passage'
                    AND passage_client_id = (SELECT passage_client_id FROM sms_messages WHERE id = ?)
                """, arguments: [id])
    }
}
