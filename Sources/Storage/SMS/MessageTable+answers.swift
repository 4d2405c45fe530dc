import Enforcement
import GRDB

/// What the office asks by SMS, and the texts that answer it. An answer is a message without a passage that names its question.
extension MessageTable {
    /// So many questions are answered within a day: whoever has the key can't spend the SIM.
    package static let mostQuestionsADay = 12

    /// An answer that has waited so long is given up: somebody can ask again.
    static let answerAge = TimeSpan.hours(24)

    /// What became of a question that came.
    package enum QuestionTaken: Sendable, Equatable {
        /// Its answers wait for the modem.
        case taken
        /// It, or one after it, was answered already: a text that came twice, or that somebody has kept.
        case old
        case tooMany
    }

    /// Takes a question and writes its answers down, in one transaction: each is answered once, whenever the power goes.
    ///
    /// - Parameters:
    ///   - number: of the question.
    ///   - gateway: where the answers go.
    package func take(
        question number: Int64, answers: [String], to gateway: String, at now: Instant
    ) throws -> QuestionTaken {
        try write("Writing down a question by SMS") { db in
            let last = try Int64.fetchOne(db, cached: "SELECT max(number) FROM sms_questions") ?? 0
            guard number > last else { return .old }
            // What was answered at a time that is still to come was answered by a clock that was wrong.
            let today = try Int.fetchOne(
                db, cached: "SELECT count(*) FROM sms_questions WHERE taken_at > ? AND taken_at <= ?",
                arguments: [(now - .hours(24)).milliseconds, now.milliseconds])
            guard (today ?? 0) < Self.mostQuestionsADay else { return .tooMany }
            try db.execute(
                cached: "INSERT INTO sms_questions (number, taken_at) VALUES (?, ?)",
                arguments: [number, now.milliseconds])
            try db.execute(
                cached: """
                    DELETE FROM sms_questions WHERE number NOT IN
                        (SELECT number FROM sms_questions ORDER BY number DESC LIMIT 100)
                    """)
            for answer in answers {
                try db.execute(
                    cached: """
                        INSERT INTO sms_messages (number, text, state, created_at, question) VALUES (?, ?, 'queued', ?, ?)
                        """, arguments: [gateway, answer, now.milliseconds, number])
            }
            return .taken
        }
    }

    /// Texts of version V2 that went out, or may have, in the order of their numbers. Those whose passages are no longer kept are gone too.
    package func sentTexts(numbers: ClosedRange<Int64>) throws -> [String] {
        try read("Reading texts that went out") { db in
            try String.fetchAll(
                db,
                cached: """
                    SELECT text FROM sms_messages WHERE text_number BETWEEN ? AND ? AND batch = id
                        AND state IN ('sent', 'delivered', 'ambiguous', 'failed') AND text <> ''
                    ORDER BY text_number
                    """, arguments: [numbers.lowerBound, numbers.upperBound])
        }
    }

    /// The number of the last text of version V2 that was written here; 0 where there was none.
    package func lastTextNumber() throws -> Int64 {
        try read("Reading the number of the last text") { try Self.lastTextNumber($0) }
    }

    /// Takes the first answer that waits.
    ///
    /// - Returns: the answer, now written down as `sending`.
    package func beginAnswer(at now: Instant) throws -> StoredMessage? {
        try begin(Self.answerWaits, since: now - Self.answerAge, at: now)
    }

    private static let answerWaits = "question IS NOT NULL AND state = 'queued'"
}
