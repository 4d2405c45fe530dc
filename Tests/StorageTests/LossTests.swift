import Enforcement
import Foundation
import Testing

@testable import Storage

@Suite("What a post tells whose records were lost", .timeLimit(.minutes(10)))
struct LossTests {
    private let test: TestStore

    init() throws { test = try TestStore() }

    private func moments(at time: Double) throws -> [Instant] {
        let reviews = try test.store.sightings.reviewsToTell(asOf: minute(time), cameras: ["gate"], by: .server)
        #expect(reviews.waiting.allSatisfy { $0.plate.compact.isEmpty })
        return reviews.waiting.map(\.seenAt)
    }

    /// The camera has watched and the last passage was recorded by then.
    private func record(until time: Double) throws {
        try test.store.passages.record(samplePassage(at: time - 1), at: minute(time - 1))
        try test.store.frames.commit(FrameCommit(camera: "gate", watchedUpTo: minute(time), at: minute(time)))
    }

    /// Whether somebody who was awaited within these minutes is let off.
    private func isExcused(_ entry: Double, _ deadline: Double) throws -> Bool {
        let reviews = try test.store.sightings.reviewsToTell(asOf: minute(600), cameras: ["gate"], by: .server)
        return OverstayWatch.isHeld(
            Plate(canonical: "BA 1 PA 7"), enteredAt: minute(entry), expectedBy: minute(deadline),
            other: OtherPost(knownUpTo: minute(600), reviews: reviews), now: minute(600))
    }

    @Test func `is nothing as long as none are`() throws {
        try record(until: 5)
        #expect(try moments(at: 10) == [])
    }

    @Test func `is that anybody may have passed between the backup and the loss, whenever he was awaited`() throws {
        try record(until: 5)
        try test.store.beginAnewFromBackup(at: minute(300))
        for start in stride(from: -30.0, to: 330, by: 3.7) {
            let isInside = start + 27 > 5.0001 && start < 300
            if isInside { #expect(try isExcused(start, start + 27), "from minute \(start)") }
        }
        #expect(try !isExcused(-25, 4.9))
        #expect(try !isExcused(301.1, 330))
    }

    @Test func `is less by what came back from the server, and not by what was read once more`() throws {
        try record(until: 5)
        try test.store.beginAnewFromBackup(at: minute(300))
        try test.store.reconciliation.restore([
            RestoredPassage(
                passage: samplePassage(at: 250), serverID: UUID(), smsClientID: nil, photoPath: nil)
        ])
        #expect(try !isExcused(200, 249))
        #expect(try isExcused(240, 280))
        try test.store.passages.record(samplePassage(at: 290), at: minute(301))
        #expect(try isExcused(260, 289))
    }

    @Test func `is every moment of the last hours after a database that is gone, and of no use days later`() throws {
        try test.store.beginAfterLoss(at: minute(300))
        let told = try moments(at: 310)
        #expect(told.count == 100 && told.first == minute(301))
        #expect(try isExcused(-80, -50))
        #expect(try moments(at: 300 + 3 * 24 * 60 + 1) == [])
    }

    @Test func `leaves room for what waits for review`() throws {
        try test.store.beginAfterLoss(at: minute(300))
        for number in 0..<150 {
            var commit = FrameCommit(camera: "gate", at: minute(301))
            commit.reviews = [sampleSighting(number, sha256: sampleHash(1))]
            commit.photos = [samplePhoto(1)]
            try test.store.frames.commit(commit)
        }
        let reviews = try test.store.sightings.reviewsToTell(asOf: minute(310), cameras: ["gate"], by: .file)
        #expect(reviews.waiting.count == OtherPost.Reviews.most)
        #expect(reviews.waiting.count { !$0.plate.compact.isEmpty } == 100)
    }

    @Test func `is the same on a new disk, whose database the box begins`() throws {
        let path = test.folder.appendingPathComponent("new.sqlite").path
        let new = try Store.openForRun(path: path, at: minute(300)).store
        defer { try? new.close() }
        #expect(
            try new.sightings.reviewsToTell(asOf: minute(310), cameras: ["gate"], by: .server).waiting.count == 100)
        try new.close()
        let again = try Store.openForRun(path: path, at: minute(900)).store
        defer { try? again.close() }
        let reviews = try again.sightings.reviewsToTell(asOf: minute(910), cameras: ["gate"], by: .server)
        #expect(reviews.waiting.first?.seenAt == minute(301))
    }
}
