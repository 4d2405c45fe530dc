import Testing

@testable import Enforcement

@Suite("The table of refusals")
struct SMSRefusalTests {
    private static let causes: [SMSRefusal.Cause] =
        (0...600).map { .message($0) } + (0...200).map { .modem($0) }
        + [.message(nil), .modem(nil), .silence, .notReady, .needsPDUMode, .notWritten]

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

    @Test(arguments: [21, 27, 28, 30, 500, 512, 302, 322])
    func `tells of what may pass after five minutes`(code: Int) {
        let rule = SMSRefusal(.message(code)).rule
        #expect(!rule.needsPerson && rule.alarmAfter == .minutes(5) && rule.longestWait <= .minutes(15))
    }

    @Test func `counts what the network had, and not what never left the modem`() {
        #expect([21, 27, 30, 127, 192, 195, 208, 332].allSatisfy { SMSRefusal(.message($0)).rule.isCharged })
        #expect(
            [1, 8, 10, 28, 38, 41, 42, 47, 50, 69, 96, 302, 304, 310, 322, 330, 331, 500].allSatisfy {
                !SMSRefusal(.message($0)).rule.isCharged
            })
    }
}
