import Foundation
import TestKit
import Testing

@testable import Enforcement

@Suite("The reconciliation with a server that says everything", .timeLimit(.minutes(10)))
struct ReconciliationTranscriptTests {
    /// Passages and rows by the letters that the transcript calls them.
    private struct Names {
        let letters = "abcdefgh"
        var ids: [UUID] { letters.indices.enumerated().map { id($0.offset) } }

        func id(_ index: Int) -> UUID {
            UUID(uuidString: "00000000-0000-4000-8000-00000000000\(index)") ?? UUID()
        }

        func shown(_ text: String) -> String {
            var text = text
            for (index, letter) in letters.enumerated() {
                text = text.replacing(id(index).uuidString, with: "\(letter)")
            }
            for prefix in ["Enforcement.", "Plates.", "ReconciliationAction.", "milliseconds: "] {
                text = text.replacing(prefix, with: "")
            }
            return text.replacing("1795255200000", with: "t0")
        }
    }

    private struct Draw {
        var random: SeededGenerator
        let names = Names()
        let start = Transcript().start
        static let plates = ["BA 1 PA 1234", "BA 1 PA 9", "UP 32 AB 1234"].map { Plate(canonical: $0) }

        mutating func id() -> UUID { names.id(random.below(3)) }
        mutating func maybe<Value>(_ value: Value) -> Value? { random.hundredths(50) ? value : nil }
        mutating func plate() -> Plate { random.one(of: Self.plates) }
        mutating func state() -> FindingState { random.one(of: [.provisional, .confirmed, .withdrawn]) }

        mutating func entries() -> [QueueEntry] {
            (1...Int64(1 + random.below(4))).map { id in
                let entity = id == 1 ? QueueEntry.Entity.passage : random.one(of: QueueEntry.Entity.allCases)
                let status = random.one(of: QueueStatus.allCases)
                return QueueEntry(
                    id: id, entity: entity, passageClientID: names.id(0), subjectID: entity == .passage ? nil : id * 10,
                    status: status, attempts: random.below(3), nextAttemptAt: maybe(start), lastError: maybe("why"),
                    isRefused: status == .failed && random.hundredths(50),
                    setAside: status == .failed ? random.one(of: [nil, nil, .discarded, .deletedThere]) : nil,
                    createdAt: start)
            }
        }

        mutating func violation() -> ViolationStanding {
            ViolationStanding(
                id: names.id(3 + random.below(3)), match: maybe(Int64(random.below(3))), own: maybe(names.id(0)),
                entry: id(),
                exit: id(), state: state(), serverID: maybe(names.id(6 + random.below(2))))
        }

        mutating func findings() -> Findings {
            Findings(
                matches: (0..<Int64(random.below(3))).map { number in
                    MatchStanding(
                        id: number, own: id(), remote: id(), isOwnEntry: random.hundredths(50),
                        certainty: random.one(of: [.exact, .exact, .lookAlike]), state: state())
                },
                violations: (0..<random.below(3)).map { _ in violation() },
                alerts: (0..<random.below(2)).map { _ in
                    AlertOnRecord(
                        entry: id(), isResolved: random.hundredths(50), resolvedBy: maybe(id()),
                        isDismissed: random.hundredths(30))
                })
        }

        mutating func own() -> OwnStanding {
            OwnStanding(
                clientID: names.id(0), plate: plate(),
                force: random.one(of: [.inForce, .inForce, .withdrawn, .deletedThere]),
                serverID: maybe(names.id(6 + random.below(2))), matchedServerID: maybe(names.id(7)), entries: entries(),
                lastCorrection: maybe(Int64(20 + 10 * random.below(2))), findings: findings())
        }

        mutating func word() -> OwnStanding.Event {
            switch random.below(10) {
            case 0...2:
                .told(
                    OwnServerRow(
                        clientID: names.id(0), serverID: names.id(6 + random.below(2)),
                        matchedServerID: maybe(names.id(7)),
                        plate: maybe(plate())),
                    partner: maybe(.init(clientID: id(), isMatched: random.hundredths(50))))
            case 3: .deletedThere(row: names.id(6 + random.below(2)))
            case 4: .withdrawnThere
            case 5: .takenOffRecord
            case 6: .lostThere(holdingOutcomes: [20])
            case 7: random.one(of: [.correctionLostThere, .matchRefused(Int64(random.below(2)))])
            case 8: .askedFor(entry: Int64(1 + random.below(2)))
            default: .changed(newPlate: maybe(plate()), reason: "misread", by: "a ranger")
            }
        }

        mutating func remote() -> MatchablePassage {
            MatchablePassage(
                clientID: names.id(1), serverID: maybe(names.id(6)), plate: plate(), vehicleType: .car,
                checkpostCode: "B",
                recordedAt: start + .seconds(Double(random.below(2))), clockState: .synchronised,
                serverSequence: maybe(Int64(random.below(3))))
        }

        mutating func judged() -> (JudgedStanding, ServerViolation) {
            let sides = [random.hundredths(50), random.hundredths(50)]
            let candidates = (0..<random.below(4)).map { _ in
                JudgedStanding.Candidate(
                    violation: violation(), withdrawnAt: maybe(start + .seconds(Double(random.below(3)))),
                    hasOutcome: random.hundredths(60), outcomeEntries: random.hundredths(50) ? entries() : [])
            }
            return (
                JudgedStanding(
                    entry: .init(clientID: names.id(0), isOwn: sides[0]),
                    exit: .init(clientID: names.id(1), isOwn: sides[1]),
                    candidates: candidates, match: maybe(7), ownPlate: maybe(plate())),
                ServerViolation(
                    serverID: names.id(6 + random.below(2)), kind: .speeding, entryServerID: names.id(6),
                    exitServerID: names.id(7), plate: plate(), vehicleType: .bus, entryTime: start,
                    exitTime: start + .minutes(40), distanceKm: 45, speedLimitKmh: 40, calculatedSpeedKmh: 67.5,
                    isImplausible: false)
            )
        }

        mutating func alert() -> (AlertStanding, ServerAlert) {
            let reviews = OtherPost.Reviews(
                asOf: start + .hours(Double(random.below(40))),
                waiting: [WaitingSighting(seenAt: start + .hours(Double(random.below(6))), plate: plate())])
            let on = AlertOnRecord(
                entry: names.id(0), isResolved: random.hundredths(40), isDismissed: random.hundredths(40))
            return (
                AlertStanding(
                    entry: names.id(0), plate: plate(), isUnmatched: random.hundredths(60), alert: maybe(on),
                    other: OtherPost(knownUpTo: maybe(start + .hours(30)), reviews: maybe(reviews))),
                ServerAlert(
                    entryServerID: names.id(6), plate: plate(), vehicleType: .car, entryTime: start,
                    expectedExitBy: start + .hours(4), resolvedAt: maybe(start + .hours(9)),
                    resolvedBy: maybe("the warden"),
                    resolvedReason: maybe("left by the same post"))
            )
        }

        mutating func outcome() -> Outcome {
            Outcome(
                kind: random.one(of: [.fined, .fined, .warned]),
                fineAmount: random.one(of: [nil, 500, 500.004, 500.01]),
                notes: random.one(of: [nil, "", "late"]), recordedBy: random.one(of: ["Sita", "Hari"]),
                recordedAt: start)
        }
    }

    @Test func `of a passage of this post does what its transcript says`() throws {
        var draw = Draw(random: SeededGenerator(seed: 21))
        var script = Transcript()
        for number in 1...220 {
            var standing = draw.own()
            script.add(
                "\(number) here: \(standing.force) \(standing.plate) \(shown(standing.entries)) \(draw.names.shown("\(standing.findings)"))"
            )
            for _ in 1...3 {
                let word = draw.word()
                let actions = standing.handle(word, at: script.start + .seconds(9)).map { text($0, draw.names) }
                script.add("  \(draw.names.shown("\(word)")): \(actions.joined(separator: "; "))")
            }
        }
        try script.check("own-passages")
    }

    @Test func `of what the other post and the server have does what its transcript says`() throws {
        var draw = Draw(random: SeededGenerator(seed: 22))
        var script = Transcript()
        let names = draw.names
        func add(_ what: String, _ actions: [ReconciliationAction]) {
            script.add("\(what): \(actions.map { text($0, names) }.joined(separator: "; "))")
        }
        for number in 1...120 {
            var remote = RemoteStanding(
                passage: draw.remote(), isWithdrawn: draw.random.hundredths(40), findings: draw.findings())
            let told = draw.remote()
            let word = draw.random.one(of: [
                RemoteStanding.Event.told(told, isMatched: true, spelling: nil),
                .told(told, isMatched: false, spelling: Draw.plates[0]), .withdrawnThere, .deletedThere,
            ])
            add("\(number) remote \(names.shown("\(remote)")) \(names.shown("\(word)"))", remote.handle(word))
            let (judged, violation) = draw.judged()
            add("  judged \(names.shown("\(judged)")) \(violation.plate)", judged.handle(violation))
            let (alert, serverAlert) = draw.alert()
            add(
                "  alert \(names.shown("\(alert)")) \(names.shown("\(serverAlert)"))",
                alert.handle(serverAlert, at: script.start + .hours(Double(draw.random.below(60)))))
            let outcome = OutcomeStanding(
                violation: names.id(3), held: draw.maybe(draw.outcome()), entries: draw.entries())
            let toldOutcome = ServerOutcome(
                violationServerID: names.id(6), outcome: draw.outcome(), isNamed: draw.random.hundredths(50),
                isOwn: draw.random.hundredths(50))
            let held = outcome.held.map { names.shown("\($0)") } ?? "-"
            add(
                "  outcome \(held) \(shown(outcome.entries)) \(names.shown("\(toldOutcome.outcome)")) \(toldOutcome.isNamed)",
                outcome.handle(toldOutcome, over: draw.maybe(2)))
            let standing = draw.violation()
            add(
                "  missing \(names.shown("\(standing)"))",
                standing.missingThere(match: draw.maybe(draw.state()), isMatchedThere: draw.random.hundredths(50)))
        }
        // What the post itself says over a direct link, between what the server says.
        for number in 121...200 {
            let known = draw.remote()
            var remote = RemoteStanding(
                passage: known, isWithdrawn: draw.random.hundredths(40), isWithdrawnByPost: draw.random.hundredths(40),
                isToldByPost: draw.random.hundredths(50),
                serverWord: draw.maybe(
                    RemoteStanding.serverWord(of: draw.random.hundredths(50) ? known : draw.remote())))
            script.add("\(number) remote \(names.shown("\(remote)"))")
            for _ in 1...3 {
                let told = draw.remote()
                let word = draw.random.one(of: [
                    RemoteStanding.Event.told(told, isMatched: false, spelling: nil),
                    .told(known, isMatched: true, spelling: nil), .toldByPost(told, isMatched: true, spelling: nil),
                    .withdrawnByPost, .withdrawnThere,
                ])
                add("  \(names.shown("\(word)"))", remote.handle(word))
            }
        }
        try script.check("others-words")
    }

    private func shown(_ entries: [QueueEntry]) -> String {
        entries.map { entry in
            "\(entry.id) \(entry.entity) \(entry.status) \(entry.attempts)\(entry.isRefused ? " refused" : "")"
                + (entry.setAside.map { " \($0)" } ?? "") + (entry.lastError.map { " “\($0)”" } ?? "")
                + (entry.resentAt == nil ? "" : " again") + (entry.nextAttemptAt == nil ? "" : " later")
        }.joined(separator: ", ")
    }

    private func text(_ action: ReconciliationAction, _ names: Names) -> String {
        if case .write(let entry) = action { return "write \(shown([entry]))" }
        return names.shown("\(action)")
    }
}
