import Enforcement
import Foundation
import Testing

@testable import Storage

@Suite("Up to when all that a post saw is told", .timeLimit(.minutes(10)))
struct CompletenessTests {
    private let test: TestStore

    init() throws { test = try TestStore() }

    private func watch(_ camera: String, upTo minutes: Double) throws {
        try test.store.frames.commit(
            FrameCommit(camera: camera, watch: .init(upTo: minute(minutes)), at: minute(minutes)))
    }

    private func told(_ cameras: [String] = ["gate", "lane"], by way: TellingWay = .server) throws -> Instant? {
        try test.store.sightings.reviewsToTell(asOf: minute(60), cameras: cameras, by: way).completeUpTo
    }

    @Test func `is as far as the camera that is furthest behind, and never ahead of now`() throws {
        #expect(try told() == nil)
        try watch("gate", upTo: 20)
        #expect(try told() == nil, "the other camera has seen nothing yet")
        try watch("lane", upTo: 10)
        try watch("old", upTo: 1)
        #expect(try told() == minute(10))
        #expect(try told([]) == nil, "without a camera nobody watches")
        try watch("lane", upTo: 90)
        #expect(try told() == minute(20))
        try watch("gate", upTo: 90)
        #expect(try told() == minute(60))
        try watch("lane", upTo: 15)
        #expect(try told() == minute(15), "a clock that was ahead is put right")
    }

    @Test func `ends before the oldest passage that isn't at the server, but a file has it`() throws {
        for camera in ["gate", "lane"] { try watch(camera, upTo: 30) }
        try test.store.passages.record(samplePassage(at: 12), at: minute(31))
        try test.store.passages.record(samplePassage("BA 2 PA 2", at: 14), at: minute(31))
        #expect(try told() == minute(12) - .milliseconds(1))
        #expect(try told(by: .file) == minute(30))
        var entry = try #require(try test.store.queue.entries().first)
        entry.status = .synced
        try test.store.queue.update(entry)
        #expect(try told() == minute(14) - .milliseconds(1))
    }

    @Test func `is not said while a passage waits whose time may be wrong, or the server has lost records`() throws {
        for camera in ["gate", "lane"] { try watch(camera, upTo: 30) }
        for cursor in [SyncCursor.lostRecords, SyncCursor.serverWentBack] {
            try test.store.cursors.set(SyncCursor(name: cursor, value: 1), at: minute(0))
            #expect(try told() == nil)
            try test.store.cursors.forget([cursor])
            #expect(try told() == minute(30))
        }
        try test.store.passages.record(samplePassage(at: 400, clockState: .untrusted), at: minute(31))
        #expect(try told() == nil)
    }

    @Test func `a passage that the server refuses waits there for somebody, unless it was deleted there`() throws {
        let passage = samplePassage(at: 12)
        try test.store.passages.record(passage, at: minute(12))
        func waiting(_ way: TellingWay = .server) throws -> [WaitingSighting] {
            try test.store.sightings.reviewsToTell(asOf: minute(60), by: way).waiting
        }
        #expect(try waiting().isEmpty)
        var entry = try #require(try test.store.queue.entries().first)
        (entry.status, entry.isRefused) = (.failed, true)
        try test.store.queue.update(entry)
        #expect(try waiting() == [WaitingSighting(seenAt: minute(12), plate: passage.plate)])
        #expect(try waiting(.file).isEmpty, "the file has the passage itself")
        try test.store.queue.setAside(entry: entry.id)
        #expect(try waiting().count == 1, "it passed all the same")
        try test.store.passages.withdraw(clientID: passage.clientID, reason: "a sign", by: "Sita", at: minute(40))
        #expect(try waiting().isEmpty)
    }

    @Test func `the newest passage of the other post is none that a text told, nor one of a wrong clock`() throws {
        func newest(_ minutes: Double = 60) throws -> Instant? {
            try test.store.otherPost.newestSent(notAfter: minute(minutes))
        }
        #expect(try newest() == nil)
        var text = sampleRemote("BA 1 PA 3", at: 30)
        text.isOfText = true
        var wrong = sampleRemote("BA 1 PA 4", at: 40)
        wrong.clockState = .untrusted
        let sent = [10, 20].map { sampleRemote(at: $0, serverID: UUID()) }
        try test.store.otherPost.upsert(sent + [text, wrong], at: minute(50))
        #expect(try newest() == minute(20))
        #expect(try newest(20) == minute(20))
        #expect(try newest(19.9) == minute(10))
    }
}
