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
        #expect(reviews.waiting.allSatisfy { $0.plate.compact == "?" })
        return reviews.waiting.map(\.seenAt)
    }

    /// The camera has watched and the last passage was recorded by then.
    private func record(until time: Double) throws {
        try test.store.passages.record(samplePassage(at: time - 1), at: minute(time - 1))
        try test.store.frames.commit(FrameCommit(camera: "gate", watchedUpTo: minute(time), at: minute(time)))
    }

    /// The camera watches again.
    private func watch(at time: Double) throws {
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
        try test.store.beginAnewFromBackup(at: minute(298))
        try watch(at: 300)
        for start in stride(from: -30.0, to: 330, by: 3.7) {
            let isInside = start + 27 > 5.0001 && start < 300
            if isInside { #expect(try isExcused(start, start + 27), "from minute \(start)") }
        }
        #expect(try !isExcused(-25, 4.9))
        #expect(try !isExcused(301.1, 330))
        try watch(at: 400)
        #expect(try !isExcused(301.1, 330))
        #expect(try isExcused(290, 317))
    }

    @Test func `goes on until a camera watches, whatever the clock was when the records went`() throws {
        // A board without a battery begins in 1970.
        try test.store.beginAfterLoss(at: Instant(milliseconds: 0))
        #expect(try isExcused(560, 590))
        #expect(try moments(at: 600.2) == moments(at: 600.3))
        try watch(at: 601)
        #expect(try moments(at: 610).first == minute(601))
        #expect(try isExcused(560, 590))
    }

    @Test func `ends neither with an old picture's time nor with one to come`() throws {
        try record(until: 5)
        try test.store.beginAnewFromBackup(at: minute(300))
        try test.store.frames.commit(FrameCommit(camera: "gate", watchedUpTo: minute(40), at: minute(301)))
        #expect(try isExcused(250, 277))
        #expect(try !isExcused(301, 328))
        try test.store.beginAnewFromBackup(at: minute(400))
        try test.store.frames.commit(FrameCommit(camera: "gate", watchedUpTo: minute(9000), at: minute(401)))
        #expect(try isExcused(380, 400.5))
        #expect(try !isExcused(402, 429))
    }

    @Test func `is asked about for as long as an alert's doubts are, and no longer`() throws {
        try test.store.beginAfterLoss(at: minute(300))
        try watch(at: 301)
        let told = try moments(at: 310)
        #expect(told.count == 100 && told.first == minute(301))
        #expect(try moments(at: 310) == told)
        #expect(try moments(at: 301 + 29 * 24 * 60) == told)
        #expect(try moments(at: 301 + 30 * 24 * 60) == [])
    }

    @Test func `is told by few moments on a long road`() throws {
        let road = Segment(id: UUID(), name: "Banke", distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10)
        try test.store.segments.keep(road, checkposts: [], at: minute(0))
        try test.store.beginAfterLoss(at: minute(300))
        try watch(at: 301)
        let told = try moments(at: 600)
        #expect((11...13).contains(told.count))
        #expect(zip(told, told.dropFirst()).allSatisfy { $0 - $1 < road.longestTravelTime })
        #expect(told.last == minute(301) - .hours(48) + .milliseconds(1))
    }

    @Test func `begins with the first of two losses`() throws {
        try record(until: 5)
        try test.store.beginAnewFromBackup(at: minute(50))
        try watch(at: 51)
        try record(until: 80)
        try test.store.beginAnewFromBackup(at: minute(100))
        try watch(at: 101)
        #expect(try isExcused(10, 37))
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
        #expect(reviews.waiting.count { $0.plate.compact != "?" } == 100)
    }

    @Test func `is the same on a new disk, whoever made its database, and not for a box that has run before`() throws {
        let path = test.folder.appendingPathComponent("new.sqlite").path
        try Store(path: path).close()
        func told() throws -> Int {
            let box = try Store.openForRun(path: path, at: minute(300)).store
            defer { try? box.close() }
            return try box.sightings.reviewsToTell(asOf: minute(310), cameras: ["gate"], by: .server).waiting.count
        }
        #expect(try told() == 100)
        #expect(try told() == 100)
        try record(until: 5)
        try test.store.close()
        let box = try Store.openForRun(path: test.path, at: minute(300)).store
        defer { try? box.close() }
        #expect(try box.sightings.reviewsToTell(asOf: minute(310), cameras: ["gate"], by: .server).waiting.isEmpty)
    }
}
