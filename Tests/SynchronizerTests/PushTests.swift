import Enforcement
import Foundation
import Storage
import Testing

@testable import Synchronizer

@Suite("Pushing to a server", .timeLimit(.minutes(10)))
struct PushTests {
    @Test func `brings passages there in order, each once, and learns their ids`() throws {
        let bench = try Bench()
        let plates = try bench.record(count: 5)
        try bench.run()
        #expect(bench.serverPlates == plates)
        #expect(try bench.count(.synced) == 5)
        let ids = Set(bench.server.texts("vehicle_passages", "id"))
        let known = try bench.store.passages.list().compactMap { $0.serverID?.uuidString.lowercased() }
        #expect(Set(known) == ids)
    }

    @Test func `sends what the contract names`() throws {
        let bench = try Bench()
        let passage = try bench.record("BA 1 PA 1234")
        try bench.run()
        let row = bench.server.rows("vehicle_passages")[0]
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
        let bench = try Bench()
        try bench.run()
        let plates = try bench.record(count: 6)
        bench.server.fail("/rest/v1/vehicle_passages", fault, times: 3)
        try bench.run(for: .minutes(5))
        #expect(bench.serverPlates == plates)
        #expect(try bench.count(.synced) == 6)
        #expect(try bench.store.passages.list().allSatisfy { $0.serverID != nil })
    }

    @Test(arguments: [Fault.drop, .loseAnswer, .truncate, .garble, .portal, .twice])
    func `has every passage there once, in order, when a batch goes wrong`(fault: Fault) throws {
        let bench = try Bench { $0.queue.batchSize = 4 }
        try bench.run()
        let plates = try bench.record(count: 10)
        bench.server.fail("/rest/v1/vehicle_passages", fault, times: 3)
        try bench.run(for: .minutes(5))
        #expect(bench.serverPlates == plates)
        #expect(try bench.count(.synced) == 10)
        #expect(try bench.store.passages.list().allSatisfy { $0.serverID != nil })
    }

    @Test func `counts one attempt of one entry for an outage, and only probes`() throws {
        let bench = try Bench()
        try bench.run()
        let plates = try bench.record(count: 3)
        bench.server.goDown()
        try bench.run(for: .minutes(10))
        #expect(try bench.store.queue.entries().map(\.attempts) == [1, 0, 0])
        #expect(bench.engine.link.level(at: bench.clock.uptime) == .sms)
        try bench.server.comeUp()
        try bench.run(for: .seconds(40))
        #expect(bench.serverPlates == plates)
        #expect(bench.engine.link.level(at: bench.clock.uptime) == .online)
    }

    @Test func `goes on at once when the network comes back`() throws {
        let bench = try Bench()
        try bench.run()
        bench.server.goDown()
        try bench.record("BA 1 PA 1")
        try bench.run(for: .minutes(2))
        try bench.server.comeUp()
        bench.engine.networkChanged()
        try bench.engine.tick()
        #expect(try bench.count(.synced) == 1)
    }

    @Test func `is not online behind a captive portal, and loses nothing to it`() throws {
        let bench = try Bench()
        bench.server.fail("/", .portal, times: 1000)
        try bench.record("BA 1 PA 1")
        try bench.run(for: .minutes(6))
        #expect(bench.engine.link.level(at: bench.clock.uptime) == .sms)
        #expect(try bench.store.queue.entries().map(\.attempts) == [0])
        #expect(bench.serverPlates.isEmpty)
    }

    @Test(arguments: [400, 404, 413, 422])
    func `sets a refused record aside, and sends those behind it`(status: Int) throws {
        let bench = try Bench()
        let plates = try bench.record(count: 3)
        bench.server.refusals = [plates[1]: status]
        try bench.run(for: .minutes(3))
        #expect(bench.serverPlates == [plates[0], plates[2]])
        let refused = try bench.store.queue.entries(status: .failed)
        #expect(refused.map(\.isRefused) == [true])
        #expect(refused[0].lastError?.contains("\(status)") == true)
        #expect(bench.server.asked.count { $0.body.range(of: Data(plates[1].utf8)) != nil } == 1)
    }

    @Test func `gives up no record for a box on the way that finds it too long, nor for a conflict without a name`()
        throws
    {
        let page = Answered(status: 413, body: Data("<html>Too Large</html>".utf8))
        for answered in [page, Answered(status: 413), .json(["error": "conflict"], status: 409)] {
            let bench = try Bench()
            try bench.run()
            let plates = try bench.record(count: 3)
            bench.server.fail("/rest/v1/vehicle_passages", .answer(answered), times: 4)
            try bench.run(for: .minutes(3))
            #expect(bench.serverPlates == plates)
            #expect(try bench.count(.synced) == 3)
        }
    }

    @Test func `knows by a look that a conflict without a name is its own passage`() throws {
        let bench = try Bench()
        try bench.run()
        let passage = try bench.record("BA 1 PA 1")
        bench.server.insert(
            "vehicle_passages",
            [
                "client_id": passage.clientID.uuidString.lowercased(), "plate_number": "BA1PA1",
                "matched_passage_id": NSNull(),
            ])
        bench.server.fail("/rest/v1/vehicle_passages", .answer(.json(["error": "conflict"], status: 409)))
        bench.engine.requestCycle()
        try bench.engine.tick()
        #expect(try bench.count(.synced) == 1)
        #expect(try bench.store.passages.list()[0].serverID != nil)
    }

    @Test func `doesn't refuse hundreds of records for a server that refuses everything`() throws {
        let bench = try Bench()
        try bench.run()
        let plates = try bench.record(count: 60)
        bench.server.refusals = Dictionary(uniqueKeysWithValues: plates.map { ($0, 400) })
        try bench.run(for: .minutes(5))
        #expect(try bench.store.queue.refusedCount() == 9)
        #expect(bench.engine.queue.pauseReason != nil)
        bench.server.refusals = [:]
        try bench.run(for: .minutes(8))
        #expect(bench.serverPlates.count == 51)
        #expect(Set(bench.serverPlates) == Set(plates.dropFirst(9)))
    }

    @Test(arguments: [400, 403, 413])
    func `loses to one bad record of a batch only that one`(status: Int) throws {
        let bench = try Bench { $0.queue.batchSize = 10 }
        let plates = try bench.record(count: 25)
        bench.server.refusals = [plates[13]: status]
        try bench.run(for: .minutes(1))
        #expect(bench.serverPlates == plates.filter { $0 != plates[13] })
        #expect(try bench.count(.synced) == 24)
        #expect(try bench.store.queue.entries(status: .failed).map(\.isRefused) == [true])
    }

    @Test func `tries a record that the server chokes on five times, and again later`() throws {
        let bench = try Bench()
        try bench.run()
        let plates = try bench.record(count: 2)
        let ill = Answered.json(["message": "internal"], status: 500)
        bench.server.fail("/rest/v1/vehicle_passages", .answer(ill), times: 5)
        try bench.engine.push(whileAdvancing: bench.clock)
        #expect(Set(bench.serverPlates) == Set(plates))
        #expect(try bench.count(.failed) == 0)
    }

    @Test func `leaves the server alone as long as it asks`() throws {
        let bench = try Bench()
        try bench.run()
        try bench.record("BA 1 PA 1")
        let busy = Answered(
            status: 503, headers: ["Retry-After": "120", "Content-Type": "application/json"], body: Data("{}".utf8))
        bench.server.fail("/rest/v1/vehicle_passages", .answer(busy))
        bench.engine.requestCycle()
        try bench.run(for: .seconds(115))
        #expect(bench.serverPlates.isEmpty)
        try bench.run(for: .seconds(15))
        #expect(bench.serverPlates.count == 1)
    }

    @Test func `puts back what was under way when the process was killed, with no attempt counted`() throws {
        let bench = try Bench()
        try bench.run()
        let plates = try bench.record(count: 2)
        // Twice: libcurl itself asks again when a connection that was open is closed without an answer.
        bench.server.fail("/rest/v1/vehicle_passages", .loseAnswer, times: 2)
        bench.engine.requestCycle()
        try bench.engine.tick()
        var entry = try bench.store.queue.entries()[0]
        entry.status = .inFlight
        entry.attempts = 0
        entry.nextAttemptAt = nil
        try bench.store.queue.update(entry)
        try bench.restart()
        #expect(try bench.store.queue.entries().map(\.status) == [.pending, .pending])
        try bench.run()
        #expect(bench.serverPlates == plates)
        #expect(try bench.store.queue.entries().map(\.attempts) == [0, 0])
    }

    @Test func `never sends what was withdrawn before`() throws {
        let bench = try Bench()
        let wrong = try bench.record("BA 1 PA 1")
        try bench.record("BA 1 PA 2")
        try bench.store.passages.withdraw(
            clientID: wrong.clientID, reason: "no vehicle", by: "ranger", at: bench.clock.now)
        try bench.run()
        #expect(bench.serverPlates == ["BA1PA2"])
        #expect(try bench.count(.synced) == 3)
    }

    @Test func `brings a correction to the REST interface of a Supabase project that has no edge functions`() throws {
        let bench = try Bench()
        bench.server.isSupabase = true
        let passage = try bench.record("BA 1 PA 1")
        try bench.run()
        try bench.store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 7"), reason: "misread", by: "ranger",
            at: bench.clock.now)
        bench.engine.requestCycle()
        try bench.engine.tick()
        #expect(bench.server.requests("POST", "/rest/v1/rpc/change_passage").count == 1)
        #expect(try bench.count(.failed) == 0 && bench.count(.pending) == 0)

        // The next one goes there at once: this server's way is known.
        try bench.store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 8"), reason: "misread", by: "ranger",
            at: bench.clock.now)
        bench.engine.requestCycle()
        try bench.engine.tick()
        #expect(bench.server.requests("POST", "/rest/v1/rpc/change_passage").count == 2)
        #expect(bench.server.requests("POST", "/functions/v1/change-passage").count == 1)
    }

    @Test func `shows a correction that the server does not take`() throws {
        let bench = try Bench()
        let passage = try bench.record("BA 1 PA 1")
        try bench.run()
        try bench.store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 7"), reason: "misread", by: "ranger",
            at: bench.clock.now)
        let forbidden = Answered.json(["code": "42501", "message": "photo_path only"], status: 403)
        // The pull comes between: only the change itself is refused.
        let seen = ["id": UUID().uuidString, "client_id": passage.clientID.uuidString, "plate_number": "BA1PA1"]
        bench.server.fail("/rest/v1/vehicle_passages", .answer(.json([seen])))
        bench.server.fail("/rest/v1/vehicle_passages", .answer(forbidden))
        bench.engine.requestCycle()
        try bench.engine.tick()
        let refused = try bench.store.queue.entries(status: .failed)
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
