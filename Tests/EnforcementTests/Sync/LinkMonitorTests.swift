import Testing

@testable import Enforcement

@Suite("A link monitor", .timeLimit(.minutes(5)))
struct LinkMonitorTests {
    let start = Instant(milliseconds: 1_795_255_200_000)
    var link = LinkMonitor(startedAt: Instant(milliseconds: 1_795_255_200_000))

    private func at(_ seconds: Double) -> Instant { start + .seconds(seconds) }

    @discardableResult
    private mutating func handle(_ event: LinkMonitor.Event, _ seconds: Double) -> [LinkMonitor.Action] {
        link.handle(event, at: at(seconds), random: 1)
    }

    @Test mutating func `is offline until the server has answered, and probes at once`() {
        #expect(link.level(at: start) == .offline)
        #expect(handle(.tick, 0) == [.probe])
    }

    @Test mutating func `comes online by a good answer alone`() {
        handle(.badlyAnswered, 1)
        #expect(!link.isOnline(at: at(1)))
        #expect(handle(.wellAnswered, 2) == [.cameBack(after: .seconds(2))])
        #expect(link.isOnline(at: at(2)))
        #expect(link.level(at: at(2)) == .online)
    }

    @Test mutating func `is online for 60 s after a good answer`() {
        handle(.wellAnswered, 0)
        #expect(link.isOnline(at: at(60)))
        #expect(!link.isOnline(at: at(60.001)))
        #expect(link.offlineSince(at: at(61)) == at(0))
    }

    @Test mutating func `goes down at once when nothing answers, since its last success`() {
        handle(.wellAnswered, 0)
        #expect(handle(.unanswered, 30) == [.wentDown])
        #expect(link.isDown)
        #expect(link.offlineSince(at: at(30)) == at(0))
        #expect(handle(.unanswered, 40) == [])
    }

    @Test mutating func `takes SMS after five minutes`() {
        handle(.wellAnswered, 0)
        handle(.unanswered, 30)
        #expect(link.level(at: at(299)) == .offline)
        #expect(link.level(at: at(300)) == .sms)
    }

    @Test mutating func `takes SMS as well when the server answers badly for five minutes`() {
        handle(.wellAnswered, 0)
        for second in stride(from: 30.0, through: 300, by: 30) { handle(.badlyAnswered, second) }
        #expect(!link.isDown)
        #expect(link.level(at: at(300)) == .sms)
    }

    @Test mutating func `probes at growing distances while down`() {
        handle(.wellAnswered, 0)
        handle(.unanswered, 10)
        #expect(handle(.tick, 13) == [])
        #expect(handle(.tick, 14) == [.probe])
        handle(.unanswered, 14)
        #expect(handle(.tick, 21) == [])
        #expect(handle(.tick, 22) == [.probe])
        for _ in 0..<20 { handle(.unanswered, 100) }
        #expect(link.nextProbe == at(130))
    }

    @Test mutating func `probes at once when the network changes, and only while down`() {
        handle(.wellAnswered, 0)
        #expect(handle(.networkChanged, 5) == [])
        handle(.unanswered, 10)
        #expect(handle(.networkChanged, 11) == [.probe])
        #expect(handle(.tick, 11) == [.probe])
    }

    @Test mutating func `reports each return once`() {
        handle(.wellAnswered, 0)
        handle(.unanswered, 10)
        #expect(handle(.wellAnswered, 70) == [.cameBack(after: .seconds(70))])
        #expect(handle(.wellAnswered, 71) == [])
    }

    @Test func `keeps an outage that began before a restart`() {
        let link = LinkMonitor(lastSuccess: start - .minutes(6), startedAt: start)
        #expect(link.level(at: start) == .sms)
        let odd = LinkMonitor(lastSuccess: start + .minutes(6), startedAt: start)
        #expect(odd.lastSuccess == start)
    }

    @Test func `knows no success of a server that never answered, whenever it began to look`() {
        var link = LinkMonitor(startedAt: start)
        _ = link.handle(.unanswered, at: start + .minutes(7), random: 0)
        #expect(link.knownSuccess == nil)
        #expect(link.offlineSince(at: start + .minutes(7)) == start)
        _ = link.handle(.wellAnswered, at: start + .minutes(8), random: 0)
        #expect(link.knownSuccess == start + .minutes(8))
        #expect(LinkMonitor(lastSuccess: start - .minutes(6), startedAt: start).knownSuccess == start - .minutes(6))
    }
}
