import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Synchronizer

@Suite("A box that is told of changes", .timeLimit(.minutes(5)))
struct ToldTests {
    @Test func `asks for nothing while the server says that it is there, and has a link`() throws {
        let rig = try Rig()
        try rig.run(for: .seconds(2))
        try rig.engine.serverHeard()
        // The first one was in no hurry yet.
        try rig.run(for: .seconds(30))
        let asked = rig.server.requests("GET", "/rest/v1/checkposts").count
        let runs = try rig.store.runs.list().count
        for _ in 0..<2 {
            try rig.engine.serverHeard()
            try rig.run(for: .seconds(20))
        }
        #expect(rig.server.requests("GET", "/rest/v1/checkposts").count == asked)
        #expect(try rig.store.runs.list().count == runs)
        #expect(rig.engine.link.isOnline(at: rig.clock.uptime))
        // A minute is over.
        try rig.run(for: .seconds(20))
        #expect(try rig.store.runs.list().count == runs + 1)
        // One that has heard nothing for so long is told nothing.
        try rig.run(for: .seconds(60))
        #expect(!rig.engine.isTold)
    }

    @Test func `has a cycle at once when something changed, and one in five seconds when everything does`() throws {
        let rig = try Rig()
        try rig.run(for: .seconds(6))
        let runs = try rig.store.runs.list().count
        try rig.engine.changeTold()
        try rig.run(for: .milliseconds(1), step: .milliseconds(1))
        #expect(try rig.store.runs.list().count == runs + 1)
        for _ in 0..<150 {
            try rig.engine.changeTold()
            try rig.run(for: .milliseconds(100), step: .milliseconds(100))
        }
        #expect((3...4).contains(try rig.store.runs.list().count - runs))
    }

    @Test func `looks after everything when it is told nothing more, and has its usual pace again`() throws {
        let rig = try Rig()
        try rig.run(for: .seconds(2))
        let runs = try rig.store.runs.list().count
        rig.engine.nothingTold()
        try rig.run(for: .seconds(1))
        #expect(try rig.store.runs.list().count == runs, "it never was told anything")
        try rig.engine.serverHeard()
        rig.engine.nothingTold()
        try rig.run(for: .seconds(1))
        #expect(try rig.store.runs.list().count == runs + 1 && !rig.engine.isTold)
        try rig.run(for: .seconds(31))
        #expect(try rig.store.runs.list().count == runs + 2)
    }

    @Test func `is none while its link is down, whatever a stream says that still stands`() throws {
        let rig = try Rig()
        try rig.run(for: .seconds(2))
        rig.server.goDown()
        try rig.run(for: .seconds(31))
        #expect(rig.engine.link.isDown)
        try rig.engine.serverHeard()
        #expect(rig.engine.link.isDown && rig.engine.changeQuestion == nil)
    }

    @Test func `sends texts when the server takes nothing, whatever it says of itself`() throws {
        let rig = try Rig()
        try rig.engine.serverHeard()
        try rig.run(for: .seconds(2))
        try rig.engine.serverHeard()
        rig.server.fail("/rest/v1", .answer(.json(["message": "no database"], status: 503)), times: 10_000)
        try rig.record("BA 1 PA 1")
        rig.engine.requestCycle()
        for second in 0..<330 {
            try rig.engine.serverHeard()
            try rig.run(for: .seconds(1))
            if second == 30 { #expect(rig.engine.link.isOnline(at: rig.clock.uptime)) }
        }
        #expect(rig.engine.link.level(at: rig.clock.uptime) == .sms)
    }

    @Test(arguments: [
        (200, 0, 5.0), (200, 1, 5), (0, 2, 15), (502, 3, 60), (0, 4, 300), (0, 9, 300), (404, 1, 3600), (403, 1, 3600),
        (405, 2, 3600), (501, 1, 3600), (401, 1, 5), (503, 1, 5),
    ])
    func `begins anew after a while, and seldom where there is no stream`(status: Int, failures: Int, seconds: Double) {
        #expect(ChangeListener.pause(status: status, failures: failures) == seconds)
    }
}

@Suite("A box and the real server's stream", .enabled(if: RealPark.isPossible), .serialized, .timeLimit(.minutes(5)))
struct RealStreamTests {
    @Test func `bring a violation without a cycle of its own, and end without harm`() async throws {
        let park = try RealPark(port: try FreePort.next())
        let (a, b) = (try Post("a", park), try Post("b", park))
        let service = SyncService(b.engine, changeLine: ServerChangeLine(url: park.url))
        service.start()
        defer { service.stop() }
        #expect(try await eventually { service.state.isTold })
        try b.record("BA 1 PA 1234", minute: 0)
        #expect(try await eventually { try park.query("select count(*) from vehicle_passages") == ["1"] })
        // Its clock stands still but for so much: no cycle of its own comes.
        b.clock.advance(.seconds(6))
        try a.record("BA 1 PA 1234", minute: -30)
        try a.run()
        #expect(
            try await eventually {
                b.clock.advance(.milliseconds(20))
                return try b.store.violations.list().first?.violation.state == .confirmed
            })
        park.stop()
        #expect(try await eventually { !service.state.isTold })
        // The link is looked after at once.
        #expect(try await eventually { service.state.linkFailure != nil })
        try park.start()
        #expect(
            try await eventually {
                b.clock.advance(.seconds(1))
                return service.state.isTold && service.state.level == .online
            })
    }
}
