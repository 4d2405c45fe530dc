import Enforcement
import GRDB

/// Texts that carry several passages: each passage has its own row, with the text of all, and the rows know each other by `batch`.
extension MessageTable {
    /// The highest number that a text of this box has.
    static func lastTextNumber(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, cached: "SELECT last FROM sms_numbers") ?? 0
    }

    /// Makes one text of these messages, the first of which stands for all.
    static func join(_ db: Database, _ messages: [Int64], textNumber: Int64) throws {
        for message in messages {
            try db.execute(
                cached: "UPDATE sms_messages SET batch = ?, text_number = ? WHERE id = ?",
                arguments: [messages[0], textNumber, message])
        }
        try db.execute(
            cached: """
                INSERT INTO sms_numbers (id, last) VALUES (1, ?)
                ON CONFLICT (id) DO UPDATE SET last = excluded.last
                """,
            arguments: [textNumber])
    }

    /// The messages in the same text as this one that are in one of these states.
    static func companions(_ db: Database, of message: Int64, in states: [MessageState]) throws -> [Int64] {
        try Row.fetchAll(
            db,
            cached: """
                SELECT o.id, o.state FROM sms_messages AS o JOIN sms_messages AS m ON m.batch = o.batch
                WHERE m.id = ?1 AND o.id <> ?1 ORDER BY o.id
                """, arguments: [message]
        ).filter { states.contains(try $0.choice("state")) }.map { try $0.decode(Int64.self, forColumn: "id") }
    }

    /// What goes along costs nothing of its own: the hand-over is noted with the first message.
    static func noteSending(_ db: Database, messages: [Int64], at now: Instant) throws {
        for message in messages {
            try db.execute(
                cached: """
                    UPDATE sms_messages SET state = 'sending', hand_overs = hand_overs + 1, handed_over_at = ?,
                        reason = NULL WHERE id = ?
                    """, arguments: [now.milliseconds, message])
        }
    }

    /// What became of a text holds for all that it carries. Only a text that is given up is the fault of the message that stands for it: the
    /// others wait again, and go without it.
    static func settleCompanions(
        _ db: Database, message: Int64, _ settlement: MessageSettlement, at now: Instant
    ) throws {
        var state = settlement.state
        if state == .failed { state = settlement.lostAnswers > 0 ? .ambiguous : .queued }
        let companions = try companions(db, of: message, in: [.sending, .ambiguous])
        for companion in companions {
            try db.execute(
                cached: """
                    UPDATE sms_messages SET state = ?, lost_answers = ?, reason = ?, settled_at = ?,
                        hand_overs = hand_overs - ? WHERE id = ?
                    """,
                arguments: [
                    state.rawValue, settlement.lostAnswers, settlement.reason, now.milliseconds,
                    settlement.takesBack ? 1 : 0, companion,
                ])
            if state.isTold { try markTold(db, message: companion) }
        }
        guard state == .queued else { return }
        if settlement.takesBack { try takeBackNumber(db, of: message) }
        // The next text is written anew, perhaps with others.
        for message in companions + [message] {
            try db.execute(
                cached: "UPDATE sms_messages SET batch = NULL, text_number = NULL WHERE id = ?", arguments: [message])
        }
    }

    /// A text that went nowhere leaves no gap among the numbers.
    private static func takeBackNumber(_ db: Database, of message: Int64) throws {
        try db.execute(
            cached: """
                UPDATE sms_numbers SET last = last - 1
                WHERE last = (SELECT text_number FROM sms_messages WHERE id = ?)
                """,
            arguments: [message])
    }
}
