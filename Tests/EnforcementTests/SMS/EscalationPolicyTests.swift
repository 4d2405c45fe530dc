import Testing

@testable import Enforcement

@Suite("An escalation policy")
struct EscalationPolicyTests {
    private typealias Policy = EscalationPolicy
    private let start = Instant(milliseconds: 1_795_255_530_000)

    private func at(_ minutes: Double) -> Instant { start + .minutes(minutes) }

    private func entry(
        _ id: Int64, minute: Double = 0, _ standing: Policy.Entry.Standing = .pending, _ message: MessageState? = nil,
        lostAnswers: Int = 0
    ) -> Policy.Entry {
        Policy.Entry(
            id: id, createdAt: at(minute), standing: standing, message: message, lostAnswers: lostAnswers)
    }

    /// A policy that lost the link at minute 0, with a ready modem and these entries.
    private func offline(_ entries: [Policy.Entry], _ change: (inout Policy.Settings) -> Void = { _ in }) -> Policy {
        var settings = Policy.Settings()
        change(&settings)
        var policy = Policy(settings: settings)
        _ = policy.handle(.started(sentAt: []), at: at(0))
        _ = policy.handle(.modem(ready: true), at: at(0))
        _ = policy.handle(.linkDown(since: at(0)), at: at(0))
        _ = policy.handle(.waiting(entries), at: at(0))
        return policy
    }

    private func sending(_ id: Int64, lostAnswers: Int = 0) -> [Policy.Action] {
        [.record(id: id, .sending, lostAnswers: lostAnswers), .send(id: id)]
    }

    @Test func `sends nothing in an outage of 4 minutes 59 seconds, and one message at 5 minutes`() {
        var policy = offline([entry(1)])
        #expect(policy.handle(.clockTicked, at: at(0) + .seconds(299)) == [])
        #expect(policy.nextDecision(after: at(1)) == at(5))
        #expect(policy.handle(.clockTicked, at: at(5)) == sending(1))
    }

    @Test func `waits until the entry is five minutes old`() {
        var policy = offline([entry(1, minute: 3)])
        #expect(policy.handle(.clockTicked, at: at(7.9)) == [])
        #expect(policy.handle(.clockTicked, at: at(8)) == sending(1))
    }

    @Test func `goes through the queue in order, one message at a time`() {
        var policy = offline([entry(1), entry(2), entry(3)])
        #expect(policy.handle(.clockTicked, at: at(6)) == sending(1))
        #expect(policy.handle(.clockTicked, at: at(6)) == [])
        #expect(
            policy.handle(.settled(id: 1, .accepted), at: at(6)) == [.record(id: 1, .sent, lostAnswers: 0)] + sending(2)
        )
        #expect(
            policy.handle(.settled(id: 2, .accepted), at: at(6)) == [.record(id: 2, .sent, lostAnswers: 0)] + sending(3)
        )
        #expect(policy.handle(.settled(id: 3, .accepted), at: at(6)) == [.record(id: 3, .sent, lostAnswers: 0)])
        #expect(policy.nextDecision(after: at(6)) == nil)
    }

    @Test func `sends nothing when the link comes back in time`() {
        var policy = offline([entry(1)])
        #expect(policy.handle(.linkUp, at: at(4)) == [])
        #expect(policy.handle(.clockTicked, at: at(20)) == [])
    }

    @Test func `keeps the rest when the link comes back half-way`() {
        var policy = offline([entry(1), entry(2)])
        _ = policy.handle(.clockTicked, at: at(6))
        #expect(policy.handle(.linkUp, at: at(6)) == [])
        #expect(policy.handle(.settled(id: 1, .accepted), at: at(7)) == [.record(id: 1, .sent, lostAnswers: 0)])
        #expect(policy.handle(.waiting([entry(2)]), at: at(7)) == [])
    }

    @Test func `starts to count anew with a new outage`() {
        var policy = offline([entry(1)])
        _ = policy.handle(.linkUp, at: at(4))
        _ = policy.handle(.linkDown(since: at(6)), at: at(6.5))
        #expect(policy.handle(.waiting([entry(1)]), at: at(10.9)) == [])
        #expect(policy.handle(.clockTicked, at: at(11)) == sending(1))
    }

    @Test func `sends an entry that failed after five attempts though the link is up`() {
        var policy = Policy()
        _ = policy.handle(.modem(ready: true), at: at(0))
        _ = policy.handle(.linkUp, at: at(0))
        #expect(policy.handle(.waiting([entry(1, .failedAfterAttempts)]), at: at(4)) == [])
        #expect(policy.handle(.clockTicked, at: at(5)) == sending(1))
    }

    @Test(arguments: [
        EscalationPolicy.Entry.Standing.refused, .inFlight, .synced,
    ])
    func `never sends an entry that is refused, under way or synced`(standing: EscalationPolicy.Entry.Standing) {
        var policy = offline([entry(1, standing)])
        #expect(policy.handle(.clockTicked, at: at(60)) == [])
    }

    @Test(arguments: [MessageState.sent, .delivered, .failed])
    func `never sends again what was sent`(state: MessageState) {
        var policy = offline([entry(1, .pending, state), entry(2, .failedAfterAttempts, state)])
        #expect(policy.handle(.clockTicked, at: at(60)) == [])
    }

    @Test func `waits for the modem`() {
        var policy = offline([entry(1)])
        _ = policy.handle(.modem(ready: false), at: at(1))
        #expect(policy.handle(.clockTicked, at: at(6)) == [])
        #expect(policy.nextDecision(after: at(6)) == nil)
        #expect(policy.handle(.modem(ready: true), at: at(7)) == sending(1))
    }

    @Test func `backs off after a refusal, longer each time, and keeps the message`() {
        var policy = offline([entry(1)])
        var now = at(5)
        for wait in [30.0, 60, 120, 240, 480, 900, 900] {
            #expect(policy.handle(.clockTicked, at: now) == sending(1))
            #expect(policy.handle(.settled(id: 1, .refused), at: now) == [.record(id: 1, .queued, lostAnswers: 0)])
            #expect(policy.nextDecision(after: now) == now + .seconds(wait))
            #expect(policy.handle(.clockTicked, at: now + .seconds(wait - 1)) == [])
            now = now + .seconds(wait)
        }
        #expect(policy.handle(.clockTicked, at: now) == sending(1))
        _ = policy.handle(.settled(id: 1, .accepted), at: now)
        _ = policy.handle(.waiting([entry(2)]), at: now)
        #expect(policy.handle(.settled(id: 2, .refused), at: now) == [.record(id: 2, .queued, lostAnswers: 0)])
        #expect(policy.nextDecision(after: now) == now + .seconds(30), "an accepted message ends the backing off")
    }

    @Test func `stops with an alarm on a permanent refusal until somebody acts`() {
        var policy = offline([entry(1), entry(2)])
        _ = policy.handle(.clockTicked, at: at(5))
        #expect(
            policy.handle(.settled(id: 1, .stopped(reason: "barred")), at: at(5)) == [
                .record(id: 1, .queued, lostAnswers: 0), .alarm(.stopped(reason: "barred")),
            ])
        #expect(policy.handle(.clockTicked, at: at(500)) == [])
        #expect(policy.nextDecision(after: at(500)) == nil)
        #expect(policy.handle(.resumed, at: at(501)) == [.clear(.stopped)] + sending(1))
    }

    @Test func `sends a message again once when the modem's answer was lost, never a third time`() {
        var policy = offline([entry(1)])
        _ = policy.handle(.clockTicked, at: at(5))
        #expect(
            policy.handle(.settled(id: 1, .wentSilent), at: at(5)) == [.record(id: 1, .ambiguous, lostAnswers: 1)])
        #expect(policy.handle(.clockTicked, at: at(5.9)) == [])
        #expect(policy.handle(.clockTicked, at: at(6)) == sending(1, lostAnswers: 1))
        #expect(
            policy.handle(.settled(id: 1, .wentSilent), at: at(6)) == [.record(id: 1, .ambiguous, lostAnswers: 2)])
        #expect(policy.handle(.clockTicked, at: at(600)) == [])
        #expect(policy.handle(.waiting([entry(1, .pending, .ambiguous, lostAnswers: 2)]), at: at(601)) == [])
    }

    @Test func `still counts a lost message as unknown when its repetition is refused`() {
        var policy = offline([entry(1)])
        _ = policy.handle(.clockTicked, at: at(5))
        _ = policy.handle(.settled(id: 1, .wentSilent), at: at(5))
        #expect(policy.handle(.clockTicked, at: at(6)) == sending(1, lostAnswers: 1))
        #expect(policy.handle(.settled(id: 1, .refused), at: at(6)) == [.record(id: 1, .ambiguous, lostAnswers: 1)])
        #expect(policy.handle(.clockTicked, at: at(7)) == sending(1, lostAnswers: 1))
    }

    @Test func `does not repeat a lost message whose answer came late`() {
        var policy = offline([entry(1)])
        _ = policy.handle(.clockTicked, at: at(5))
        _ = policy.handle(.settled(id: 1, .wentSilent), at: at(5))
        #expect(policy.handle(.settled(id: 1, .accepted), at: at(5)) == [.record(id: 1, .sent, lostAnswers: 1)])
        #expect(policy.handle(.clockTicked, at: at(60)) == [])
    }

    @Test func `does not repeat a lost message to a server that would not recognise it`() {
        var policy = offline([entry(1), entry(2)]) { $0.serverRecognisesTexts = false }
        _ = policy.handle(.clockTicked, at: at(5))
        _ = policy.handle(.settled(id: 1, .wentSilent), at: at(5))
        #expect(policy.handle(.clockTicked, at: at(6)) == sending(2))
    }

    @Test func `counts a message found half-way after a restart as lost, and repeats it once`() {
        var policy = offline([])
        #expect(
            policy.handle(.waiting([entry(1, .pending, .sending)]), at: at(6)) == [
                .record(id: 1, .ambiguous, lostAnswers: 1)
            ] + sending(1, lostAnswers: 1))
        var again = offline([])
        #expect(
            again.handle(.waiting([entry(1, .pending, .sending, lostAnswers: 1)]), at: at(6)) == [
                .record(id: 1, .ambiguous, lostAnswers: 2)
            ])
    }

    @Test func `leaves the message that is under way alone when the queue is read again`() {
        var policy = offline([entry(1)])
        _ = policy.handle(.clockTicked, at: at(5))
        #expect(policy.handle(.waiting([entry(1, .pending, .sending)]), at: at(5)) == [])
    }

    @Test func `goes past a passage that can not be written`() {
        var policy = offline([entry(1), entry(2)])
        _ = policy.handle(.clockTicked, at: at(5))
        #expect(
            policy.handle(.settled(id: 1, .unwritable), at: at(5)) == [.record(id: 1, .failed, lostAnswers: 0)]
                + sending(2))
    }

    @Test func `leaves an entry alone that the server got meanwhile, without a wait and without a cost`() {
        var policy = offline([entry(1), entry(2)]) { $0.hourlyLimit = 1 }
        _ = policy.handle(.clockTicked, at: at(5))
        #expect(policy.handle(.settled(id: 1, .overtaken), at: at(5)) == sending(2))
        _ = policy.handle(.settled(id: 2, .overtaken), at: at(5))
        #expect(policy.nextDecision(after: at(5)) == nil)
    }

    @Test func `ignores the outcome of a message that is not under way`() {
        var policy = offline([entry(1)])
        #expect(policy.handle(.settled(id: 9, .accepted), at: at(1)) == [])
    }
}
