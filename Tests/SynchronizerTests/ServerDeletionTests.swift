import Enforcement
import Foundation
import ParkAPI
import Storage
import Testing

@testable import Synchronizer

@Suite("What was deleted at the server", .timeLimit(.minutes(10)))
struct ServerDeletionTests {
    @Test func `is withdrawn here, set aside, and sent again only when a person asks`() throws {
        let rig = try Rig()
        let passage = try rig.record("BA 1 PA 1")
        try rig.record("BA 1 PA 2")
        try rig.run(for: .minutes(1))
        let id = try #require(rig.server.texts("vehicle_passages", "id").first)
        rig.server.delete(passage: id)
        try rig.run(for: .minutes(2))
        let stored = try #require(try rig.store.passages.passage(clientID: passage.clientID))
        #expect(stored.withdrawnAt != nil)
        let corrections = try rig.store.passages.corrections(ofPassage: passage.clientID)
        #expect(corrections.map(\.reason) == ["deleted at the server"])
        let entry = try #require(try rig.store.queue.entries(status: .failed).first)
        #expect(entry.setAside == .deletedThere && entry.lastError == "deleted at the server")
        #expect(try rig.store.queue.refusedCount() == 0)
        #expect(rig.serverPlates == ["BA1PA2"])
        // All are put back in line, and not this one; one by its number is.
        #expect(try rig.store.queue.retryFailed(at: rig.clock.now) == 0)
        #expect(try rig.store.queue.retryFailed(id: entry.id, at: rig.clock.now) == 1)
        #expect(try rig.store.passages.passage(clientID: passage.clientID)?.withdrawnAt == nil)
        try rig.run(for: .minutes(1))
        #expect(
            try rig.store.queue.entries(status: .failed).first?.lastError?.contains("deleted at the server") == true)
        // The warden takes the deletion back.
        rig.server.lock.withLock { rig.server.tables["deleted_passages"] = [] }
        #expect(try rig.store.queue.retryFailed(id: entry.id, at: rig.clock.now) == 1)
        try rig.run(for: .minutes(1))
        #expect(Set(rig.serverPlates) == ["BA1PA1", "BA1PA2"])
    }

    @Test func `is no candidate any longer, and a match with it is taken back`() throws {
        let rig = try Rig()
        let remote = rig.server.insertRemote("BA1PA1", at: "2026-11-21T09:30:00.000Z")
        let passage = try rig.record("BA 1 PA 1")
        rig.surroundings.onArrival = { now in
            for own in try rig.store.matches.unmatched(.own, from: now - .hours(24), to: now) {
                let others = try rig.store.matches.unmatched(.remote, from: now - .hours(24), to: now)
                guard case .matched(let match) = PassageMatcher().match(own, among: others) else { continue }
                _ = try rig.store.matches.save(match, violation: nil, at: now)
            }
        }
        rig.server.fail("/functions/v1/match-passage", .answer(.json(["error": "later"], status: 500)), times: 3)
        try rig.run(for: .seconds(50))
        #expect(try rig.store.passages.passage(clientID: passage.clientID)?.isMatched == true)
        rig.server.delete(passage: remote)
        try rig.run(for: .minutes(1))
        #expect(try rig.store.passages.passage(clientID: passage.clientID)?.isMatched == false)
        let open = try rig.store.matches.unmatched(.remote, from: rig.clock.now - .hours(24), to: rig.clock.now)
        #expect(open.isEmpty)
    }

    @Test func `counts again when the warden takes the deletion back`() throws {
        let rig = try Rig()
        rig.server.keepsChanges = true
        let passage = try rig.record("BA 1 PA 1")
        try rig.run(for: .minutes(1))
        let row = try #require(rig.server.rows("vehicle_passages").first)
        let id = try #require(row["id"] as? String)
        rig.server.delete(passage: id)
        try rig.run(for: .minutes(1))
        #expect(try rig.store.passages.passage(clientID: passage.clientID)?.withdrawnAt != nil)
        rig.server.lock.withLock { rig.server.tables["deleted_passages"] = [] }
        rig.server.insert("vehicle_passages", row)
        try rig.run(for: .minutes(1))
        let stored = try #require(try rig.store.passages.passage(clientID: passage.clientID))
        #expect(stored.withdrawnAt == nil)
        #expect(stored.serverID?.uuidString.lowercased() == id)
        let last = try #require(try rig.store.passages.corrections(ofPassage: passage.clientID).last)
        #expect(last.reason == "put back at the server")
        #expect(last.at <= rig.clock.now)
    }

    @Test func `is sent what a ranger had corrected meanwhile, once the deletion is taken back`() throws {
        let rig = try Rig()
        rig.server.keepsChanges = true
        let passage = try rig.record("BA 1 PA 1")
        try rig.run(for: .minutes(1))
        let row = try #require(rig.server.rows("vehicle_passages").first)
        rig.server.delete(passage: try #require(row["id"] as? String))
        // Nothing of the deletion is known here yet.
        try rig.store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 9"), reason: "misread", by: "hari",
            at: rig.clock.now)
        rig.server.fail("/functions/v1/change-passage", .answer(.json(["error": "later"], status: 500)), times: 2)
        try rig.run(for: .minutes(1))
        #expect(try rig.store.passages.passage(clientID: passage.clientID)?.withdrawnAt != nil)
        rig.server.lock.withLock { rig.server.tables["deleted_passages"] = [] }
        rig.server.insert("vehicle_passages", row)
        try rig.run(for: .minutes(2))
        #expect(try rig.store.passages.passage(clientID: passage.clientID)?.passage.plate.canonical == "BA 1 PA 9")
        #expect(rig.serverPlates == ["BA1PA9"])
    }

    @Test func `isn't uploaded when it was deleted before, as a text`() throws {
        let rig = try Rig()
        let passage = try rig.record("BA 1 PA 1")
        rig.server.insert("deleted_passages", ["client_id": passage.clientID.uuidString.lowercased()])
        let last = try rig.record("BA 1 PA 2")
        try rig.run(for: .minutes(2))
        #expect(rig.serverPlates == [last.plate.compact])
        let entry = try #require(try rig.store.queue.entries(status: .failed).first)
        #expect(entry.isRefused)
        #expect(entry.lastError?.contains("deleted at the server") == true)
    }
}
