import Enforcement
import Foundation
import Storage
import Testing

@testable import Synchronizer

@Suite("Synchronization when the box itself fails", .timeLimit(.minutes(10)))
struct BoxFaultTests {
    @Test(arguments: [1, 4])
    func `sets a record aside whose post the server doesn't know, and sends those behind it`(batch: Int) throws {
        let rig = try Rig { $0.queue.batchSize = batch }
        let first = try rig.record("BA 1 PA 1")
        let strange = try rig.record("BA 1 PA 2", post: "BNP-X")
        let last = try rig.record("BA 1 PA 3")
        try rig.run(for: .minutes(2))
        #expect(rig.serverPlates == [first, last].map(\.plate.compact))
        let failed = try rig.store.queue.entries(status: .failed)
        #expect(failed.map(\.passageClientID) == [strange.clientID])
        #expect(failed.first?.isRefused == true)
        #expect(failed.first?.attempts == 0)
        #expect(failed.first?.lastError?.contains("recorded at BNP-X") == true)
        #expect(try rig.store.queue.refusedCount() == 1)
        // It doesn't come back by itself, also not after a restart.
        try rig.restart()
        try rig.run(for: .minutes(2))
        #expect(try rig.store.queue.entries(status: .failed) == failed)
    }

    @Test func `sends such a record once a person says that it is of this post`() throws {
        let rig = try Rig()
        let strange = try rig.record("BA 1 PA 2", post: "BNP-X")
        try rig.run()
        let entry = try #require(try rig.store.queue.entries(status: .failed).first)
        try rig.store.queue.attribute(entry: entry.id, toPost: "BNP-A", at: rig.clock.now)
        #expect(try rig.store.queue.retryFailed(id: entry.id, at: rig.clock.now) == 1)
        try rig.run(for: .minutes(1))
        #expect(rig.serverPlates == ["BA1PA2"])
        let corrections = try rig.store.passages.corrections(ofPassage: strange.clientID)
        #expect(corrections.map(\.reason) == ["recorded under BNP-X; the post is BNP-A"])
        #expect(throws: StoreError.self) {
            try rig.store.queue.attribute(entry: entry.id, toPost: "BNP-B", at: rig.clock.now)
        }
    }

    @Test func `sets an outcome aside that is no JSON`() throws {
        let rig = try Rig()
        let violation = try rig.violation()
        try rig.store.violations.record(
            Outcome(kind: .fined, fineAmount: .infinity, recordedBy: "Hari", recordedAt: rig.clock.now),
            ofViolation: violation)
        let later = try rig.record("BA 9 PA 9")
        try rig.run(for: .minutes(2))
        #expect(rig.serverPlates.last == later.plate.compact)
        let failed = try rig.store.queue.entries(status: .failed)
        #expect(failed.map(\.entity) == [.outcome])
        #expect(failed.first?.lastError?.hasPrefix("the box can't send this") == true)
    }

    /// Every call that the database gets in a cycle fails once, before or after it did its work.
    @Test(arguments: [StoreError.Kind.busy, .diskFull], [1, 3])
    func `leaves nothing under way and sends everything once, whichever call fails`(kind: StoreError.Kind, batch: Int)
        throws
    {
        let rig = try Rig { $0.queue.batchSize = batch }
        try rig.run()
        var plates: [String] = []
        var skipped = 0
        var failures = 0
        while true {
            plates += try (0..<3).map { try rig.record("BA 1 PA \(1000 + skipped * 3 + $0)").plate.compact }
            rig.engine.requestCycle()
            let before = rig.faults.calls
            rig.faults.fail(kind, after: skipped)
            var failed = false
            do { try rig.engine.tick() } catch is StoreError { failed = true }
            rig.faults.heal()
            if failed { failures += 1 }
            try rig.run(for: .seconds(40), step: .seconds(10))
            #expect(try rig.count(.inFlight) == 0)
            #expect(try rig.count(.pending) == 0)
            #expect(try rig.store.queue.entries(limit: 1000).allSatisfy { $0.attempts == 0 })
            skipped += 1
            // The cycle had fewer calls than that: each of them has failed once.
            if !failed, rig.faults.calls - before >= skipped, skipped > 5 { break }
            guard skipped < 200 else { break }
        }
        #expect(failures > 10)
        #expect(rig.serverPlates == plates)
    }

    @Test func `starts on a disk that can't be written, and goes on when it can`() throws {
        let rig = try Rig()
        let plates = try rig.record(count: 2)
        try rig.run()
        _ = try rig.record("BA 2 PA 1")
        rig.faults.fail(.diskFull, after: 0, times: 1000)
        try rig.restart()
        for _ in 0..<3 {
            #expect(throws: StoreError.self) { try rig.engine.tick() }
            rig.clock.advance(.seconds(30))
        }
        rig.faults.heal()
        try rig.run(for: .minutes(1))
        #expect(rig.serverPlates == plates + ["BA2PA1"])
    }

    @Test func `puts back in line what a crash left under way, also while the link is down`() throws {
        let rig = try Rig()
        try rig.run()
        _ = try rig.record("BA 1 PA 1")
        rig.server.goDown()
        try rig.run(for: .seconds(40))
        var entry = try #require(try rig.store.queue.entries().first { $0.status == .pending })
        entry.status = .inFlight
        try rig.store.queue.update(entry)
        try rig.restart()
        try rig.engine.tick()
        #expect(try rig.count(.inFlight) == 0)
        #expect(try rig.count(.pending) == 1)
    }
}

extension Rig {
    /// A violation that both sides know, of a vehicle that went too fast.
    func violation() throws -> UUID {
        let passage = try record("BA 8 PA 8", minute: 60)
        try run(for: .minutes(1))
        let own = try #require(server.rows("vehicle_passages").last?["id"] as? String)
        let other = server.insertRemote("BA8PA8", at: "2026-11-21T10:30:00.000Z")
        server.link(own, other)
        server.insert(
            "violations",
            [
                "segment_id": ParkServer.segment, "entry_passage_id": other, "exit_passage_id": own,
                "violation_type": "speeding", "plate_number": passage.plate.compact, "vehicle_type": "car",
                "entry_time": "2026-11-21T10:30:00.000Z", "exit_time": passage.recordedAt.iso8601,
                "calculated_speed_kmh": 90, "speed_limit_kmh": 40, "distance_km": 45,
                "created_at": clock.now.iso8601,
            ])
        try run(for: .minutes(1))
        return try #require(try store.violations.list().first?.violation.id)
    }
}
