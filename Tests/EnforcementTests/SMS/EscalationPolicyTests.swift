import Testing

@testable import Enforcement

@Suite("An escalation policy", .timeLimit(.minutes(5)))
struct EscalationPolicyTests: EscalationSteps {
    @Test func `sends nothing in an outage of 4 minutes 59 seconds, and one message at 5 minutes`() {
        var policy = offline([entry(1)])
        #expect(policy.handle(.clockTicked, at: at(0) + .seconds(299)) == [])
        #expect(policy.handle(.clockTicked, at: at(5)) == sending(1))
    }

    @Test func `waits until the entry is five minutes old`() {
        var policy = offline([])
        _ = policy.handle(.waiting([entry(1, minute: 3)]), at: at(3))
        #expect(policy.handle(.clockTicked, at: at(7.9)) == [])
        #expect(policy.handle(.clockTicked, at: at(8)) == sending(1))
    }

    @Test func `goes through the queue in order, one message at a time`() {
        var policy = offline([entry(1), entry(2), entry(3)])
        #expect(policy.handle(.clockTicked, at: at(6)) == sending(1))
        #expect(policy.handle(.clockTicked, at: at(6)) == [])
        #expect(
            policy.handle(.settled(id: 1, .accepted()), at: at(6)) == [record(1, .sent)] + sending(2)
        )
        #expect(
            policy.handle(.settled(id: 2, .accepted()), at: at(6)) == [record(2, .sent)] + sending(3)
        )
        #expect(policy.handle(.settled(id: 3, .accepted()), at: at(6)) == [record(3, .sent)])
        #expect(policy.handle(.clockTicked, at: at(600)) == [])
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
        #expect(policy.handle(.settled(id: 1, .accepted()), at: at(7)) == [record(1, .sent)])
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

    @Test func `sends the newest first once a budget was spent, and in order again after the link was back`() {
        var policy = offline((1...6).map { entry($0, minute: Double($0)) }) {
            $0.hourlyLimit = 2
            $0.dailyLimit = 100
        }
        #expect(policy.handle(.clockTicked, at: at(20)) == sending(1))
        #expect(policy.handle(.settled(id: 1, .accepted()), at: at(20)).contains(.send(id: 2)))
        #expect(!policy.takesNewestFirst)
        _ = policy.handle(.settled(id: 2, .accepted()), at: at(20))
        #expect(policy.takesNewestFirst, "there is not enough for all of them")
        #expect(policy.handle(.clockTicked, at: at(81)).contains(.send(id: 6)))
        let refused = policy.handle(.settled(id: 6, .refused(busy)), at: at(81))
        #expect(refused.contains(record(6, .queued, after: busy)))
        #expect(policy.handle(.clockTicked, at: at(100)).contains(.send(id: 6)), "it kept its place")
        _ = policy.handle(.settled(id: 6, .accepted()), at: at(100))
        _ = policy.handle(.linkUp, at: at(101))
        #expect(!policy.takesNewestFirst)
    }

    @Test func `sends nothing that is older than a day: it waits for the link`() {
        var policy = offline([entry(1), entry(2, minute: 30)])
        _ = policy.handle(.modem(ready: false), at: at(1))
        let late = at(24 * 60 + 1)
        #expect(policy.handle(.modem(ready: true), at: late) == sending(2), "the first is a day and a minute old")
        _ = policy.handle(.settled(id: 2, .accepted()), at: late)
        #expect(policy.handle(.clockTicked, at: late + .hours(1)) == [])
    }

    @Test func `waits for the modem`() {
        var policy = offline([entry(1)])
        _ = policy.handle(.modem(ready: false), at: at(1))
        #expect(policy.handle(.clockTicked, at: at(6)) == [])
        #expect(policy.handle(.modem(ready: true), at: at(7)) == sending(1))
    }

    @Test func `backs off after a refusal, longer each time, and keeps the message`() {
        var policy = offline([entry(1)])
        var now = at(5)
        for wait in [30.0, 60, 120, 240, 480] {
            #expect(policy.handle(.clockTicked, at: now) == sending(1))
            #expect(
                policy.handle(.settled(id: 1, .refused(busy)), at: now) == [record(1, .queued, after: busy)])
            #expect(policy.handle(.clockTicked, at: now + .seconds(wait - 1)) == [])
            now = now + .seconds(wait)
        }
        #expect(policy.handle(.clockTicked, at: now) == sending(1))
        _ = policy.handle(.settled(id: 1, .refused(busy)), at: now)
        now = now + .minutes(15)
        #expect(!policy.handle(.clockTicked, at: now - .seconds(1)).contains(.send(id: 1)))
        #expect(policy.handle(.clockTicked, at: now).suffix(1) == sending(1)[...], "no wait is longer")
        _ = policy.handle(.settled(id: 1, .accepted()), at: now)
        _ = policy.handle(.waiting([entry(2)]), at: now)
        #expect(policy.handle(.settled(id: 2, .refused(busy)), at: now) == [record(2, .queued, after: busy)])
        #expect(policy.handle(.clockTicked, at: now + .seconds(29)) == [])
        #expect(
            policy.handle(.clockTicked, at: now + .seconds(30)) == sending(2),
            "an accepted message ends the backing off")
    }

    @Test func `tells somebody when a refusal has lasted, and goes on by itself`() {
        var policy = offline([entry(1), entry(2)])
        let rejected = SMSRefusal(.message(21))
        var now = at(5)
        var tries = 0
        var alarms: [(minute: Double, alarm: Policy.Alarm)] = []
        while now < at(26) {
            for action in policy.handle(.clockTicked, at: now) {
                if case .send(let id) = action {
                    tries += 1
                    for case .alarm(let alarm) in policy.handle(.settled(id: id, .refused(rejected)), at: now) {
                        alarms.append(((now - start).seconds / 60, alarm))
                    }
                }
                if case .alarm(let alarm) = action { alarms.append(((now - start).seconds / 60, alarm)) }
            }
            now = now + .seconds(1)
        }
        #expect(tries == 5, "at once, and after 1, 3, 7 and 15 minutes")
        #expect(alarms.map(\.alarm) == [.refused(reason: rejected.reason, needsPerson: false)])
        #expect(alarms.first?.minute == 10)
        #expect(policy.refusedReason?.contains("+CMS ERROR 21") == true)
        let actions = policy.handle(.clockTicked, at: at(60))
        guard case .send(let id)? = actions.last else {
            Issue.record("nothing is sent")
            return
        }
        #expect(policy.handle(.settled(id: id, .accepted()), at: at(60)).contains(.clear(.refused)))
        #expect(policy.refusedReason == nil)
    }

    @Test func `tells somebody at once of a barred SIM, tries it rarely, and doesn't forget it with the link back`() {
        var policy = offline([entry(1)])
        let barred = SMSRefusal(.message(8))
        _ = policy.handle(.clockTicked, at: at(5))
        #expect(
            policy.handle(.settled(id: 1, .refused(barred)), at: at(5)) == [
                record(1, .queued, after: barred), .alarm(.refused(reason: barred.reason, needsPerson: true)),
            ])
        var waiting = policy
        #expect(waiting.handle(.clockTicked, at: at(10) - .seconds(1)) == [])
        #expect(waiting.handle(.clockTicked, at: at(10)) == sending(1))
        #expect(policy.handle(.linkUp, at: at(6)) == [])
        #expect(policy.handle(.resumed, at: at(7)) == [.clear(.refused)])
        _ = policy.handle(.linkDown(since: at(8)), at: at(8))
        #expect(policy.handle(.waiting([entry(1)]), at: at(13)) == sending(1))
    }

    @Test func `lets the next message try when one is refused again and again, and gives up one that is at fault`() {
        var policy = offline([entry(1), entry(2)])
        let unreadable = SMSRefusal(.message(304))
        var sent: [Int64] = []
        var failed = false
        var now = at(5)
        while now < at(180), !failed {
            var actions = policy.handle(.clockTicked, at: now)
            while case .send(let id)? = actions.last {
                sent.append(id)
                actions = policy.handle(.settled(id: id, id == 1 ? .refused(unreadable) : .accepted()), at: now)
                failed = failed || actions.contains(record(1, .failed, after: unreadable))
            }
            now = now + .seconds(5)
        }
        #expect(sent == [1, 1, 1, 2, 1, 1])
        #expect(failed)
    }

    @Test func `takes an entry from a clock that was ahead for new when it is first seen, and holds no other up`() {
        var policy = offline([entry(1, minute: 360), entry(2, minute: 1)])
        #expect(policy.handle(.clockTicked, at: at(5)) == sending(1))
        #expect(policy.handle(.settled(id: 1, .accepted()), at: at(6)).last == .send(id: 2))
        var later = offline([entry(2, minute: 1)])
        _ = later.handle(.waiting([entry(1, minute: 360), entry(2, minute: 1)]), at: at(3))
        #expect(later.handle(.clockTicked, at: at(6)) == sending(2))
        #expect(
            later.handle(.settled(id: 2, .accepted()), at: at(7.9)) == [record(2, .sent)])
        #expect(later.handle(.waiting([entry(1, minute: 360)]), at: at(8)) == sending(1))
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
            policy.handle(.settled(id: 1, .unwritable(reason: "no room", wasHandedOver: false)), at: at(5)) == [
                record(1, .failed, because: "no room")
            ]
                + sending(2))
    }

    @Test func `leaves an entry alone that the server got meanwhile, without a wait and without a cost`() {
        var policy = offline([entry(1), entry(2)]) { $0.hourlyLimit = 1 }
        _ = policy.handle(.clockTicked, at: at(5))
        #expect(policy.handle(.settled(id: 1, .overtaken), at: at(5)) == sending(2))
        _ = policy.handle(.settled(id: 2, .overtaken), at: at(5))
        #expect(policy.handle(.clockTicked, at: at(600)) == [])
    }

    @Test func `ignores the result of a message that is not under way`() {
        var policy = offline([entry(1)])
        #expect(policy.handle(.settled(id: 9, .accepted()), at: at(1)) == [])
    }
}
