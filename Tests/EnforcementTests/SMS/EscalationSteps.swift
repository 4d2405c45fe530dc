@testable import Enforcement

/// What tests of an escalation policy say in one word: minutes of an outage, entries, and what a policy asks for.
protocol EscalationSteps {}

extension EscalationSteps {
    typealias Policy = EscalationPolicy
    var start: Instant { Instant(milliseconds: 1_795_255_530_000) }

    var busy: SMSRefusal { SMSRefusal(.message(42)) }

    func at(_ minutes: Double) -> Instant { start + .minutes(minutes) }

    func entry(
        _ id: Int64, minute: Double = 0, _ standing: Policy.Entry.Standing = .pending, _ message: MessageState? = nil,
        lostAnswers: Int = 0
    ) -> Policy.Entry {
        Policy.Entry(
            id: id, createdAt: at(minute), standing: standing, message: message, lostAnswers: lostAnswers)
    }

    /// A policy that lost the link at minute 0, with a ready modem and these entries.
    func offline(_ entries: [Policy.Entry], _ change: (inout Policy.Settings) -> Void = { _ in }) -> Policy {
        var settings = Policy.Settings()
        change(&settings)
        var policy = Policy(settings: settings)
        _ = policy.handle(.started(sentAt: []), at: at(0))
        _ = policy.handle(.modem(ready: true), at: at(0))
        _ = policy.handle(.linkDown(since: at(0)), at: at(0))
        _ = policy.handle(.waiting(entries), at: at(0))
        return policy
    }

    func sending(_ id: Int64) -> [Policy.Action] { [.send(id: id)] }

    var cutShort: String { "the box stopped before the modem's answer was written down" }

    func record(
        _ id: Int64, _ state: MessageState, lostAnswers: Int = 0, after refusal: SMSRefusal? = nil,
        because reason: String? = nil, references: [UInt8] = []
    ) -> Policy.Action {
        .record(
            id: id,
            MessageSettlement(
                state: state, lostAnswers: lostAnswers, reason: refusal?.reason ?? reason, references: references,
                takesBack: refusal.map { !$0.rule.isCharged } ?? false))
    }
}
