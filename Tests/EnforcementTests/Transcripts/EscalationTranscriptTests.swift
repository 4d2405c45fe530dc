import Foundation
import TestKit
import Testing

@testable import Enforcement

@Suite("An escalation policy through a bad week", .timeLimit(.minutes(10)))
struct EscalationTranscriptTests {
    private struct Post {
        var policy: EscalationPolicy
        var entries: [EscalationPolicy.Entry] = []
        var random: SeededGenerator
        var script = Transcript()
        var now: Instant
        var named: [Instant] = []
        var texts: UInt64 = 0

        init(seed: UInt64, settings: EscalationPolicy.Settings) {
            policy = EscalationPolicy(settings: settings)
            random = SeededGenerator(seed: seed)
            now = script.start
        }

        mutating func run(_ steps: Int) {
            step(.started(sentAt: (0..<7).map { now - .minutes(Double($0) * 25) } + [now + .hours(2)]))
            for _ in 0..<steps {
                goOn()
                if random.hundredths(50) { record() }
                step(event())
            }
        }

        private mutating func goOn() {
            if random.hundredths(40), let moment = named.filter({ $0 > now }).min() {
                now = moment + .milliseconds([-1, 0, 0, 1][random.below(4)])
            } else {
                now = now + .seconds(random.one(of: [0, 1, 20, 20, 60, 300, 900, 3600, 40_000, -3600]))
            }
        }

        private mutating func record() {
            let ahead = TimeSpan.seconds(random.one(of: [0, 0, 0, 0, -300, -86_000, 4000]))
            entries.append(
                .init(
                    id: Int64(entries.count + 1), createdAt: now + ahead,
                    standing: random.one(of: [.pending, .pending, .pending, .failedAfterAttempts, .refused, .inFlight]),
                    message: random.one(of: [nil, nil, nil, nil, .sending, .sent])))
            named += [now + ahead + policy.settings.minimumAge, now + ahead + policy.settings.maximumAge]
        }

        private mutating func event() -> EscalationPolicy.Event {
            if let current = policy.current, random.hundredths(70) { return .settled(id: current.id, result()) }
            switch random.below(12) {
            case 0: return .linkUp
            case 1, 2:
                let since = now - .seconds(random.one(of: [0, 299, 300, -50]))
                named += [since + policy.settings.outageBeforeSMS]
                return .linkDown(since: since)
            case 3: return .modem(ready: random.hundredths(80))
            case 4: return .answeredLate(text: UInt64(random.below(Int(texts) + 1)), references: [7])
            case 5: return .resumed
            case 6: return .settled(id: 999, .accepted())
            case 7...9: return .waiting(entries.filter { $0.message?.isFinished != true }.suffix(12))
            default: return .clockTicked
            }
        }

        private mutating func result() -> EscalationPolicy.TextResult {
            texts += 1
            let refusal = SMSRefusal(
                random.one(of: [
                    .message(1), .message(21), .message(42), .message(42), .message(111), .message(111), .message(332),
                    .message(nil), .modem(14), .modem(nil), .silence, .notReady, .needsPDUMode, .notWritten,
                ]))
            return random.one(of: [
                .accepted(references: [3]), .accepted(), .accepted(), .refused(refusal), .refused(refusal),
                .refused(refusal), .wentSilent(text: texts), .unwritable(reason: "no plate", wasHandedOver: true),
                .unwritable(reason: "no plate", wasHandedOver: false), .overtaken,
            ])
        }

        private mutating func step(_ event: EscalationPolicy.Event) {
            let actions = policy.handle(event, at: now)
            for action in actions { perform(action) }
            if let until = policy.holdUntil { named.append(until) }
            if let since = policy.refusedSince { named += [since + .minutes(5), since + .minutes(30)] }
            let state = [
                policy.offlineSince.map { "offline since \(script.time($0))" },
                policy.current.map { "current \($0.id)" },
                policy.takesNewestFirst ? "newest first" : nil,
                policy.holdUntil.map { "hold \(script.time($0))" },
                policy.refusals > 0 ? "\(policy.refusals) refusals" : nil,
                policy.refusedReason.map { "because \($0)" }, "sent \(policy.budget.sentInDay(at: now))",
                policy.budget.opensAt(now).map { "opens \(script.time($0))" },
            ].compactMap(\.self).joined(separator: ", ")
            script.add("\(script.time(now)) \(text(event)): \(actions.map(text).joined(separator: "; ")) | \(state)")
        }

        private mutating func perform(_ action: EscalationPolicy.Action) {
            switch action {
            case .record(let id, let settlement):
                guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
                entries[index].message = settlement.state
                entries[index].lostAnswers = settlement.lostAnswers
            case .send(let id):
                guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
                entries[index].message = .sending
            case .alarm(.budgetSpent(let until)): named.append(until)
            default: break
            }
        }

        private func text(_ event: EscalationPolicy.Event) -> String {
            switch event {
            case .waiting(let waiting): "waiting \(waiting.map { "\($0.id)" }.joined(separator: " "))"
            case .linkDown(let since): "down since \(script.time(since))"
            case .started: "started"
            case .settled(let id, .refused(let refusal)): "settled \(id) refused \(refusal.cause)"
            default: "\(event)"
            }
        }

        private func text(_ action: EscalationPolicy.Action) -> String {
            switch action {
            case .record(let id, let settlement):
                "record \(id) \(settlement.state.rawValue) lost \(settlement.lostAnswers) \(settlement.references)"
                    + (settlement.takesBack ? " back" : "") + (settlement.reason.map { " “\($0)”" } ?? "")
            case .send(let id): "send \(id)"
            case .sendTogether(let id, let companions): "send \(id) with \(companions)"
            case .alarm(.budgetSpent(let until)): "budget spent until \(script.time(until))"
            case .alarm(let alarm): "\(alarm)"
            case .clear(let kind): "clear \(kind)"
            }
        }
    }

    @Test(arguments: [(1, true, "sms-known-server"), (2, false, "sms-other-server")])
    func `does what its transcript says`(seed: UInt64, recognises: Bool, name: String) throws {
        var settings = EscalationPolicy.Settings()
        settings.hourlyLimit = 6
        settings.dailyLimit = 20
        settings.serverRecognisesTexts = recognises
        var post = Post(seed: seed, settings: settings)
        post.run(800)
        try post.script.check(name)
    }

    @Test func `is set as the operators of prepaid SIMs are used to`() {
        let settings = EscalationPolicy.Settings()
        #expect(settings.outageBeforeSMS == .minutes(5) && settings.minimumAge == .minutes(5))
        #expect(settings.maximumAge == .hours(24) && settings.hourlyLimit == 200 && settings.dailyLimit == 1000)
        #expect(settings.warningShare == 0.8 && settings.serverRecognisesTexts)
        #expect(settings.waitAfterSilence == .minutes(1) && SMSRefusal.longestWait == .hours(1))
    }

    /// Every code that a modem or a network can say, in the order of their numbers, those that are treated alike on one line.
    @Test func `treats each refusal as its table says`() throws {
        var script = Transcript()
        func rule(_ refusal: SMSRefusal) -> String {
            let rule = refusal.rule
            let reason = refusal.reason.replacing(#/ \(\+CMS ERROR \d+\)/#, with: "")
            return "wait \(Transcript.seconds(rule.firstWait)) to \(Transcript.seconds(rule.longestWait)), alarm after "
                + "\(rule.alarmAfter.map { Transcript.seconds($0) } ?? "never")"
                + (rule.needsPerson ? ", person" : "") + (rule.isCharged ? ", charged" : "")
                + (rule.givesUpAfter.map { ", gives up after \($0)" } ?? "") + ": \(reason)"
        }
        var runs: [(first: Int, last: Int, rule: String)] = []
        for code in 0...600 {
            let rule = rule(SMSRefusal(.message(code)))
            if runs.last?.rule == rule { runs[runs.count - 1].last = code } else { runs.append((code, code, rule)) }
        }
        for run in runs { script.add("\(run.first)…\(run.last) \(run.rule)") }
        let others: [SMSRefusal.Cause] = [
            .message(nil), .modem(14), .modem(nil), .silence, .notReady, .notKept, .needsPDUMode, .notWritten,
        ]
        for cause in others { script.add("\(cause) \(rule(SMSRefusal(cause)))") }
        #expect(SMSRefusal(.message(42)).reason.hasSuffix("(+CMS ERROR 42)"))
        try script.check("sms-refusals")
    }

    @Test func `counts a sliding hour and a sliding day to the millisecond`() {
        var budget = SMSBudget(hourlyLimit: 2, dailyLimit: 3)
        let start = Instant(milliseconds: 1_795_255_200_000)
        budget.spend(at: start)
        #expect(budget.opensAt(start) == nil)
        budget.spend(at: start + .minutes(1))
        #expect(budget.opensAt(start + .minutes(1)) == start + .hours(1))
        #expect(budget.opensAt(start + .hours(1) - .milliseconds(1)) == start + .hours(1))
        #expect(budget.opensAt(start + .hours(1)) == nil)
        budget.spend(at: start + .hours(1))
        #expect(budget.opensAt(start + .hours(2)) == start + .hours(24))
        #expect(budget.sentInDay(at: start + .hours(24) - .milliseconds(1)) == 3)
        #expect(budget.sentInDay(at: start + .hours(24)) == 2)
        budget.refund()
        #expect(budget.sentInDay(at: start + .hours(2)) == 2)
        budget.restore(
            [start, start + .hours(9), start + .hours(2), start + .hours(3), start + .hours(1)], at: start + .hours(4))
        #expect(budget.sentInDay(at: start + .hours(4)) == 3)
        #expect(budget.opensAt(start + .hours(4)) == start + .hours(25))
        // No limit is none: one goes out all the same.
        var least = SMSBudget(hourlyLimit: 0, dailyLimit: -4)
        #expect(least.opensAt(start) == nil)
        least.spend(at: start)
        #expect(least.opensAt(start) == start + .hours(24))
    }
}
