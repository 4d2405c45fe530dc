/// Where the text console can be, and what it can ask for.
extension WatchScreen {
    /// Something to ask of the console's API.
    enum Request: Equatable {
        case record
        /// Without a type the box guesses it from the plate.
        case submit(id: String, plate: String, type: String?)
        case discard(id: String)
        case restore(id: String)
        /// The vehicle is the one of a passage that the camera has made.
        case confirm(id: String, passage: String)
        case later(id: String)
        /// What was done about a violation that had no outcome when it was chosen. `isSure`: also in place of another's.
        case outcome(violation: String, kind: String, fine: String, notes: String, isSure: Bool)
        case dismiss(overstay: String, reason: String)
        case correct(passage: String, plate: String, reason: String)
        case withdraw(passage: String, reason: String)
        case search(String)
        case quit

        /// Whether it would replace what somebody else did.
        var isOutcome: Bool {
            if case .outcome(_, _, _, _, false) = self { true } else { false }
        }
    }

    enum Place: Equatable {
        case passages
        case found
        case passage(Passage)
        case correction(of: Passage)
        case correctionReason(of: Passage, plate: String)
        case withdrawal(of: Passage)
        case reviews
        case discarding(Review)
        /// The camera has recorded it, as it seems: is it that vehicle?
        case recorded(Review, Review.Recorded)
        case plate(id: String)
        case alerts
        case overstays
        case outcome(alert: Alert)
        case fine(violation: String)
        case notes(violation: String, kind: String, fine: String)
        /// Somebody else recorded another outcome meanwhile: is this one to hold?
        case sureOutcome(violation: String, kind: String, fine: String, notes: String)
        case reason(overstay: Alert)
        case dismissing(overstay: Alert, reason: String)
        case search
        case help
    }
}
