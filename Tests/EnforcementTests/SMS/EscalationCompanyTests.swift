import Testing

@testable import Enforcement

@Suite("Texts of several passages", .timeLimit(.minutes(5)))
struct EscalationCompanyTests: EscalationSteps {
    private func gathering(_ entries: [Policy.Entry]) -> Policy { offline(entries) { $0.gathers = true } }

    private func waiting(_ policy: inout Policy, _ entries: [Policy.Entry], at minutes: Double) -> [Policy.Action] {
        policy.handle(.waiting(entries), at: at(minutes))
    }

    @Test func `carry all that is due, and what will be, in one message that costs one`() {
        var policy = gathering([])
        // The last one is half a minute old: a ranger may be about to correct it.
        let entries = [entry(1), entry(2, minute: 2), entry(3, minute: 3.9), entry(4, minute: 4.5)]
        #expect(waiting(&policy, entries, at: 4.9) == [])
        #expect(waiting(&policy, entries, at: 5) == [.sendTogether(id: 1, companions: [2, 3])])
        #expect(policy.budget.sentInDay(at: at(5)) == 1)
        #expect(policy.handle(.settled(id: 1, .accepted()), at: at(5)) == [record(1, .sent)])
    }

    @Test func `never let one wait for company: it goes at the moment at which it would go alone`() {
        for gathers in [true, false] {
            var policy = offline([entry(1)]) { $0.gathers = gathers }
            #expect(policy.handle(.clockTicked, at: at(4.99)) == [])
            #expect(policy.handle(.clockTicked, at: at(5)) == sending(1), "\(gathers)")
        }
    }

    @Test func `take none along while one alone is under way, and begin anew with what did not fit`() {
        var policy = gathering([])
        let entries = (1...40).map { entry($0) }
        guard case .sendTogether(1, let companions)? = waiting(&policy, entries, at: 5).last else {
            Issue.record("not together")
            return
        }
        #expect(companions == Array(2...21))
        // The queue is read while the text is under way: nothing that may be in it is taken for cut short.
        let underWay = entries.map { $0.id <= 21 ? entry($0.id, .pending, .sending) : $0 }
        #expect(waiting(&policy, underWay, at: 5.1) == [])
        #expect(policy.handle(.settled(id: 1, .accepted()), at: at(5.2)).first == record(1, .sent))
        #expect(policy.current?.id == 22)
    }

    @Test func `leave those alone that may have gone out: they are repeated word for word`() {
        var policy = gathering([])
        let entries = [
            entry(1, .pending, .ambiguous, lostAnswers: 1), entry(2), entry(3, .pending, .ambiguous, lostAnswers: 1),
            entry(4),
        ]
        #expect(waiting(&policy, entries, at: 5) == sending(1))
        _ = policy.handle(.settled(id: 1, .accepted()), at: at(5))
        #expect(policy.current?.id == 2)
        #expect(policy.companions == [4])
    }

    @Test func `that somebody didn't like are tried without the one that may be at fault`() {
        var policy = gathering([])
        let bad = SMSRefusal(.message(111))
        #expect(bad.rule.givesUpAfter != nil)
        let entries = [entry(1), entry(2), entry(3)]
        #expect(waiting(&policy, entries, at: 5) == [.sendTogether(id: 1, companions: [2, 3])])
        _ = policy.handle(.settled(id: 1, .refused(bad)), at: at(5))
        #expect(waiting(&policy, entries, at: 6) == sending(1))
        for minute in [7.0, 10] {
            _ = policy.handle(.settled(id: 1, .refused(bad)), at: at(minute - 1))
            _ = waiting(&policy, entries, at: minute)
        }
        _ = policy.handle(.settled(id: 1, .refused(bad)), at: at(10))
        #expect(waiting(&policy, entries, at: 30) == [.sendTogether(id: 2, companions: [3])])
    }

    @Test func `take nobody along that only waits for a link that is there`() {
        var settings = Policy.Settings()
        settings.gathers = true
        var policy = Policy(settings: settings)
        _ = policy.handle(.modem(ready: true), at: at(0))
        let entries = [entry(1, .failedAfterAttempts), entry(2), entry(3, .failedAfterAttempts)]
        #expect(waiting(&policy, entries, at: 6) == [.sendTogether(id: 1, companions: [3])])
    }

    @Test func `carry the newest first from the moment a budget is spent`() {
        var policy = offline([]) {
            $0.gathers = true
            $0.hourlyLimit = 1
        }
        #expect(waiting(&policy, [entry(1)], at: 5) == sending(1))
        _ = policy.handle(.settled(id: 1, .accepted()), at: at(5))
        let entries = [entry(2, minute: 6), entry(3, minute: 7), entry(4, minute: 8)]
        #expect(waiting(&policy, entries, at: 70).contains(.sendTogether(id: 4, companions: [3, 2])))
    }
}
