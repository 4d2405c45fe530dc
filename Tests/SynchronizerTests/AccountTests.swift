import Enforcement
import Foundation
import Storage
import Testing

@testable import Synchronizer

@Suite("The account of a post", .timeLimit(.minutes(10)))
struct AccountTests {
    @Test func `renews its token after a 401, and counts no attempt`() throws {
        let rig = try Rig()
        try rig.run()
        rig.server.expireTokens()
        try rig.record("BA 1 PA 1")
        try rig.run(for: .seconds(40))
        #expect(rig.serverPlates.count == 1)
        #expect(try rig.store.queue.entries().map(\.attempts) == [0])
        #expect(
            rig.server.requests("POST", "/auth/v1/token").map { $0.first("grant_type") } == [
                "password", "refresh_token",
            ])
    }

    @Test func `signs in again when the token can't be renewed`() throws {
        let rig = try Rig()
        try rig.run()
        rig.server.expireTokens(refreshToo: true)
        try rig.record("BA 1 PA 1")
        try rig.run(for: .seconds(40))
        #expect(rig.serverPlates.count == 1)
        #expect(
            rig.server.requests("POST", "/auth/v1/token").map { $0.first("grant_type") } == [
                "password", "refresh_token", "password",
            ])
    }

    @Test func `keeps its tokens over a restart, readable for itself alone`() throws {
        let rig = try Rig()
        try rig.run()
        let mode = try FileManager.default.attributesOfItem(atPath: rig.tokenFile)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try rig.restart()
        try rig.run(for: .seconds(40))
        #expect(rig.server.requests("POST", "/auth/v1/token").count == 1)
    }

    @Test func `pauses with an alarm when the password is refused, stays online, and goes on when it is right`() throws
    {
        let rig = try Rig()
        rig.server.password = "changed"
        try rig.record("BA 1 PA 1")
        try rig.run(for: .minutes(4))
        #expect(try rig.store.alarms.list().map(\.key) == ["sync.account"])
        // After 15 s, 30 s, 1 min and 2 min.
        #expect(rig.server.requests("POST", "/auth/v1/token").count == 5)
        #expect(try rig.store.alarms.list()[0].message.contains("tries again by itself"))
        #expect(rig.engine.link.isOnline(at: rig.clock.uptime))
        #expect(try rig.store.queue.entries().map(\.status) == [.pending])
        let alarm = try rig.store.alarms.list()[0]
        #expect(!"\(alarm.message) \(alarm.hint ?? "")".contains("right"))
        rig.server.password = "right"
        try rig.run(for: .minutes(4))
        #expect(rig.serverPlates.count == 1)
        #expect(try rig.store.alarms.list().isEmpty)
    }

    @Test func `goes on at once by hand`() throws {
        let rig = try Rig()
        rig.server.password = "changed"
        try rig.record("BA 1 PA 1")
        try rig.run(for: .seconds(10))
        rig.server.password = "right"
        rig.engine.requestCycle(byHand: true)
        try rig.engine.tick()
        #expect(rig.serverPlates.count == 1)
    }

    @Test func `loses no record while its account is inactive`() throws {
        let rig = try Rig()
        try rig.run()
        let plates = try rig.record(count: 3)
        rig.server.setActive(false)
        try rig.run(for: .minutes(7))
        #expect(try rig.count(.pending) == 3)
        #expect(try rig.store.alarms.list().map(\.key) == ["sync.account"])
        rig.server.setActive(true)
        try rig.run(for: .minutes(6))
        #expect(rig.serverPlates == plates)
        #expect(try rig.store.alarms.list().isEmpty)
    }

    @Test func `tells a record that is forbidden from an account that is`() throws {
        let rig = try Rig()
        let plates = try rig.record(count: 2)
        rig.server.refusals = [plates[0]: 403]
        try rig.run(for: .seconds(40))
        #expect(rig.serverPlates == [plates[1]])
        #expect(try rig.store.queue.entries(status: .failed).map(\.isRefused) == [true])
        #expect(try rig.store.alarms.list().isEmpty)
    }

    @Test func `tells the box the server's time, and sends a passage only when its own is put right`() throws {
        let rig = try Rig()
        // Nobody ever set this clock, and the server is an hour ahead of it.
        let own = BootClock(boot: "run", startedAt: Instant(milliseconds: 0) + (rig.clock.now - rig.clock.uptime))
        rig.clock.machine = own
        rig.server.hoursAhead = 1
        let recordedAt = rig.clock.now
        let passage = Passage(
            clientID: UUID(), plate: Plate(canonical: "BA 1 PA 1234"), plateRaw: "", vehicleType: .car,
            checkpostCode: "BNP-A", recordedAt: recordedAt, clockState: .untrusted, stampedBy: own, origin: .camera)
        try rig.store.passages.record(passage, at: rig.clock.now)
        try rig.run(for: .seconds(40))
        #expect(rig.serverPlates.isEmpty)

        let told = try #require(try rig.store.clock.serverTime(inRun: "run"))
        #expect(((told.start.startedAt - own.startedAt) - .hours(1)).magnitude <= .seconds(1))
        try rig.store.clock.know(told.start, by: .server, at: rig.clock.now)
        #expect(try rig.store.clock.putRight(at: rig.clock.now) == 1)
        try rig.run(for: .seconds(40))
        #expect(
            rig.server.texts("vehicle_passages", "recorded_at") == [
                (recordedAt + (told.start.startedAt - own.startedAt)).iso8601
            ])
    }

    @Test func `raises an alarm when the clocks differ, and clears it`() throws {
        let rig = try Rig()
        rig.server.hoursAhead = 1
        try rig.run()
        #expect(try rig.store.alarms.list().map(\.key) == ["clock.skew"])
        #expect(rig.engine.skew.map { abs($0.seconds + 3600) < 2 } == true)
        rig.server.hoursAhead = 0
        try rig.run(for: .seconds(31))
        #expect(try rig.store.alarms.list().isEmpty)
    }

    @Test func `shows no secret that the server repeats in its refusal`() throws {
        let rig = try Rig()
        let echo = #"{"error":"invalid_grant","error_description":"right is wrong for password=right, key=right"}"#
        rig.server.fail("/auth/v1/token", .answer(Answered(status: 400, body: Data(echo.utf8))), times: 50)
        try rig.record("BA 1 PA 1")
        try rig.run(for: .minutes(1))
        let alarms = try rig.store.alarms.list().map { $0.message + ($0.hint ?? "") }
        #expect(alarms.contains { $0.contains("invalid_grant") || $0.contains("… is wrong") }, "\(alarms)")
        #expect(!alarms.contains { $0.contains("right is") || $0.contains("=right") }, "\(alarms)")
        let runs = try rig.store.runs.list(limit: 10).compactMap(\.failure)
        #expect(!runs.contains { $0.contains("=right") }, "\(runs)")
    }

    /// Somebody whom the server vouched for, with a session at the console.
    private func signIn(_ name: String, _ rig: Rig) throws {
        var user = User(
            name: name, fullName: name, role: .ranger, origin: .server, passwordHash: "x", createdAt: rig.clock.now)
        user.standing = ServerStanding(isOpen: true, askedAt: rig.clock.now)
        try rig.store.accounts.add(user)
        try rig.store.accounts.begin(
            Session(
                tokenSHA256: Self.token(of: name), userName: name, createdAt: rig.clock.now,
                expiresAt: rig.clock.now + .hours(12)), with: .password)
    }

    private static func token(of name: String) -> String {
        String((name + String(repeating: "0", count: 64)).prefix(64))
    }

    private func session(_ name: String, _ rig: Rig) throws -> Bool {
        try rig.store.accounts.session(tokenSHA256: Self.token(of: name), at: rig.clock.now) != nil
    }

    @Test func `lets nobody go on at the console whom the server has switched off`() throws {
        let rig = try Rig()
        rig.server.openAccounts = ["hari@bnp.local", "maya@bnp.local"]
        try signIn("hari", rig)
        try signIn("maya@bnp.local", rig)
        try rig.run(for: .minutes(3))
        #expect(try session("hari", rig) && session("maya@bnp.local", rig))
        let asked = rig.server.requests("POST", "/rest/v1/rpc/accounts_open").count
        #expect((1...3).contains(asked), "\(asked)")
        rig.server.openAccounts = ["hari@bnp.local"]
        try rig.run(for: .minutes(2))
        #expect(try session("hari", rig))
        #expect(try !session("maya@bnp.local", rig))
        #expect(try rig.store.accounts.user("maya@bnp.local")?.standing?.isOpen == false)
        // Only a password opens it again.
        rig.server.openAccounts = ["hari@bnp.local", "maya@bnp.local"]
        try rig.run(for: .minutes(3))
        #expect(try rig.store.accounts.user("maya@bnp.local")?.standing?.isOpen == false)
    }

    @Test func `lets everybody go on where the server can't say, or the box's own account is off`() throws {
        let rig = try Rig()
        try signIn("hari", rig)
        try rig.run(for: .minutes(3))
        #expect(try session("hari", rig))
        #expect(rig.server.requests("POST", "/rest/v1/rpc/accounts_open").count == 1)
        rig.server.openAccounts = []
        try rig.restart()
        rig.server.setActive(false)
        try rig.run(for: .minutes(3))
        #expect(try session("hari", rig))
    }
}
