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
        /// What was done about a violation. `seen`: the version of its outcomes when it was chosen, `0` for none; nil: in place of
        /// whatever holds.
        case outcome(violation: String, kind: String, fine: String, notes: String, seen: String?)
        case dismiss(overstay: String, reason: String)
        case correct(passage: String, plate: String, reason: String)
        case withdraw(passage: String, reason: String)
        /// Two plates that look alike are two vehicles, or one that the other post read right.
        case reject(match: String)
        case accept(match: String)
        case restoreMatch(String)
        case synchronise
        /// Puts an entry of the queue back in line; all without one.
        case retry(entry: String?)
        case search(String)
        /// Everything in another language.
        case speak(String)
        case quit

        /// Whether it would replace what somebody else did.
        var isOutcome: Bool {
            if case .outcome(_, _, _, _, .some) = self { true } else { false }
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
        /// Plates that look alike, for a ranger to judge.
        case matches
        case rejecting(Match)
        case accepting(Match)
        /// What was decided in the last day.
        case outcomes
        case queue
        case outcome(Judged)
        case fine(Judged)
        case notes(Judged, kind: String, fine: String)
        /// Somebody else recorded another outcome meanwhile: is this one to hold?
        case sureOutcome(violation: String, kind: String, fine: String, notes: String)
        case reason(overstay: Alert)
        case dismissing(overstay: Alert, reason: String)
        case search
        case help
    }

    /// A violation whose outcome is being recorded or changed, and what was known of it when it was chosen.
    struct Judged: Equatable {
        var alert: Alert

        /// The version of its outcomes; `0` for none.
        var seen = "0"
        var fine = ""
        var notes = ""

        /// What holds, and by whom; nil where nothing does.
        var holds: String?

        var violation: String { alert.violationID ?? "" }

        init(_ alert: Alert) { self.alert = alert }

        init(_ done: Done, _ texts: WatchTexts) {
            alert = done.alert
            (seen, fine, notes) = (done.seen, done.fine, done.notes)
            holds = texts("holds", ["what": done.what, "by": done.by])
        }
    }
}
