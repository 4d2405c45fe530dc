import Enforcement
import Foundation
import Storage
import Testing

@testable import Synchronizer

@Suite("The account of a post", .timeLimit(.minutes(10)))
struct AccountTests {
    @Test func `renews its token after a 401, and counts no attempt`() throws {
        let bench = try Bench()
        try bench.run()
        bench.server.expireTokens()
        try bench.record("BA 1 PA 1")
        try bench.run(for: .seconds(40))
        #expect(bench.serverPlates.count == 1)
        #expect(try bench.store.queue().map(\.attempts) == [0])
        #expect(
            bench.server.requests("POST", "/auth/v1/token").map { $0.first("grant_type") } == [
                "password", "refresh_token",
            ])
    }

    @Test func `signs in again when the token can't be renewed`() throws {
        let bench = try Bench()
        try bench.run()
        bench.server.expireTokens(refreshToo: true)
        try bench.record("BA 1 PA 1")
        try bench.run(for: .seconds(40))
        #expect(bench.serverPlates.count == 1)
        #expect(
            bench.server.requests("POST", "/auth/v1/token").map { $0.first("grant_type") } == [
                "password", "refresh_token", "password",
            ])
    }

    @Test func `keeps its tokens over a restart, readable for itself alone`() throws {
        let bench = try Bench()
        try bench.run()
        let mode = try FileManager.default.attributesOfItem(atPath: bench.tokenFile)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try bench.restart()
        try bench.run(for: .seconds(40))
        #expect(bench.server.requests("POST", "/auth/v1/token").count == 1)
    }

    @Test func `pauses with an alarm when the password is refused, stays online, and goes on when it is right`() throws
    {
        let bench = try Bench()
        bench.server.password = "changed"
        try bench.record("BA 1 PA 1")
        try bench.run(for: .minutes(4))
        #expect(try bench.store.alarms().map(\.key) == ["sync.account"])
        // After 15 s, 30 s, 1 min and 2 min.
        #expect(bench.server.requests("POST", "/auth/v1/token").count == 5)
        #expect(try bench.store.alarms()[0].message.contains("tries again by itself"))
        #expect(bench.engine.link.isOnline(at: bench.clock.uptime))
        #expect(try bench.store.queue().map(\.status) == [.pending])
        let alarm = try bench.store.alarms()[0]
        #expect(!"\(alarm.message) \(alarm.hint ?? "")".contains("right"))
        bench.server.password = "right"
        try bench.run(for: .minutes(4))
        #expect(bench.serverPlates.count == 1)
        #expect(try bench.store.alarms().isEmpty)
    }

    @Test func `goes on at once by hand`() throws {
        let bench = try Bench()
        bench.server.password = "changed"
        try bench.record("BA 1 PA 1")
        try bench.run(for: .seconds(10))
        bench.server.password = "right"
        bench.engine.requestCycle(byHand: true)
        try bench.engine.tick()
        #expect(bench.serverPlates.count == 1)
    }

    @Test func `loses no record while its account is inactive`() throws {
        let bench = try Bench()
        try bench.run()
        let plates = try bench.record(count: 3)
        bench.server.setActive(false)
        try bench.run(for: .minutes(7))
        #expect(try bench.count(.pending) == 3)
        #expect(try bench.store.alarms().map(\.key) == ["sync.account"])
        bench.server.setActive(true)
        try bench.run(for: .minutes(6))
        #expect(bench.serverPlates == plates)
        #expect(try bench.store.alarms().isEmpty)
    }

    @Test func `tells a record that is forbidden from an account that is`() throws {
        let bench = try Bench()
        let plates = try bench.record(count: 2)
        bench.server.refusals = [plates[0]: 403]
        try bench.run(for: .seconds(40))
        #expect(bench.serverPlates == [plates[1]])
        #expect(try bench.store.queue(status: .failed).map(\.isRefused) == [true])
        #expect(try bench.store.alarms().isEmpty)
    }

    @Test func `raises an alarm when the clocks differ, and clears it`() throws {
        let bench = try Bench()
        bench.server.hoursAhead = 1
        try bench.run()
        #expect(try bench.store.alarms().map(\.key) == ["clock.skew"])
        #expect(bench.engine.skew.map { abs($0.seconds + 3600) < 2 } == true)
        bench.server.hoursAhead = 0
        try bench.run(for: .seconds(31))
        #expect(try bench.store.alarms().isEmpty)
    }

    @Test func `shows no secret that the server repeats in its refusal`() throws {
        let bench = try Bench()
        let echo = #"{"error":"invalid_grant","error_description":"right is wrong for password=right, key=right"}"#
        bench.server.fail("/auth/v1/token", .answer(Answered(status: 400, body: Data(echo.utf8))), times: 50)
        try bench.record("BA 1 PA 1")
        try bench.run(for: .minutes(1))
        let alarms = try bench.store.alarms().map { $0.message + ($0.hint ?? "") }
        #expect(alarms.contains { $0.contains("invalid_grant") || $0.contains("… is wrong") }, "\(alarms)")
        #expect(!alarms.contains { $0.contains("right is") || $0.contains("=right") }, "\(alarms)")
        let runs = try bench.store.syncRuns(limit: 10).compactMap(\.failure)
        #expect(!runs.contains { $0.contains("=right") }, "\(runs)")
    }
}
