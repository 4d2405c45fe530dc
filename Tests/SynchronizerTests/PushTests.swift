import Enforcement
import Foundation
import Storage
import Testing

@testable import Synchronizer

@Suite("Pushing to a server", .timeLimit(.minutes(10)))
struct PushTests {
    @Test func `brings passages there in order, each once, and learns their ids`() throws {
        let rig = try Rig()
        let plates = try rig.record(count: 5)
        try rig.run()
        #expect(rig.serverPlates == plates)
        #expect(try rig.count(.synced) == 5)
        let ids = Set(rig.server.texts("vehicle_passages", "id"))
        let known = try rig.store.passages.list().compactMap { $0.serverID?.uuidString.lowercased() }
        #expect(Set(known) == ids)
    }

    @Test func `sends what the contract names`() throws {
        let rig = try Rig()
        let passage = try rig.record("BA 1 PA 1234")
        try rig.run()
        let row = rig.server.rows("vehicle_passages")[0]
        #expect(row["client_id"] as? String == passage.clientID.uuidString.lowercased())
        #expect(row["plate_number"] as? String == "BA1PA1234")
        #expect(row["recorded_at"] as? String == "2026-11-21T10:00:00.000Z")
        #expect(row["checkpost_id"] as? String == ParkServer.postA)
        #expect(row["segment_id"] as? String == ParkServer.segment)
        #expect(row["ranger_id"] as? String == ParkServer.ranger)
        #expect(row["source"] as? String == "app")
        #expect(row["clock_state"] as? String == "synchronised")
    }

    @Test(arguments: [Fault.drop, .loseAnswer, .truncate, .garble, .portal, .twice])
    func `has every passage there once, in order, when an exchange goes wrong`(fault: Fault) throws {
        let rig = try Rig()
        try rig.run()
        let plates = try rig.record(count: 6)
        rig.server.fail("/rest/v1/vehicle_passages", fault, times: 3)
        try rig.run(for: .minutes(5))
        #expect(rig.serverPlates == plates)
        #expect(try rig.count(.synced) == 6)
        #expect(try rig.store.passages.list().allSatisfy { $0.serverID != nil })
    }

    @Test(arguments: [Fault.drop, .loseAnswer, .truncate, .garble, .portal, .twice])
    func `has every passage there once, in order, when a batch goes wrong`(fault: Fault) throws {
        let rig = try Rig { $0.queue.batchSize = 4 }
        try rig.run()
        let plates = try rig.record(count: 10)
        rig.server.fail("/rest/v1/vehicle_passages", fault, times: 3)
        try rig.run(for: .minutes(5))
        #expect(rig.serverPlates == plates)
        #expect(try rig.count(.synced) == 10)
        #expect(try rig.store.passages.list().allSatisfy { $0.serverID != nil })
    }

    @Test func `counts one attempt of one entry for an outage, and only probes`() throws {
        let rig = try Rig()
        try rig.run()
        let plates = try rig.record(count: 3)
        rig.server.goDown()
        try rig.run(for: .minutes(10))
        #expect(try rig.store.queue.entries().map(\.attempts) == [1, 0, 0])
        #expect(rig.engine.link.level(at: rig.clock.uptime) == .sms)
        try rig.server.comeUp()
        try rig.run(for: .seconds(40))
        #expect(rig.serverPlates == plates)
        #expect(rig.engine.link.level(at: rig.clock.uptime) == .online)
    }

    @Test func `goes on at once when the network comes back`() throws {
        let rig = try Rig()
        try rig.run()
        rig.server.goDown()
        try rig.record("BA 1 PA 1")
        try rig.run(for: .minutes(2))
        try rig.server.comeUp()
        rig.engine.networkChanged()
        try rig.engine.tick()
        #expect(try rig.count(.synced) == 1)
    }

    @Test func `is not online behind a captive portal, and loses nothing to it`() throws {
        let rig = try Rig()
        rig.server.fail("/", .portal, times: 1000)
        try rig.record("BA 1 PA 1")
        try rig.run(for: .minutes(6))
        #expect(rig.engine.link.level(at: rig.clock.uptime) == .sms)
        #expect(try rig.store.queue.entries().map(\.attempts) == [0])
        #expect(rig.serverPlates.isEmpty)
    }

    @Test(arguments: [400, 404, 413, 422])
    func `sets a refused record aside, and sends those behind it`(status: Int) throws {
        let rig = try Rig()
        let plates = try rig.record(count: 3)
        rig.server.refusals = [plates[1]: status]
        try rig.run(for: .minutes(3))
        #expect(rig.serverPlates == [plates[0], plates[2]])
        let refused = try rig.store.queue.entries(status: .failed)
        #expect(refused.map(\.isRefused) == [true])
        #expect(refused[0].lastError?.contains("\(status)") == true)
        #expect(rig.server.asked.count { $0.body.range(of: Data(plates[1].utf8)) != nil } == 1)
    }

    @Test func `gives up no record for a box on the way that finds it too long, nor for a conflict without a name`()
        throws
    {
        let page = Answered(status: 413, body: Data("<html>Too Large</html>".utf8))
        for answered in [page, Answered(status: 413), .json(["error": "conflict"], status: 409)] {
            let rig = try Rig()
            try rig.run()
            let plates = try rig.record(count: 3)
            rig.server.fail("/rest/v1/vehicle_passages", .answer(answered), times: 4)
            try rig.run(for: .minutes(3))
            #expect(rig.serverPlates == plates)
            #expect(try rig.count(.synced) == 3)
        }
    }

    @Test func `knows by a look that a conflict without a name is its own passage`() throws {
        let rig = try Rig()
        try rig.run()
        let passage = try rig.record("BA 1 PA 1")
        rig.server.insert(
            "vehicle_passages",
            [
                "client_id": passage.clientID.uuidString.lowercased(), "plate_number": "BA1PA1",
                "matched_passage_id": NSNull(),
            ])
        rig.server.fail("/rest/v1/vehicle_passages", .answer(.json(["error": "conflict"], status: 409)))
        rig.engine.requestCycle()
        try rig.engine.tick()
        #expect(try rig.count(.synced) == 1)
        #expect(try rig.store.passages.list()[0].serverID != nil)
    }

    @Test func `doesn't refuse hundreds of records for a server that refuses everything`() throws {
        let rig = try Rig()
        try rig.run()
        let plates = try rig.record(count: 60)
        rig.server.refusals = Dictionary(uniqueKeysWithValues: plates.map { ($0, 400) })
        try rig.run(for: .minutes(5))
        #expect(try rig.store.queue.refusedCount() == 9)
        #expect(rig.engine.queue.pauseReason != nil)
        rig.server.refusals = [:]
        try rig.run(for: .minutes(8))
        #expect(rig.serverPlates.count == 51)
        #expect(Set(rig.serverPlates) == Set(plates.dropFirst(9)))
    }

    @Test(arguments: [400, 403, 413])
    func `loses to one bad record of a batch only that one`(status: Int) throws {
        let rig = try Rig { $0.queue.batchSize = 10 }
        let plates = try rig.record(count: 25)
        rig.server.refusals = [plates[13]: status]
        try rig.run(for: .minutes(1))
        #expect(rig.serverPlates == plates.filter { $0 != plates[13] })
        #expect(try rig.count(.synced) == 24)
        #expect(try rig.store.queue.entries(status: .failed).map(\.isRefused) == [true])
    }

    @Test func `tries a record that the server chokes on five times, and again later`() throws {
        let rig = try Rig()
        try rig.run()
        let plates = try rig.record(count: 2)
        let ill = Answered.json(["message": "internal"], status: 500)
        rig.server.fail("/rest/v1/vehicle_passages", .answer(ill), times: 5)
        try rig.engine.push(whileAdvancing: rig.clock)
        #expect(Set(rig.serverPlates) == Set(plates))
        #expect(try rig.count(.failed) == 0)
    }

    @Test func `leaves the server alone as long as it asks`() throws {
        let rig = try Rig()
        try rig.run()
        try rig.record("BA 1 PA 1")
        let busy = Answered(
            status: 503, headers: ["Retry-After": "120", "Content-Type": "application/json"], body: Data("{}".utf8))
        rig.server.fail("/rest/v1/vehicle_passages", .answer(busy))
        rig.engine.requestCycle()
        try rig.run(for: .seconds(115))
        #expect(rig.serverPlates.isEmpty)
        try rig.run(for: .seconds(15))
        #expect(rig.serverPlates.count == 1)
    }

    @Test func `puts back what was under way when the process was killed, with no attempt counted`() throws {
        let rig = try Rig()
        try rig.run()
        let plates = try rig.record(count: 2)
        // Twice: libcurl itself asks again when a connection that was open is closed without an answer.
        rig.server.fail("/rest/v1/vehicle_passages", .loseAnswer, times: 2)
        rig.engine.requestCycle()
        try rig.engine.tick()
        var entry = try rig.store.queue.entries()[0]
        entry.status = .inFlight
        entry.attempts = 0
        entry.nextAttemptAt = nil
        try rig.store.queue.update(entry)
        try rig.restart()
        #expect(try rig.store.queue.entries().map(\.status) == [.pending, .pending])
        try rig.run()
        #expect(rig.serverPlates == plates)
        #expect(try rig.store.queue.entries().map(\.attempts) == [0, 0])
    }

    @Test func `never sends what was withdrawn before`() throws {
        let rig = try Rig()
        let wrong = try rig.record("BA 1 PA 1")
        try rig.record("BA 1 PA 2")
        try rig.store.passages.withdraw(
            clientID: wrong.clientID, reason: "no vehicle", by: "ranger", at: rig.clock.now)
        try rig.run()
        #expect(rig.serverPlates == ["BA1PA2"])
        #expect(try rig.count(.synced) == 3)
    }

    @Test func `brings a correction to the REST interface of a Supabase project that has no edge functions`() throws {
        let rig = try Rig()
        rig.server.isSupabase = true
        let passage = try rig.record("BA 1 PA 1")
        try rig.run()
        try rig.store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 7"), reason: "misread", by: "ranger",
            at: rig.clock.now)
        rig.engine.requestCycle()
        try rig.engine.tick()
        #expect(rig.server.requests("POST", "/rest/v1/rpc/change_passage").count == 1)
        #expect(try rig.count(.failed) == 0 && rig.count(.pending) == 0)

        // The next one goes there at once: this server's way is known.
        try rig.store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 8"), reason: "misread", by: "ranger",
            at: rig.clock.now)
        rig.engine.requestCycle()
        try rig.engine.tick()
        #expect(rig.server.requests("POST", "/rest/v1/rpc/change_passage").count == 2)
        #expect(rig.server.requests("POST", "/functions/v1/change-passage").count == 1)
    }

    @Test func `shows a correction that the server does not take`() throws {
        let rig = try Rig()
        let passage = try rig.record("BA 1 PA 1")
        try rig.run()
        try rig.store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 7"), reason: "misread", by: "ranger",
            at: rig.clock.now)
        let forbidden = Answered.json(["code": "42501", "message": "photo_path only"], status: 403)
        // The pull comes between: only the change itself is refused.
        let seen = ["id": UUID().uuidString, "client_id": passage.clientID.uuidString, "plate_number": "BA1PA1"]
        rig.server.fail("/rest/v1/vehicle_passages", .answer(.json([seen])))
        rig.server.fail("/rest/v1/vehicle_passages", .answer(forbidden))
        rig.engine.requestCycle()
        try rig.engine.tick()
        let refused = try rig.store.queue.entries(status: .failed)
        #expect(refused.map(\.entity) == [.correction])
        #expect(refused.first?.lastError?.contains("warden") == true)
    }
}

extension SyncEngine {
    /// Runs cycles for ten minutes of a test's clock.
    func push(whileAdvancing clock: TestClock) throws {
        for _ in 0..<600 {
            try tick()
            clock.advance(.seconds(1))
        }
    }
}
