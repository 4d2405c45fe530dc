/// What became of a message, as it is written down.
package struct MessageSettlement: Hashable, Sendable {
    package var state: MessageState
    package var lostAnswers: Int
    package var reason: String?

    /// What the network calls its parts, in order; empty unless it was accepted.
    package var references: [UInt8]

    /// Nothing went out: the hand-over doesn't count.
    package var takesBack: Bool

    package init(
        state: MessageState, lostAnswers: Int, reason: String? = nil, references: [UInt8] = [], takesBack: Bool = false
    ) {
        self.state = state
        self.lostAnswers = lostAnswers
        self.reason = reason
        self.references = references
        self.takesBack = takesBack
    }

    /// Of a text whose answer was lost.
    package static func ambiguous(lostAnswers: Int) -> MessageSettlement {
        MessageSettlement(
            state: .ambiguous, lostAnswers: lostAnswers, reason: "the modem had the text and did not answer")
    }
}
