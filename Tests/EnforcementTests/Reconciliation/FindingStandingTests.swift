import Foundation
import Testing

@testable import Enforcement

@Suite("A finding here, when the server tells of it", .timeLimit(.minutes(5)))
struct FindingStandingTests {
    private let noon = Instant(milliseconds: 1_795_255_200_000)
    private let own = UUID()
    private let remote = UUID()
    private let known = UUID()
    private let serverID = UUID()
    private let plate = Plate(canonical: "BA 1 PA 1234")

    // MARK: Violations

    private var told: ServerViolation {
        ServerViolation(
            serverID: serverID, kind: .speeding, entryServerID: UUID(), exitServerID: UUID(),
            plate: Plate(canonical: "BA1PA1234"), vehicleType: .car, entryTime: noon, exitTime: noon + .minutes(45),
            distanceKm: 45, speedLimitKmh: 40, calculatedSpeedKmh: 60, isImplausible: false)
    }

    private func judged(_ id: UUID, plate: Plate? = nil) -> Violation {
        Violation(
            id: id, kind: .speeding, entryClientID: remote, exitClientID: own, plate: plate ?? self.plate,
            vehicleType: .car, entryTime: noon, exitTime: noon + .minutes(45), distanceKm: 45, speedLimitKmh: 40,
            calculatedSpeedKmh: 60, isImplausible: false, state: .confirmed)
    }

    private func candidate(
        _ state: FindingState, told: UUID? = nil, exit: UUID? = nil, withdrawn: Double? = nil,
        outcome: QueueStatus? = nil, id: UUID? = nil
    ) -> JudgedStanding.Candidate {
        JudgedStanding.Candidate(
            violation: ViolationStanding(
                id: id ?? known, own: own, entry: remote, exit: exit ?? own, state: state, serverID: told),
            withdrawnAt: withdrawn.map { noon + .minutes($0) }, hasOutcome: outcome != nil,
            outcomeEntries: outcome.map { [entry(3, $0)] } ?? [])
    }

    private func entry(_ id: Int64, _ status: QueueStatus, refused: Bool = false) -> QueueEntry {
        QueueEntry(
            id: id, entity: .outcome, passageClientID: own, subjectID: 1, status: status, isRefused: refused,
            createdAt: noon)
    }

    private func here(_ candidates: JudgedStanding.Candidate..., plate: Plate? = nil) -> JudgedStanding {
        JudgedStanding(
            entry: .init(clientID: remote, isOwn: false), exit: .init(clientID: own, isOwn: true),
            candidates: candidates, match: 7, ownPlate: plate ?? self.plate)
    }

    private func confirmed(_ id: UUID, plate: Plate? = nil) -> ReconciliationAction {
        .confirmViolation(judged(id, plate: plate), serverID: serverID, own: own, match: 7)
    }

    @Test func `takes a violation of the server's, a line a step`() {
        let new: [ReconciliationAction] = [.recordViolation(judged(serverID), own: own), confirmed(serverID)]
        let again = ReconciliationAction.write(entry(3, .pending))
        let (older, other) = (UUID(), UUID())
        let steps: [(name: String, here: JudgedStanding, actions: [ReconciliationAction])] = [
            ("none here", here(), new),
            ("found here too", here(candidate(.provisional)), [confirmed(known)]),
            ("told before", here(candidate(.confirmed, told: serverID, outcome: .synced)), [confirmed(known)]),
            ("told before, withdrawn since", here(candidate(.withdrawn, told: serverID)), [confirmed(known)]),
            (
                "of the same entry and another exit", here(candidate(.provisional, exit: other)),
                [.withdrawViolation(known)] + new
            ),
            (
                "one that the server knows under another id", here(candidate(.confirmed, told: other)),
                [.withdrawViolation(known)] + new
            ),
            ("one that was withdrawn", here(candidate(.withdrawn, withdrawn: 1)), new),
            (
                "one that was withdrawn with an outcome", here(candidate(.withdrawn, withdrawn: 1, outcome: .synced)),
                [confirmed(known), again]
            ),
            (
                "of two that were withdrawn the last",
                here(
                    candidate(.withdrawn, withdrawn: 1, outcome: .synced, id: older),
                    candidate(.withdrawn, withdrawn: 2, outcome: .synced)), [confirmed(known), again]
            ),
            (
                "found here, with an outcome that was refused", here(candidate(.provisional, outcome: .failed)),
                [confirmed(known), again]
            ),
            (
                "found here, with an outcome on its way", here(candidate(.provisional, outcome: .inFlight)),
                [confirmed(known)]
            ),
            (
                "of a plate that reads otherwise here", here(plate: Plate(canonical: "BA 1 PA 9")),
                [
                    .recordViolation(judged(serverID, plate: told.plate), own: own),
                    confirmed(serverID, plate: told.plate),
                ]
            ),
        ]
        for step in steps { #expect(step.here.handle(told) == step.actions, "\(step.name)") }
        let foreign = JudgedStanding(
            entry: .init(clientID: remote, isOwn: false), exit: .init(clientID: known, isOwn: false))
        #expect(foreign.handle(told) == [])
    }

    @Test func `drops a violation that the server has not, a line a step`() {
        func found(_ state: FindingState, by match: Int64?, told: UUID? = nil) -> ViolationStanding {
            ViolationStanding(id: known, match: match, own: own, entry: remote, exit: own, state: state, serverID: told)
        }
        let dropped: [ReconciliationAction] = [.withdrawViolation(known)]
        #expect(found(.provisional, by: 7).missingThere(match: .confirmed, isMatchedThere: true) == dropped)
        #expect(found(.provisional, by: 7).missingThere(match: .provisional, isMatchedThere: true) == [])
        #expect(found(.provisional, by: nil).missingThere(match: nil, isMatchedThere: true) == dropped)
        #expect(found(.provisional, by: nil).missingThere(match: nil, isMatchedThere: false) == [])
        #expect(found(.confirmed, by: 7).missingThere(match: .confirmed, isMatchedThere: true) == [])
        #expect(found(.provisional, by: 7, told: UUID()).missingThere(match: .confirmed, isMatchedThere: true) == [])
        #expect(found(.confirmed, by: 7).isDoubtedByLoss && !found(.provisional, by: 7).isDoubtedByLoss)
    }

    // MARK: Alerts

    private func alert(resolved: Double? = nil, reason: String? = nil) -> ServerAlert {
        ServerAlert(
            entryServerID: UUID(), plate: plate, vehicleType: .car, entryTime: noon, expectedExitBy: noon + .hours(4),
            resolvedAt: resolved.map { noon + .minutes($0) }, resolvedBy: reason == nil ? nil : "Hari",
            resolvedReason: reason)
    }

    @Test func `takes an overstay alert of the server's, a line a step`() {
        let raised = ReconciliationAction.raiseAlert(
            OverstayAlert(
                entryClientID: own, plate: plate, vehicleType: .car, entryTime: noon, expectedExitBy: noon + .hours(4),
                isDoubtful: false))
        let resolved = ReconciliationAction.resolveAlert(entry: own, exit: nil, at: noon + .minutes(9))
        let dismissed = ReconciliationAction.dismissAlert(
            entry: own, by: "Hari", reason: "camping", at: noon + .minutes(9))
        let waits = OtherPost(
            knownUpTo: noon + .hours(5),
            reviews: .init(asOf: noon + .hours(5), waiting: [WaitingSighting(seenAt: noon + .hours(1), plate: plate)]))
        func here(
            _ alert: AlertOnRecord? = nil, unmatched: Bool = true, other: OtherPost? = nil
        ) -> AlertStanding {
            AlertStanding(
                entry: own, plate: plate, isUnmatched: unmatched, alert: alert,
                other: other ?? OtherPost(knownUpTo: nil, reviews: nil))
        }
        let open = AlertOnRecord(entry: own)
        let steps: [(name: String, here: AlertStanding, told: ServerAlert, actions: [ReconciliationAction])] = [
            ("new", here(), alert(), [raised]),
            ("known", here(open), alert(), []),
            ("of an entry that is matched", here(unmatched: false), alert(), []),
            ("while a vehicle waits for review at the other post", here(other: waits), alert(), []),
            ("resolved, while one waits for review", here(open, other: waits), alert(resolved: 9), [resolved]),
            ("new, and resolved", here(), alert(resolved: 9), [raised, resolved]),
            ("resolved", here(open), alert(resolved: 9), [resolved]),
            ("resolved, and resolved here", here(AlertOnRecord(entry: own, isResolved: true)), alert(resolved: 9), []),
            ("dismissed there", here(open), alert(resolved: 9, reason: "camping"), [dismissed]),
            (
                "dismissed there, after a ranger here",
                here(AlertOnRecord(entry: own, isDismissed: true)), alert(resolved: 9, reason: "camping"), []
            ),
            (
                "resolved, after a ranger dismissed it", here(AlertOnRecord(entry: own, isDismissed: true)),
                alert(resolved: 9), [resolved]
            ),
            ("resolved, of an entry that is matched", here(unmatched: false), alert(resolved: 9), []),
        ]
        for step in steps {
            #expect(step.here.handle(step.told, at: noon + .hours(5)) == step.actions, "\(step.name)")
        }
    }

    // MARK: Outcomes

    private func outcome(_ kind: Outcome.Kind, fine: Double? = nil, notes: String? = nil, by: String = "Sita")
        -> Outcome
    {
        Outcome(kind: kind, fineAmount: fine, notes: notes, recordedBy: by, recordedAt: noon)
    }

    @Test func `takes an outcome of the server's, a line a step`() {
        func here(_ held: Outcome?, _ entries: QueueEntry...) -> OutcomeStanding {
            OutcomeStanding(violation: known, held: held, entries: entries)
        }
        let fined = outcome(.fined, fine: 500)
        let long = String(repeating: "x", count: 4100)
        let steps: [(name: String, here: OutcomeStanding, told: Outcome, isTaken: Bool)] = [
            ("the first", here(nil), fined, true),
            ("the same", here(fined), fined, false),
            ("the same but for less than a paisa", here(fined), outcome(.fined, fine: 500.001), false),
            ("another fine", here(fined), outcome(.fined, fine: 501), true),
            ("another kind", here(fined), outcome(.warned), true),
            ("no notes where none are", here(outcome(.warned)), outcome(.warned, notes: ""), false),
            (
                "less of long notes", here(outcome(.warned, notes: long)),
                outcome(.warned, notes: String(long.prefix(4000))), false
            ),
            ("another ranger's", here(fined), outcome(.fined, fine: 500, by: "Hari"), true),
            ("while this post's waits", here(outcome(.warned), entry(3, .pending)), fined, false),
            ("while this post's is sent", here(outcome(.warned), entry(3, .inFlight)), fined, false),
            ("when this post's was refused", here(outcome(.warned), entry(3, .failed, refused: true)), fined, true),
            ("when this post's is there", here(outcome(.warned), entry(3, .synced)), fined, true),
        ]
        for step in steps {
            let actions = step.here.handle(ServerOutcome(violationServerID: serverID, outcome: step.told), over: nil)
            let taken: [ReconciliationAction] = [.recordOutcome(step.told, violation: known)]
            #expect(actions == (step.isTaken ? taken : []), "\(step.name)")
        }
        let waiting = here(outcome(.warned), entry(3, .pending))
        let over = ServerOutcome(violationServerID: serverID, outcome: fined)
        #expect(waiting.handle(over, over: 3) == [.recordOutcome(fined, violation: known)])
        let own = ServerOutcome(violationServerID: serverID, outcome: fined, isOwn: true)
        #expect(here(nil).handle(own, over: nil) == [.recordOutcome(fined, violation: known, isSent: true)])
        let nameless = ServerOutcome(
            violationServerID: serverID, outcome: outcome(.fined, fine: 500, by: "the server"), isNamed: false)
        #expect(here(fined).handle(nameless, over: nil) == [])
    }
}
