import Foundation
import Testing

@testable import Enforcement

/// The passage that tests of an own standing speak of, what is said of it, and what may follow.
protocol OwnStandingSteps {}

private enum Known {
    static let own = UUID()
    static let remote = UUID()
    static let another = UUID()
    static let violation = UUID()
    static let row = UUID()
    static let partnerRow = UUID()
}

extension OwnStandingSteps {
    typealias Step = (name: String, here: OwnStanding, word: OwnStanding.Event, actions: [ReconciliationAction])

    var now: Instant { Instant(milliseconds: 1_795_255_200_000) }
    var own: UUID { Known.own }
    var remote: UUID { Known.remote }
    var another: UUID { Known.another }
    var violation: UUID { Known.violation }
    var row: UUID { Known.row }
    var partnerRow: UUID { Known.partnerRow }
    var plate: Plate { Plate(canonical: "BA 1 PA 1234") }
    var corrected: Plate { Plate(canonical: "BA 1 PA 9") }

    // MARK: What stands here

    /// A passage that the server has; each test says what differs.
    func here(
        _ force: OwnStanding.Force = .inForce, at server: UUID?? = nil, matchedThere: UUID? = nil,
        entries: [QueueEntry]? = nil, last: Int64? = nil, with findings: Findings = Findings()
    ) -> OwnStanding {
        OwnStanding(
            clientID: own, plate: plate, force: force, serverID: server ?? row, matchedServerID: matchedThere,
            entries: entries ?? [entry(1)], lastCorrection: last, findings: findings)
    }

    func entry(
        _ id: Int64, _ entity: QueueEntry.Entity = .passage, _ status: QueueStatus = .synced,
        refused: Bool = false, _ aside: QueueEntry.SetAside? = nil, error: String? = nil, resentAt: Instant? = nil
    ) -> QueueEntry {
        QueueEntry(
            id: id, entity: entity, passageClientID: own, subjectID: entity == .passage ? nil : id * 10,
            status: status, lastError: error, isRefused: refused, setAside: aside, createdAt: now, resentAt: resentAt)
    }

    func resting(
        _ id: Int64, _ entity: QueueEntry.Entity = .passage, _ reason: String = "deleted at the server"
    ) -> QueueEntry {
        entry(id, entity, .failed, refused: true, .deletedThere, error: reason)
    }

    func match(_ state: FindingState, with partner: UUID? = nil, of passage: UUID? = nil) -> MatchStanding {
        MatchStanding(id: 7, own: passage ?? own, remote: partner ?? remote, isOwnEntry: true, state: state)
    }

    var lookAlike: MatchStanding {
        MatchStanding(id: 8, own: own, remote: another, isOwnEntry: true, certainty: .lookAlike)
    }

    func finding(_ state: FindingState, with partner: UUID? = nil) -> ViolationStanding {
        ViolationStanding(
            id: violation, match: 7, own: own, entry: own, exit: partner ?? remote, state: state,
            serverID: state == .confirmed ? UUID() : nil)
    }

    func found(_ state: FindingState, judged: FindingState? = nil, with partner: UUID? = nil) -> Findings {
        Findings(
            matches: [match(state, with: partner)], violations: [finding(judged ?? state, with: partner)],
            alerts: [AlertOnRecord(entry: own, isResolved: true, resolvedBy: partner ?? remote)])
    }

    // MARK: What is said

    func told(
        plate: Plate? = nil, match: UUID? = nil, isHere: Bool = true, isMatched: Bool = true
    ) -> OwnStanding.Event {
        .told(
            OwnServerRow(clientID: own, serverID: row, matchedServerID: match, plate: plate),
            partner: match != nil && isHere ? .init(clientID: remote, isMatched: isMatched) : nil)
    }

    // MARK: What follows

    func note(_ newPlate: Plate?, _ reason: String, _ actor: String, told: Bool = false) -> ReconciliationAction {
        .note(
            Amendment(oldPlate: plate, newPlate: newPlate, reason: reason, actor: actor), passage: own,
            isToldToServer: told)
    }

    /// A match goes, and with it what was only found by it.
    func goes(_ judged: FindingState = .provisional, from partner: UUID? = nil) -> [ReconciliationAction] {
        [.withdrawMatch(7)] + (judged == .provisional ? [.withdrawViolation(violation)] : [])
            + [.setMatched(false, remote: partner ?? remote), .reopenAlert(entry: own)]
    }

    var forgotten: [ReconciliationAction] { [.forgetServerRow(passage: own), .uploadPhoto(passage: own)] }

    func check(_ steps: [Step]) {
        for step in steps {
            var standing = step.here
            #expect(standing.handle(step.word, at: now) == step.actions, "\(step.name)")
        }
    }
}
