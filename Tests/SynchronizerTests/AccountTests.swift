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
        #expect(try bench.store.queue.entries().map(\.attempts) == [0])
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
        #expect(try bench.store.alarms.list().map(\.key) == ["sync.account"])
        // After 15 s, 30 s, 1 min and 2 min.
        #expect(bench.server.requests("POST", "/auth/v1/token").count == 5)
        #expect(try bench.store.alarms.list()[0].message.contains("tries again by itself"))
        #expect(bench.engine.link.isOnline(at: bench.clock.uptime))
        #expect(try bench.store.queue.entries().map(\.status) == [.pending])
        let alarm = try bench.store.alarms.list()[0]
        #expect(!"\(alarm.message) \(alarm.hint ?? "")".contains("right"))
        bench.server.password = "right"
        try bench.run(for: .minutes(4))
        #expect(bench.serverPlates.count == 1)
        #expect(try bench.store.alarms.list().isEmpty)
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
        #expect(try bench.store.alarms.list().map(\.key) == ["sync.account"])
        bench.server.setActive(true)
        try bench.run(for: .minutes(6))
        #expect(bench.serverPlates == plates)
        #expect(try bench.store.alarms.list().isEmpty)
    }

    @Test func `tells a record that is forbidden from an account that is`() throws {
        let bench = try Bench()
        let plates = try bench.record(count: 2)
        bench.server.refusals = [plates[0]: 403]
        try bench.run(for: .seconds(40))
        #expect(bench.serverPlates == [plates[1]])
        #expect(try bench.store.queue.entries(status: .failed).map(\.isRefused) == [true])
        #expect(try bench.store.alarms.list().isEmpty)
    }

    @Test func `raises an alarm when the clocks differ, and clears it`() throws {
        let bench = try Bench()
        bench.server.hoursAhead = 1
        try bench.run()
        #expect(try bench.store.alarms.list().map(\.key) == ["clock.skew"])
        #expect(bench.engine.skew.map { abs($0.seconds + 3600) < 2 } == true)
        bench.server.hoursAhead = 0
        try bench.run(for: .seconds(31))
        #expect(try bench.store.alarms.list().isEmpty)
    }

    @Test func `shows no secret that the server repeats in its refusal`() throws {
        let bench = try Bench()
        let echo = #"{"error":"invalid_grant","error_description":"right is wrong for password=right, key=right"}"#
        bench.server.fail("/auth/v1/token", .answer(Answered(status: 400, body: Data(echo.utf8))), times: 50)
        try bench.record("BA 1 PA 1")
        try bench.run(for: .minutes(1))
        let alarms = try bench.store.alarms.list().map { $0.message + ($0.hint ?? "") }
        #expect(alarms.contains { $0.contains("invalid_grant") || $0.contains("… is wrong") }, "\(alarms)")
        #expect(!alarms.contains { $0.contains("right is") || $0.contains("=right") }, "\(alarms)")
        let runs = try bench.store.runs.list(limit: 10).compactMap(\.failure)
        #expect(!runs.contains { $0.contains("=right") }, "\(runs)")
    }

    /// Somebody whom the server vouched for, with a session at the console.
    private func signIn(_ name: String, _ bench: Bench) throws {
        var user = User(
            name: name, fullName: name, role: .ranger, origin: .server, passwordHash: "x", createdAt: bench.clock.now)
        user.standing = ServerStanding(isOpen: true, askedAt: bench.clock.now)
        try bench.store.accounts.add(user)
        try bench.store.accounts.begin(
            Session(
                tokenSHA256: Self.token(of: name), userName: name, createdAt: bench.clock.now,
                expiresAt: bench.clock.now + .hours(12)), with: .password)
    }

    private static func token(of name: String) -> String {
        String((name + String(repeating: "0", count: 64)).prefix(64))
    }

    private func session(_ name: String, _ bench: Bench) throws -> Bool {
        try bench.store.accounts.session(tokenSHA256: Self.token(of: name), at: bench.clock.now) != nil
    }

    @Test func `lets nobody go on at the console whom the server has switched off`() throws {
        let bench = try Bench()
        bench.server.openAccounts = ["hari@bnp.local", "maya@bnp.local"]
        try signIn("hari", bench)
        try signIn("maya@bnp.local", bench)
        try bench.run(for: .minutes(3))
        #expect(try session("hari", bench) && session("maya@bnp.local", bench))
        let asked = bench.server.requests("POST", "/rest/v1/rpc/accounts_open").count
        #expect((1...3).contains(asked), "\(asked)")
        bench.server.openAccounts = ["hari@bnp.local"]
        try bench.run(for: .minutes(2))
        #expect(try session("hari", bench))
        #expect(try !session("maya@bnp.local", bench))
        #expect(try bench.store.accounts.user("maya@bnp.local")?.standing?.isOpen == false)
        // Only a password opens it again.
        bench.server.openAccounts = ["hari@bnp.local", "maya@bnp.local"]
        try bench.run(for: .minutes(3))
        #expect(try bench.store.accounts.user("maya@bnp.local")?.standing?.isOpen == false)
    }

    @Test func `lets everybody go on where the server can't say, or the box's own account is off`() throws {
        let bench = try Bench()
        try signIn("hari", bench)
        try bench.run(for: .minutes(3))
        #expect(try session("hari", bench))
        #expect(bench.server.requests("POST", "/rest/v1/rpc/accounts_open").count == 1)
        bench.server.openAccounts = []
        try bench.restart()
        bench.server.setActive(false)
        try bench.run(for: .minutes(3))
        #expect(try session("hari", bench))
    }
}
