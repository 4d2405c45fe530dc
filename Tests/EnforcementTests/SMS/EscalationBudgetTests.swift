import Testing

@testable import Enforcement

@Suite("The budget of SMS", .timeLimit(.minutes(5)))
struct EscalationBudgetTests {
    private let start = Instant(milliseconds: 1_795_255_530_000)

    private func at(_ minutes: Double) -> Instant { start + .minutes(minutes) }

    private func policy(hourly: Int, daily: Int, sentAt: [Instant], entries: Int) -> EscalationPolicy {
        var settings = EscalationPolicy.Settings()
        settings.hourlyLimit = hourly
        settings.dailyLimit = daily
        var policy = EscalationPolicy(settings: settings)
        _ = policy.handle(.started(sentAt: sentAt), at: at(0))
        _ = policy.handle(.modem(ready: true), at: at(0))
        _ = policy.handle(.linkDown(since: at(-60)), at: at(0))
        _ = policy.handle(
            .waiting((0..<entries).map { .init(id: Int64($0), createdAt: at(0), standing: .pending) }), at: at(0))
        return policy
    }

    /// Settles message after message from minute `minute` on, and returns how many went out before one did not.
    private func drain(_ policy: inout EscalationPolicy, minute: Double) -> Int {
        var sent = 0
        var actions = policy.handle(.clockTicked, at: at(minute))
        while case .send(let id)? = actions.last {
            sent += 1
            actions = policy.handle(.settled(id: id, .accepted()), at: at(minute))
        }
        return sent
    }

    @Test func `holds the hourly limit and goes on when the hour is over`() {
        var policy = policy(hourly: 3, daily: 100, sentAt: [], entries: 10)
        #expect(drain(&policy, minute: 5) == 3)
        #expect(drain(&policy, minute: 64.9) == 0)
        #expect(drain(&policy, minute: 65) == 3)
    }

    @Test func `sends one where the limits say none: texts are switched off elsewhere`() {
        for (hourly, daily) in [(0, 100), (100, 0), (-1, -1), (1, 1)] {
            var policy = policy(hourly: hourly, daily: daily, sentAt: [], entries: 10)
            #expect(drain(&policy, minute: 5) == 1)
        }
    }

    @Test func `remembers across a restart what was sent, by hour and by day`() {
        var hour = policy(hourly: 3, daily: 100, sentAt: [at(-1), at(-2)], entries: 10)
        #expect(drain(&hour, minute: 5) == 1)
        var day = policy(hourly: 100, daily: 3, sentAt: [at(-600), at(-700), at(-1500)], entries: 10)
        #expect(drain(&day, minute: 5) == 1)
    }

    @Test func `warns once at four fifths of the day, alarms once when it is spent, and clears both`() {
        var policy = policy(hourly: 100, daily: 5, sentAt: [at(-3), at(-3), at(-3)], entries: 10)
        #expect(policy.handle(.clockTicked, at: at(5)).last == .send(id: 0))
        let second = policy.handle(.settled(id: 0, .accepted()), at: at(5))
        #expect(second.contains(.alarm(.budgetLow(sentInDay: 4, limit: 5))))
        #expect(
            policy.handle(.settled(id: 1, .accepted()), at: at(5)) == [
                .record(id: 1, .init(state: .sent, lostAnswers: 0)), .alarm(.budgetSpent(until: at(-3) + .hours(24))),
            ])
        #expect(policy.handle(.clockTicked, at: at(6)) == [])
        let nextDay = policy.handle(.clockTicked, at: at(1439))
        #expect(nextDay.contains(.clear(.budgetLow)) && nextDay.contains(.clear(.budgetSpent)))
    }

    @Test func `does not count a message that was refused, unless the network had it`() {
        var policy = policy(hourly: 1, daily: 1, sentAt: [], entries: 1)
        _ = policy.handle(.clockTicked, at: at(5))
        _ = policy.handle(.settled(id: 0, .refused(SMSRefusal(.message(42)))), at: at(5))
        #expect(policy.handle(.clockTicked, at: at(6)).last == .send(id: 0))
        let actions = policy.handle(.settled(id: 0, .refused(SMSRefusal(.message(27)))), at: at(6))
        #expect(actions.contains(.alarm(.budgetSpent(until: at(6) + .hours(24)))))
    }

    @Test func `is not shut for years by a clock that was wrong`() {
        var policy = policy(hourly: 1, daily: 1, sentAt: [at(9_000_000)], entries: 1)
        #expect(policy.handle(.clockTicked, at: at(5)).last == .send(id: 0))
    }
}

@Suite("The state of a message", .timeLimit(.minutes(5)))
struct MessageStateTests {
    @Test(arguments: [
        (MessageState.queued, MessageState.Event.handedOver, MessageState.sending),
        (.sending, .accepted, .sent), (.sending, .refused, .queued), (.sending, .wentSilent, .ambiguous),
        (.sending, .boxRestarted, .ambiguous), (.ambiguous, .handedOver, .sending), (.ambiguous, .accepted, .sent),
        (.sent, .reportedDelivered, .delivered), (.sent, .reportedUndeliverable, .failed),
        (.sending, .foundUnwritable, .failed),
    ])
    func `follows what modem and network say`(from: MessageState, event: MessageState.Event, to: MessageState) {
        #expect(from.after(event) == to)
    }

    @Test(arguments: [MessageState.Event.handedOver, .refused, .wentSilent, .boxRestarted, .reportedUndeliverable])
    func `never leaves delivered`(event: MessageState.Event) {
        #expect(MessageState.delivered.after(event) == .delivered)
    }

    @Test func `counts as told only when the network took it`() {
        #expect(MessageState.allCases.filter(\.isTold) == [.sent, .delivered])
        #expect(MessageState.allCases.filter(\.isFinished) == [.sent, .delivered, .failed])
    }
}
