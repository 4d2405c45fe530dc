import Foundation
import Testing

@testable import Enforcement

/// One line a step: what stands here, what is said, what follows.
@Suite("A passage of this post, when something is said of it", .timeLimit(.minutes(5)))
struct OwnStandingTests: OwnStandingSteps {
    @Test func `takes the server's match, a line a step`() {
        let seen = here(matchedThere: partnerRow, with: found(.confirmed))
        check([
            ("nothing new", here(), told(), []),
            ("its row id", here(at: .some(nil)), told(), [.setServerID(row, passage: own)]),
            (
                "found here, and not said yet", here(with: found(.provisional)), told(), []
            ),
            (
                "the same as here", here(with: found(.provisional)), told(match: partnerRow),
                [.setServerMatch(partnerRow, passage: own), .confirmMatch(7)]
            ),
            ("the same again", seen, told(match: partnerRow), []),
            (
                "none here", here(), told(match: partnerRow, isMatched: false),
                [.setServerMatch(partnerRow, passage: own), .setMatched(true, remote: remote)]
            ),
            (
                "one whose partner is not here yet", here(), told(match: partnerRow, isHere: false),
                [.setServerMatch(partnerRow, passage: own)]
            ),
            (
                "another one than here", here(with: found(.provisional, with: another)), told(match: partnerRow),
                [.setServerMatch(partnerRow, passage: own)] + goes(from: another)
                    + [.resolveAlert(entry: own, exit: remote, at: now)]
            ),
            (
                "another one than what it had judged", here(with: found(.confirmed, with: another)),
                told(match: partnerRow),
                [.setServerMatch(partnerRow, passage: own)] + goes(.confirmed, from: another)
                    + [.withdrawViolation(violation), .resolveAlert(entry: own, exit: remote, at: now)]
            ),
            (
                "none any longer", seen, told(),
                [.setServerMatch(nil, passage: own)] + goes(.confirmed) + [.withdrawViolation(violation)]
            ),
            (
                "none any longer, of one whose alert it had answered",
                here(
                    matchedThere: partnerRow,
                    with: Findings(alerts: [AlertOnRecord(entry: own, isResolved: true, resolvedBy: remote)])),
                told(), [.setServerMatch(nil, passage: own), .reopenAlert(entry: own)]
            ),
            (
                "one, where plates only looked alike", here(with: Findings(matches: [lookAlike])),
                told(match: partnerRow),
                [.setServerMatch(partnerRow, passage: own), .withdrawMatch(8)]
            ),
            (
                "a partner that another passage has here",
                here(with: Findings(matches: [match(.provisional, of: another)])), told(match: partnerRow),
                [
                    .setServerMatch(partnerRow, passage: own), .withdrawMatch(7), .setMatched(false, remote: remote),
                    .setMatched(true, remote: remote),
                ]
            ),
            (
                "the exit of an overstay", here(with: Findings(alerts: [AlertOnRecord(entry: own)])),
                told(match: partnerRow),
                [.setServerMatch(partnerRow, passage: own), .resolveAlert(entry: own, exit: remote, at: now)]
            ),
            ("anything of one that is withdrawn", here(.withdrawn), told(match: partnerRow), []),
        ])
    }

    @Test func `takes the server's plate, a line a step`() {
        let waiting = here(entries: [entry(1), entry(2, .correction, .pending)])
        let theirs = note(corrected, "corrected at the server", "the park's server")
        check([
            ("the same, however it is spelt", here(), told(plate: Plate(canonical: "BA1PA1234")), []),
            ("another one", here(), told(plate: corrected), [theirs, .setPlate(corrected, passage: own)]),
            (
                "another one, with its match", here(matchedThere: partnerRow, with: found(.confirmed)),
                told(plate: corrected, match: partnerRow),
                [theirs] + goes(.confirmed) + [
                    .withdrawAlert(entry: own), .setServerMatch(nil, passage: own), .setPlate(corrected, passage: own),
                    .setServerMatch(partnerRow, passage: own),
                ]
            ),
            ("another one, where a ranger's waits", waiting, told(plate: corrected, match: partnerRow), []),
            (
                "the one of before, where a ranger's waits", waiting, told(plate: plate, match: partnerRow),
                [.setServerMatch(partnerRow, passage: own)]
            ),
            ("nothing of it, where a ranger's waits", waiting, told(match: partnerRow), []),
            (
                "another one, where a ranger's was refused",
                here(entries: [entry(1), entry(2, .correction, .failed, refused: true)]), told(plate: corrected), []
            ),
            (
                "another one, where the upload waits", here(entries: [entry(1, .passage, .pending)]),
                told(plate: corrected), []
            ),
            (
                "another one, where an outcome waits", here(entries: [entry(1), entry(2, .outcome, .pending)]),
                told(plate: corrected), [theirs, .setPlate(corrected, passage: own)]
            ),
        ])
    }

    @Test func `is withdrawn and deleted at the server, a line a step`() {
        let gone: [ReconciliationAction] = [.withdrawPassage(own), .dropPhotoUpload(passage: own)]
        let deleted = note(nil, "deleted at the server", "the park's server")
        let took: [ReconciliationAction] = [.markDeletedThere(passage: own)]
        check([
            (
                "withdrawn, with what it was judged for", here(matchedThere: partnerRow, with: found(.confirmed)),
                .withdrawnThere,
                [note(nil, "withdrawn at the server", "the park's server")] + goes(.confirmed)
                    + [.withdrawAlert(entry: own), .setServerMatch(nil, passage: own)] + gone + took
                    + [.withdrawViolation(violation), .write(resting(1, .passage, "withdrawn at the server"))]
            ),
            ("withdrawn again", here(.withdrawn), .withdrawnThere, []),
            ("deleted", here(), .deletedThere(row: row), [deleted] + gone + took + [.write(resting(1))]),
            (
                "deleted, before its row was told", here(at: .some(nil)), .deletedThere(row: row),
                [deleted] + gone + took + [.write(resting(1))]
            ),
            ("another row of its ids deleted", here(), .deletedThere(row: another), []),
            ("deleted, and withdrawn here before", here(.withdrawn), .deletedThere(row: row), []),
            (
                "deleted, with what it was judged for", here(matchedThere: partnerRow, with: found(.confirmed)),
                .deletedThere(row: row),
                [deleted] + goes(.confirmed) + [.withdrawAlert(entry: own), .setServerMatch(nil, passage: own)] + gone
                    + took + [.withdrawViolation(violation), .write(resting(1))]
            ),
            (
                "deleted, with what follows it on its way",
                here(entries: [entry(1), entry(2, .correction), entry(3, .outcome, .pending)]), .deletedThere(row: row),
                [deleted] + gone + took + [.write(resting(1)), .write(resting(3, .outcome))]
            ),
            (
                "its withdrawal taken", here(.withdrawn, with: found(.confirmed)), .takenOffRecord,
                [.withdrawViolation(violation)]
            ),
            (
                "its withdrawal taken, with a finding of this post", here(.withdrawn, with: found(.provisional)),
                .takenOffRecord, []
            ),
        ])
    }

    @Test func `is changed by a ranger and refused a match, a line a step`() {
        check([
            (
                "corrected", here(), .changed(newPlate: corrected, reason: "misread", by: "Sita"),
                [note(corrected, "misread", "Sita", told: true), .setPlate(corrected, passage: own)]
            ),
            (
                "withdrawn, with what followed", here(with: found(.provisional)),
                .changed(newPlate: nil, reason: "a dog", by: "Sita"),
                [note(nil, "a dog", "Sita", told: true)] + goes() + [
                    .withdrawAlert(entry: own), .withdrawPassage(own), .dropPhotoUpload(passage: own),
                ]
            ),
            ("corrected, though withdrawn", here(.withdrawn), .changed(newPlate: plate, reason: "", by: ""), []),
            ("corrected, though deleted there", here(.deletedThere), .changed(newPlate: plate, reason: "", by: ""), []),
            (
                "a match that the server won't have", here(with: found(.provisional)), .matchRefused(7),
                goes() + [.setMatched(true, remote: remote)]
            ),
            ("a match that it confirmed meanwhile", here(with: found(.confirmed)), .matchRefused(7), []),
            ("a match that is gone", here(), .matchRefused(7), []),
            ("a match across another passage", here(with: found(.provisional)), .matchContradicted, goes()),
            ("a match of the server's across another passage", here(with: found(.confirmed)), .matchContradicted, []),
        ])
    }

    @Test func `takes a repeated word for what it is`() {
        let words: [OwnStanding.Event] = [
            told(), told(plate: corrected), told(match: partnerRow), told(plate: corrected, match: partnerRow),
            .deletedThere(row: row), .withdrawnThere, .takenOffRecord,
        ]
        let states = [
            here(), here(.withdrawn), here(.deletedThere, entries: [resting(1)]), here(with: found(.provisional)),
            here(matchedThere: partnerRow, with: found(.confirmed)), here(with: found(.provisional, with: another)),
            here(entries: [entry(1), entry(2, .correction, .pending)]),
        ]
        for (state, word) in states.flatMap({ state in words.map { (state, $0) } }) {
            var standing = state
            _ = standing.handle(word, at: now)
            #expect(standing.handle(word, at: now) == [], "\(state) \(word)")
        }
    }
}
