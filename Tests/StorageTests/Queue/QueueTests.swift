import Enforcement
import Foundation
import Testing

@testable import Storage

@Suite("The queue on record", .timeLimit(.minutes(10)))
struct QueueRecordTests {
    @Test func `is first in, first out, whatever the clock said`() throws {
        let test = try TestStore()
        let passages = (0..<4).map { samplePassage("BA 1 PA \($0)") }
        for (passage, at) in zip(passages, [5, 1, 1, 3]) {
            try test.store.passages.record(passage, at: minute(Double(at)))
        }
        let order = passages.map(\.clientID)
        #expect(try test.store.queue.entries().map(\.passageClientID) == order)
        #expect(try test.store.queue.waiting(limit: 1).first?.passageClientID == order[0])
        #expect(try test.store.queue.waiting(limit: 9).map(\.passageClientID) == order)
        #expect(try test.store.queue.waiting(limit: 2).map(\.passageClientID) == Array(order.prefix(2)))
        #expect(try test.store.queue.oldestWaiting() == minute(1))
    }

    @Test func `tells entries that gave up from refused ones`() throws {
        let test = try TestStore()
        for number in 0..<3 {
            try test.store.passages.record(samplePassage("BA 1 PA \(number)"), at: minute(Double(number)))
        }
        var entries = try test.store.queue.entries()
        entries[0].status = .failed
        entries[0].attempts = 5
        entries[0].lastError = "503"
        entries[0].lastAttemptAt = minute(9)
        entries[1].status = .failed
        entries[1].isRefused = true
        entries[2].status = .inFlight
        entries[2].nextAttemptAt = minute(10)
        entries[2].smsSent = true
        for entry in entries { try test.store.queue.update(entry) }
        #expect(try test.store.queue.entries() == entries)
        #expect(try test.store.queue.counts() == [.pending: 0, .inFlight: 1, .synced: 0, .failed: 2])
        #expect(try test.store.figures.now().refused == 1)
        #expect(try test.store.queue.waiting(limit: 1).first == nil)

        #expect(try test.store.queue.recoverInFlight() == 1)
        #expect(try test.store.queue.waiting(limit: 1).first?.id == entries[2].id)
        #expect(try test.store.queue.retryFailed(id: entries[1].id, at: minute(50)) == 1)
        let retried = try #require(try test.store.queue.entry(id: entries[1].id))
        #expect(retried.status == .pending)
        #expect(!retried.isRefused)
        #expect(try test.store.queue.retryFailed(at: minute(50)) == 1)
        #expect(try test.store.queue.counts()[.pending] == 3)
    }

    @Test func `sets a refused entry aside, and brings it back by its number alone`() throws {
        let test = try TestStore()
        for number in 0..<2 {
            try test.store.passages.record(samplePassage("BA 1 PA \(number)"), at: minute(Double(number)))
        }
        var entry = try #require(try test.store.queue.entries().first)
        #expect(try !test.store.queue.setAside(entry: entry.id))
        (entry.status, entry.isRefused, entry.lastError) = (.failed, true, "the server keeps another's")
        try test.store.queue.update(entry)
        #expect(try test.store.queue.refusedCount() == 1)
        #expect(try test.store.queue.setAside(entry: entry.id))
        #expect(try !test.store.queue.setAside(entry: entry.id))
        #expect(try test.store.queue.refusedCount() == 0)
        #expect(try test.store.queue.setAsideCount() == 1)
        #expect(try test.store.figures.now().refused == 0)
        #expect(try test.store.figures.now().queue[.failed] == 0)
        let stored = try #require(try test.store.queue.entry(id: entry.id))
        #expect(stored.setAside == .discarded && stored.lastError == "the server keeps another's")
        #expect(try test.store.queue.retryFailed(at: minute(50)) == 0)
        #expect(try test.store.queue.retryFailed(id: entry.id, at: minute(50)) == 1)
        #expect(try test.store.queue.waiting(limit: 5).count == 2)
    }

    @Test func `cannot hold a refused entry that waits`() throws {
        let test = try TestStore()
        try test.store.passages.record(samplePassage(), at: minute(0))
        var entry = try #require(try test.store.queue.waiting(limit: 1).first)
        entry.isRefused = true
        let error = #expect(throws: StoreError.self) { try test.store.queue.update(entry) }
        #expect(error?.kind == .refused)
    }

    @Test func `learns the server's id together with the answer, and then the photo is due`() throws {
        let test = try TestStore()
        let passage = samplePassage(photoSHA256: sampleHash(1))
        try test.store.frames.commit(
            FrameCommit(
                camera: "gate", photos: [samplePhoto()], recordings: [.init(passage: passage, sighting: nil)],
                at: minute(0)))
        #expect(try test.store.photos.dueUploads().isEmpty)
        var entry = try #require(try test.store.queue.waiting(limit: 1).first)
        entry.status = .synced
        let facts = ServerFacts(serverID: UUID(), matchedServerID: UUID())
        try test.store.queue.update(entry, learning: facts)
        let stored = try #require(try test.store.passages.passage(clientID: passage.clientID))
        #expect(stored.serverID == facts.serverID)
        #expect(stored.isMatched)
        #expect(try test.store.matches.unmatched(.own, from: minute(-1), to: minute(1)).isEmpty)

        var upload = try #require(try test.store.photos.dueUploads().first)
        #expect(upload.passageServerID == facts.serverID)
        #expect(upload.photo == samplePhoto())
        upload.status = .uploaded
        try test.store.photos.update(upload)
        #expect(try test.store.photos.dueUploads().isEmpty)
    }
}
