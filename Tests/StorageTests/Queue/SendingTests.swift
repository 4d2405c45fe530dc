import Enforcement
import Foundation
import Testing

@testable import Storage

@Suite("What can be sent", .timeLimit(.minutes(10)))
struct SendingTests {
    private func finish(_ test: TestStore, _ entry: QueueEntry, _ status: QueueStatus) throws {
        var entry = entry
        entry.status = status
        try test.store.queue.update([entry], learning: [entry.passageClientID: ServerFacts(serverID: UUID())])
    }

    @Test func `goes in the order of recording`() throws {
        let test = try TestStore()
        for number in 0..<3 { try test.store.passages.record(samplePassage(at: Double(number)), at: minute(9)) }
        let waiting = try test.store.queue.waiting(limit: 2)
        #expect(waiting.map(\.id) == [1, 2])
    }

    @Test func `is a child only after its parent, and never holds up what is behind it`() throws {
        let test = try TestStore()
        let passage = samplePassage()
        try test.store.passages.record(passage, at: minute(1))
        try test.store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 9"), reason: "x", by: "Sita", at: minute(2))
        try test.store.passages.record(samplePassage(at: 3), at: minute(3))
        var first = try #require(try test.store.queue.waiting(limit: 1).first)
        first.status = .failed
        try test.store.queue.update([first])
        #expect(try test.store.queue.waiting(limit: 9).map(\.entity) == [.passage])
        first.status = .synced
        try test.store.queue.update([first])
        #expect(try test.store.queue.waiting(limit: 9).map(\.entity) == [.correction, .passage])
    }

    @Test func `is revived with no attempts counted, but not what is refused or rests`() throws {
        let test = try TestStore()
        for number in 0..<3 { try test.store.passages.record(samplePassage(at: Double(number)), at: minute(9)) }
        let failed = try test.store.queue.waiting(limit: 9).map { entry in
            var entry = entry
            entry.status = .failed
            entry.attempts = 5
            entry.isRefused = entry.id == 1
            return entry
        }
        try test.store.queue.update(failed)
        #expect(try test.store.queue.reviveFailed(except: [2]) == 1)
        #expect(try test.store.queue.waiting(limit: 9).map(\.id) == [3])
        #expect(try test.store.queue.waiting(limit: 9).map(\.attempts) == [0])
    }
}
