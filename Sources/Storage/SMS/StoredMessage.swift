import Enforcement
import Foundation
import GRDB

/// An SMS on record: that of a passage, an answer to the office, or a technician's test.
package struct StoredMessage: Sendable, Equatable, Identifiable {
    package var id: Int64

    /// nil for an answer and a test.
    package var passageClientID: UUID?

    /// The number of the question that it answers; nil for the others.
    package var question: Int64?
    package var number: String

    /// As it was handed over last; empty when the passage can't be written.
    package var text: String
    package var state: MessageState

    /// How often the modem's answer was lost.
    package var lostAnswers: Int

    /// How often a modem got it without refusing it.
    package var handOvers: Int

    /// Why it was refused, or failed.
    package var reason: String?
    package var createdAt: Instant
    package var handedOverAt: Instant?
    package var settledAt: Instant?

    /// Its text, and what it is where it is no passage's.
    package var said: String {
        if passageClientID != nil { return text }
        return (question == nil ? "test: " : "answer: ") + text
    }

    init(_ row: Row) throws {
        id = try row.decode(Int64.self, forColumn: "id")
        passageClientID = try row.optionalUUID("passage_client_id")
        question = try row.decode(Int64?.self, forColumn: "question")
        number = try row.text("number")
        text = try row.text("text")
        state = try row.choice("state")
        lostAnswers = try row.integer("lost_answers")
        handOvers = try row.integer("hand_overs")
        reason = try row.optionalText("reason")
        createdAt = try row.instant("created_at")
        handedOverAt = try row.optionalInstant("handed_over_at")
        settledAt = try row.optionalInstant("settled_at")
    }
}

/// What came of asking to send a message: see ``Store/beginSending(entry:to:at:compose:)``.
package enum HandOver: Sendable, Equatable {
    /// It is on the disk as `sending`: the modem may have the text.
    case begun(message: Int64, text: String)

    /// It can't be written as an SMS.
    case unwritable(message: Int64, reason: String)

    /// It needs no SMS any longer: it is at the server, on the way to it, refused by it, or withdrawn.
    case overtaken
}

/// How many SMS there were.
package struct MessageCounts: Sendable, Equatable {
    /// Handed over since midnight, within 60 minutes and within 24 hours.
    package var today = 0
    package var lastHour = 0
    package var lastDay = 0

    /// Messages of passages by state; a state without any is there with zero.
    package var byState: [MessageState: Int] = [:]

    /// Messages from others that were deleted, ever and since midnight.
    package var inbound = 0
    package var inboundToday = 0
}
