import Enforcement
import Foundation
import Testing

@testable import Storage

@Suite("What rangers taught", .timeLimit(.minutes(10)))
struct TeachingTests {
    private let test: TestStore

    init() throws { test = try TestStore() }

    private func review(_ number: Int, _ read: String, as plate: String, at minutes: Double) throws -> UUID {
        let store = test.store
        try store.frames.commit(
            FrameCommit(camera: "gate", reviews: [sampleSighting(number, plate: read)], at: minute(0)))
        var passage = samplePassage(plate, at: 0)
        passage.origin = .review
        try store.sightings.recordReviewed(sightingID: "gate/\(number)", as: passage, by: "sita", at: minute(minutes))
        return passage.clientID
    }

    @Test func `is what they confirmed and corrected, and nothing that the camera recorded by itself`() throws {
        let confirmed = try review(1, "BA 1 PA 1234", as: "BA 1 PA 1234", at: 5)
        let typed = try review(2, "BA 1 PA 6312", as: "BA 1 PA 6392", at: 3)
        try test.store.passages.record(samplePassage("BA 3 PA 3", at: 1), at: minute(1))
        let taught = try test.store.passages.taught(checkpostCode: "BNP-A")
        #expect(taught.map(\.passage.clientID) == [typed, confirmed])
        #expect(taught.map(\.isCorrected) == [true, false])
        #expect(
            taught.map(\.reading?.box) == [
                Box(x: 1, y: 2, width: 30, height: 40), Box(x: 1, y: 2, width: 30, height: 40),
            ])
        #expect(taught.allSatisfy { $0.photo == nil })
    }

    @Test func `is a camera's passage once a ranger has corrected it, from that moment on`() throws {
        let passage = samplePassage("BA 1 PA 1", at: 0)
        try test.store.passages.record(passage, at: minute(0))
        try test.store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 7"), reason: "misread", by: "sita", at: minute(30)
        )
        #expect(try test.store.passages.taught(since: minute(31), checkpostCode: "BNP-A").isEmpty)
        let taught = try #require(try test.store.passages.taught(since: minute(30), checkpostCode: "BNP-A").first)
        #expect(taught.passage.plate.compact == "BA1PA7")
        #expect(taught.isCorrected)
        #expect(taught.taughtAt == minute(30))
    }

    @Test func `is never another post's, nor a withdrawn passage`() throws {
        let withdrawn = try review(1, "BA 1 PA 1234", as: "BA 1 PA 1234", at: 5)
        #expect(try test.store.passages.taught(checkpostCode: "BNP-B").isEmpty)
        try test.store.otherPost.upsert([sampleRemote("BA 9 PA 9")], at: minute(0))
        try test.store.passages.withdraw(clientID: withdrawn, reason: "no vehicle", by: "sita", at: minute(6))
        #expect(try test.store.passages.taught(checkpostCode: "BNP-A").isEmpty)
        #expect(try test.store.passages.taught(checkpostCode: "BNP-B").isEmpty)
    }
}
