import Foundation
import Testing

@testable import Enforcement

/// One line a step: what stands here, what is said, what follows.
@Suite("A passage of this post that the server has no longer", .timeLimit(.minutes(5)))
struct OwnStandingReturnTests: OwnStandingSteps {
    @Test func `comes back after a deletion, a line a step`() {
        let rests = here(.deletedThere, at: row, entries: [resting(1), resting(3, .outcome), entry(4, .alert)])
        let returned: [ReconciliationAction] = [.putInForce(passage: own)] + forgotten
        let back = note(plate, "put back at the server", "the park's server")
        let asked = note(plate, "sent again after it was deleted at the server", "queue retry")
        check([
            (
                "its row stands again", rests, told(),
                returned + [.write(entry(1)), .write(entry(3, .outcome, .pending)), back]
                    + [.setServerID(row, passage: own)]
            ),
            (
                "its row stands again, matched as before",
                here(.deletedThere, at: row, matchedThere: partnerRow, entries: [resting(1)]), told(match: partnerRow),
                returned + [.write(entry(1)), back, .setServerID(row, passage: own)]
                    + [.setServerMatch(partnerRow, passage: own)]
            ),
            ("a person asks for it", rests, .askedFor(entry: 1), returned + [asked]),
            ("a person asks for what follows it", rests, .askedFor(entry: 3), []),
            (
                "a person asks for one that failed", here(entries: [entry(1, .passage, .failed)]), .askedFor(entry: 1),
                []
            ),
        ])
    }

    @Test func `is lost at the server, a line a step`() {
        let again = ReconciliationAction.write(entry(1, .passage, .pending, resentAt: now))
        let judged = here(matchedThere: partnerRow, with: found(.confirmed))
        let followed = here(
            entries: [entry(1), entry(2, .correction), entry(3, .outcome), entry(4, .outcome), entry(5, .alert)],
            last: 20)
        check([
            ("nobody sent it yet", here(entries: [entry(1, .passage, .pending)]), .lostThere(holdingOutcomes: []), []),
            ("alone", here(), .lostThere(holdingOutcomes: []), [again] + forgotten),
            (
                "with its match and its violation", judged, .lostThere(holdingOutcomes: []),
                [again] + forgotten + [.doubtMatch(7), .doubtViolation(violation)]
            ),
            (
                "with what followed it: of outcomes the one that holds", followed,
                .lostThere(holdingOutcomes: [40]),
                [again] + forgotten + [
                    .write(entry(4, .outcome, .pending)), .write(entry(5, .alert, .pending)),
                    .write(entry(2, .correction, .pending)),
                ]
            ),
            (
                "with a correction that was refused for its sake",
                here(entries: [entry(1), entry(2, .correction, .failed, refused: true, error: "no such passage")]),
                .lostThere(holdingOutcomes: []),
                [again] + forgotten + [.write(entry(2, .correction, .pending, error: "no such passage"))]
            ),
            (
                "with a refusal that a person took note of",
                here(entries: [entry(1), entry(2, .correction, .failed, refused: true, .discarded)]),
                .lostThere(holdingOutcomes: []), [again] + forgotten
            ),
            ("its correction alone", followed, .correctionLostThere, [.write(entry(2, .correction, .pending))]),
            (
                "a correction that the warden followed", here(entries: [entry(1), entry(2, .correction)], last: 21),
                .correctionLostThere, []
            ),
        ])
    }

    @Test func `is wanted there once more by a person, a line a step`() {
        let again = ReconciliationAction.write(entry(1, .passage, .pending, resentAt: now))
        let word = OwnStanding.Event.wantedAgain(withPhoto: false)
        let judged = here(matchedThere: partnerRow, with: found(.confirmed))
        let followed = here(entries: [entry(1), entry(2, .correction), entry(3, .outcome), entry(5, .alert)], last: 20)
        check([
            ("alone", here(), word, [again]),
            ("with its photo", here(), .wantedAgain(withPhoto: true), [again, .uploadPhotoAgain(passage: own)]),
            ("what the server said of it stays", judged, word, [again]),
            ("with its last change, and no outcome", followed, word, [again, .write(entry(2, .correction, .pending))]),
            (
                "a change that the warden followed", here(entries: [entry(1), entry(2, .correction)], last: 21), word,
                [again]
            ),
            (
                "withdrawn: its withdrawal alone",
                here(.withdrawn, entries: [entry(1), entry(2, .correction)], last: 20), word,
                [.write(entry(2, .correction, .pending))]
            ),
            ("deleted by the warden", here(.deletedThere, entries: [resting(1)]), word, []),
            ("it waits", here(entries: [entry(1, .passage, .pending)]), word, []),
            ("it was refused", here(entries: [entry(1, .passage, .failed, refused: true)]), word, []),
        ])
    }
}
