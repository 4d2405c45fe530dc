import Foundation
import Testing

@testable import Enforcement

@Suite("A passage of the other post, when something is said of it", .timeLimit(.minutes(5)))
struct RemoteStandingTests {
    private let remote = UUID()
    private let own = UUID()
    private let violation = UUID()
    private let noon = Instant(milliseconds: 1_795_255_200_000)

    private func passage(
        _ plate: String = "BA1PA1234", minutes: Double = 0, row: UUID? = nil, number: Int64? = nil
    ) -> MatchablePassage {
        MatchablePassage(
            clientID: remote, serverID: row, plate: Plate(canonical: plate), vehicleType: .car, checkpostCode: "BNP-B",
            recordedAt: noon + .minutes(minutes), clockState: .synchronised, serverSequence: number)
    }

    private func here(withdrawn: Bool = false, number: Int64? = nil, judged: FindingState? = nil) -> RemoteStanding {
        let match = MatchStanding(id: 7, own: own, remote: remote, isOwnEntry: false)
        let found = judged.map {
            ViolationStanding(id: violation, match: 7, own: own, entry: remote, exit: own, state: $0)
        }
        return RemoteStanding(
            passage: passage(number: number), isWithdrawn: withdrawn,
            findings: judged == nil ? Findings() : Findings(matches: [match], violations: [found].compactMap { $0 })
        )
    }

    private func written(_ row: MatchablePassage, isMatched: Bool = false, again: Bool = false) -> ReconciliationAction
    {
        .writeRemote(row, isMatched: isMatched, isInForceAgain: again)
    }

    private func told(_ row: MatchablePassage, isMatched: Bool = false, spelling: String? = nil) -> RemoteStanding.Event
    {
        .told(row, isMatched: isMatched, spelling: spelling.map(Plate.init(canonical:)))
    }

    @Test func `is taken in, changed and taken back, a line a step`() {
        let row = UUID()
        let found: [ReconciliationAction] = [
            .withdrawMatch(7), .withdrawViolation(violation), .setMatched(false, remote: remote),
        ]
        let steps: [(name: String, here: RemoteStanding, word: RemoteStanding.Event, actions: [ReconciliationAction])] =
            [
                ("the same", here(judged: .provisional), told(passage()), [written(passage())]),
                (
                    "a match of the server's", here(), told(passage(), isMatched: true),
                    [written(passage(), isMatched: true)]
                ),
                (
                    "its row and its number", here(), told(passage(row: row, number: 5)),
                    [written(passage(row: row, number: 5))]
                ),
                ("less than is known", here(number: 5), told(passage()), [written(passage(number: 5))]),
                (
                    "a plate that this post spells with spaces", here(), told(passage(), spelling: "BA 1 PA 1234"),
                    [written(passage("BA 1 PA 1234"))]
                ),
                (
                    "another plate", here(judged: .provisional), told(passage("BA1PA9")),
                    found + [written(passage("BA1PA9"))]
                ),
                (
                    "another time", here(judged: .provisional), told(passage(minutes: 1)),
                    found + [written(passage(minutes: 1))]
                ),
                (
                    "a higher number, though withdrawn", here(withdrawn: true, number: 5), told(passage(number: 6)),
                    [written(passage(number: 6), again: true)]
                ),
                (
                    "the same number, though withdrawn", here(withdrawn: true, number: 5), told(passage(number: 5)),
                    [written(passage(number: 5))]
                ),
                (
                    "no number, though withdrawn", here(withdrawn: true), told(passage(number: 5)),
                    [written(passage(number: 5))]
                ),
                ("withdrawn", here(judged: .provisional), .withdrawnThere, [.withdrawRemote(remote)] + found),
                (
                    "withdrawn, and judged by the server", here(judged: .confirmed), .withdrawnThere,
                    [.withdrawRemote(remote), .withdrawMatch(7), .setMatched(false, remote: remote)]
                ),
                ("withdrawn again", here(withdrawn: true), .withdrawnThere, []),
                (
                    "deleted, and judged by the server", here(judged: .confirmed), .deletedThere,
                    [
                        .withdrawRemote(remote), .withdrawMatch(7), .setMatched(false, remote: remote),
                        .withdrawViolation(violation),
                    ]
                ),
                ("deleted again", here(withdrawn: true), .deletedThere, []),
            ]
        for step in steps {
            var standing = step.here
            #expect(standing.handle(step.word) == step.actions, "\(step.name)")
        }
    }

    @Test func `is known by its row when its id changes`() {
        let old = UUID()
        #expect(RemoteStanding.identify(remote, known: nil, isTaken: false) == [])
        #expect(RemoteStanding.identify(remote, known: remote, isTaken: true) == [])
        #expect(RemoteStanding.identify(remote, known: old, isTaken: false) == [.renameRemote(old, to: remote)])
        #expect(RemoteStanding.identify(remote, known: old, isTaken: true) == [.mergeRemote(old, into: remote)])
        #expect(RemoteStanding.new(passage(), isMatched: true, spelling: nil) == [written(passage(), isMatched: true)])
    }
}
