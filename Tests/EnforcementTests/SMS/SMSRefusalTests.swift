import Testing

@testable import Enforcement

@Suite("The table of refusals", .timeLimit(.minutes(5)))
struct SMSRefusalTests {
    private static let causes: [SMSRefusal.Cause] =
        (0...600).map { .message($0) } + (0...200).map { .modem($0) }
        + [.message(nil), .modem(nil), .silence, .notReady, .notKept, .needsPDUMode, .notWritten]

    @Test func `has an answer to everything: another try within the hour, and an alarm within half an hour`() {
        for cause in Self.causes {
            let refusal = SMSRefusal(cause)
            let rule = refusal.rule
            #expect(rule.firstWait >= .seconds(30) && rule.firstWait <= rule.longestWait, "\(cause)")
            #expect(rule.longestWait <= SMSRefusal.longestWait, "\(cause)")
            if let patience = rule.alarmAfter { #expect(patience <= .minutes(30), "\(cause)") }
            #expect(!refusal.reason.isEmpty && !refusal.reason.hasSuffix("."), "\(cause)")
            if case .message(let code?) = cause { #expect(refusal.reason.contains("+CMS ERROR \(code)")) }
        }
        #expect(
            Self.causes.filter { SMSRefusal($0).rule.alarmAfter == nil } == [.notReady, .notWritten],
            "for these there are other alarms")
    }

    @Test(arguments: [1, 8, 10, 29, 50, 69, 193, 195, 196, 330])
    func `calls a person at once where nothing else helps`(code: Int) {
        let rule = SMSRefusal(.message(code)).rule
        #expect(rule.needsPerson && rule.alarmAfter == .seconds(0))
    }

    @Test func `knows a SIM that the service centre doesn't know by one code`() {
        let unknown = (0...600).filter { SMSRefusal(.message($0)).reason.hasPrefix("the service centre doesn't know") }
        #expect(unknown == [193])
    }

    @Test(arguments: [21, 27, 28, 30, 500, 512, 302, 322])
    func `tells of what may pass after five minutes`(code: Int) {
        let rule = SMSRefusal(.message(code)).rule
        #expect(!rule.needsPerson && rule.alarmAfter == .minutes(5) && rule.longestWait <= .minutes(15))
    }

    @Test func `knows a busy network by its codes, and by no others`() {
        let busy = (0...340).filter { SMSRefusal(.message($0)).reason.contains("busy or out of reach") }
        #expect(busy == [17, 22, 38, 41, 42, 47, 331])
    }

    @Test func `counts what the network had, and not what never left the modem`() {
        #expect([21, 27, 30, 127, 192, 195, 208, 332].allSatisfy { SMSRefusal(.message($0)).rule.isCharged })
        #expect(
            [1, 8, 10, 28, 38, 41, 42, 47, 50, 69, 96, 302, 304, 310, 322, 330, 331, 500].allSatisfy {
                !SMSRefusal(.message($0)).rule.isCharged
            })
    }

    @Test func `is forgotten with the link back where it would pass by itself`() {
        let start = Instant(milliseconds: 1_795_255_530_000)
        func at(_ minutes: Double) -> Instant { start + .minutes(minutes) }
        var policy = EscalationPolicy()
        _ = policy.handle(.modem(ready: true), at: at(0))
        _ = policy.handle(.linkDown(since: at(0)), at: at(0))
        _ = policy.handle(.waiting([.init(id: 1, createdAt: at(0), standing: .pending)]), at: at(0))
        _ = policy.handle(.clockTicked, at: at(5))
        _ = policy.handle(.settled(id: 1, .refused(SMSRefusal(.modem(nil)))), at: at(5))
        #expect(
            policy.handle(.clockTicked, at: at(10)).contains(
                .alarm(.refused(reason: "the modem said ERROR", needsPerson: false))))
        #expect(policy.handle(.linkUp, at: at(11)).contains(.clear(.refused)))
    }
}
