import Enforcement
import Testing

@testable import Synchronizer

@Suite("The link to the server", .timeLimit(.minutes(10)))
struct LinkTests {
    @Test func `is known between cycles that are far apart`() throws {
        let rig = try Rig { $0.interval = .hours(1) }
        try rig.run(for: .minutes(5))
        #expect(rig.engine.link.isOnline(at: rig.clock.uptime))
        #expect(try rig.store.runs.list().count == 1)
        rig.server.goDown()
        try rig.run(for: .minutes(2))
        #expect(rig.engine.link.level(at: rig.clock.uptime) == .offline)
        #expect(rig.engine.linkFailure != nil)
        try rig.run(for: .minutes(4))
        #expect(rig.engine.link.level(at: rig.clock.uptime) == .sms)
        try rig.server.comeUp()
        try rig.run(for: .minutes(1))
        #expect(rig.engine.link.level(at: rig.clock.uptime) == .online)
    }
}
