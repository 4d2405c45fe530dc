import Enforcement
import Foundation
import ParkAPI
import Storage
import Testing

@testable import Synchronizer

@Suite("What was deleted at the server", .timeLimit(.minutes(10)))
struct ServerDeletionTests {
    @Test func `is withdrawn here, set aside, and sent again only when a person asks`() throws {
        let bench = try Bench()
        let passage = try bench.record("BA 1 PA 1")
        try bench.record("BA 1 PA 2")
        try bench.run(for: .minutes(1))
        let id = try #require(bench.server.texts("vehicle_passages", "id").first)
        bench.server.delete(passage: id)
        try bench.run(for: .minutes(2))
        let stored = try #require(try bench.store.passages.passage(clientID: passage.clientID))
        #expect(stored.withdrawnAt != nil)
        let corrections = try bench.store.passages.corrections(ofPassage: passage.clientID)
        #expect(corrections.map(\.reason) == ["deleted at the server"])
        let entry = try #require(try bench.store.queue.entries(status: .failed).first)
        #expect(entry.setAside == .deletedThere && entry.lastError == "deleted at the server")
        #expect(try bench.store.queue.refusedCount() == 0)
        #expect(bench.serverPlates == ["BA1PA2"])
        // All are put back in line, and not this one; one by its number is.
        #expect(try bench.store.queue.retryFailed(at: bench.clock.now) == 0)
        #expect(try bench.store.queue.retryFailed(id: entry.id, at: bench.clock.now) == 1)
        #expect(try bench.store.passages.passage(clientID: passage.clientID)?.withdrawnAt == nil)
        try bench.run(for: .minutes(1))
        #expect(
            try bench.store.queue.entries(status: .failed).first?.lastError?.contains("deleted at the server") == true)
        // The warden takes the deletion back.
        bench.server.lock.withLock { bench.server.tables["deleted_passages"] = [] }
        #expect(try bench.store.queue.retryFailed(id: entry.id, at: bench.clock.now) == 1)
        try bench.run(for: .minutes(1))
        #expect(Set(bench.serverPlates) == ["BA1PA1", "BA1PA2"])
    }

    @Test func `is no candidate any longer, and a match with it is taken back`() throws {
        let bench = try Bench()
        let remote = bench.server.insertRemote("BA1PA1", at: "2026-11-21T09:30:00.000Z")
        let passage = try bench.record("BA 1 PA 1")
        bench.surroundings.onArrival = { now in
            for own in try bench.store.matches.unmatched(.own, from: now - .hours(24), to: now) {
                let others = try bench.store.matches.unmatched(.remote, from: now - .hours(24), to: now)
                guard case .matched(let match) = PassageMatcher().match(own, among: others) else { continue }
                _ = try bench.store.matches.save(match, violation: nil, at: now)
            }
        }
        bench.server.fail("/functions/v1/match-passage", .answer(.json(["error": "later"], status: 500)), times: 3)
        try bench.run(for: .seconds(50))
        #expect(try bench.store.passages.passage(clientID: passage.clientID)?.isMatched == true)
        bench.server.delete(passage: remote)
        try bench.run(for: .minutes(1))
        #expect(try bench.store.passages.passage(clientID: passage.clientID)?.isMatched == false)
        let open = try bench.store.matches.unmatched(.remote, from: bench.clock.now - .hours(24), to: bench.clock.now)
        #expect(open.isEmpty)
    }

    @Test func `counts again when the warden takes the deletion back`() throws {
        let bench = try Bench()
        bench.server.keepsChanges = true
        let passage = try bench.record("BA 1 PA 1")
        try bench.run(for: .minutes(1))
        let row = try #require(bench.server.rows("vehicle_passages").first)
        let id = try #require(row["id"] as? String)
        bench.server.delete(passage: id)
        try bench.run(for: .minutes(1))
        #expect(try bench.store.passages.passage(clientID: passage.clientID)?.withdrawnAt != nil)
        bench.server.lock.withLock { bench.server.tables["deleted_passages"] = [] }
        bench.server.insert("vehicle_passages", row)
        try bench.run(for: .minutes(1))
        let stored = try #require(try bench.store.passages.passage(clientID: passage.clientID))
        #expect(stored.withdrawnAt == nil)
        #expect(stored.serverID?.uuidString.lowercased() == id)
        let last = try #require(try bench.store.passages.corrections(ofPassage: passage.clientID).last)
        #expect(last.reason == "put back at the server")
        #expect(last.at <= bench.clock.now)
    }

    @Test func `is sent what a ranger had corrected meanwhile, once the deletion is taken back`() throws {
        let bench = try Bench()
        bench.server.keepsChanges = true
        let passage = try bench.record("BA 1 PA 1")
        try bench.run(for: .minutes(1))
        let row = try #require(bench.server.rows("vehicle_passages").first)
        bench.server.delete(passage: try #require(row["id"] as? String))
        // Nothing of the deletion is known here yet.
        try bench.store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 9"), reason: "misread", by: "hari",
            at: bench.clock.now)
        bench.server.fail("/functions/v1/change-passage", .answer(.json(["error": "later"], status: 500)), times: 2)
        try bench.run(for: .minutes(1))
        #expect(try bench.store.passages.passage(clientID: passage.clientID)?.withdrawnAt != nil)
        bench.server.lock.withLock { bench.server.tables["deleted_passages"] = [] }
        bench.server.insert("vehicle_passages", row)
        try bench.run(for: .minutes(2))
        #expect(try bench.store.passages.passage(clientID: passage.clientID)?.passage.plate.canonical == "BA 1 PA 9")
        #expect(bench.serverPlates == ["BA1PA9"])
    }

    @Test func `isn't uploaded when it was deleted before, as a text`() throws {
        let bench = try Bench()
        let passage = try bench.record("BA 1 PA 1")
        bench.server.insert("deleted_passages", ["client_id": passage.clientID.uuidString.lowercased()])
        let last = try bench.record("BA 1 PA 2")
        try bench.run(for: .minutes(2))
        #expect(bench.serverPlates == [last.plate.compact])
        let entry = try #require(try bench.store.queue.entries(status: .failed).first)
        #expect(entry.isRefused)
        #expect(entry.lastError?.contains("deleted at the server") == true)
    }
}
