import Enforcement
import Testing

@testable import Synchronizer

@Suite("The link to the server", .timeLimit(.minutes(10)))
struct LinkTests {
    @Test func `is known between cycles that are far apart`() throws {
        let bench = try Bench { $0.interval = .hours(1) }
        try bench.run(for: .minutes(5))
        #expect(bench.engine.link.isOnline(at: bench.clock.uptime))
        #expect(try bench.store.runs.list().count == 1)
        bench.server.goDown()
        try bench.run(for: .minutes(2))
        #expect(bench.engine.link.level(at: bench.clock.uptime) == .offline)
        #expect(bench.engine.linkFailure != nil)
        try bench.run(for: .minutes(4))
        #expect(bench.engine.link.level(at: bench.clock.uptime) == .sms)
        try bench.server.comeUp()
        try bench.run(for: .minutes(1))
        #expect(bench.engine.link.level(at: bench.clock.uptime) == .online)
    }
}
