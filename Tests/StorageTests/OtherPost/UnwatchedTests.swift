import Enforcement
import Foundation
import Testing

@testable import Storage

@Suite("What a post tells of the time that nobody watched", .timeLimit(.minutes(10)))
struct UnwatchedTests {
    private let test: TestStore

    init() throws { test = try TestStore() }

    private func told(at time: Double) throws -> [WaitingSighting] {
        try test.store.sightings.reviewsToTell(asOf: minute(time), cameras: ["gate"], by: .server).waiting
    }

    private func stretch(_ start: Double, _ end: Double) -> WaitingSighting {
        .unwatched(from: minute(start), until: minute(end))
    }

    /// A live camera watches without a break, and says so at these times.
    private func watch(_ times: Double..., since start: Double, by camera: String = "gate") throws {
        for time in times {
            var id = UUID(uuidString: "00000000-0000-4000-8000-000000000000")?.uuid ?? UUID().uuid
            withUnsafeBytes(of: start.bitPattern) { (id.8, id.9, id.14, id.15) = ($0[4], $0[5], $0[6], $0[7]) }
            let stretch = FrameCommit.Stretch(id: UUID(uuid: id), start: minute(start))
            let watch = FrameCommit.Watch(upTo: minute(time), stretch: stretch)
            try test.store.frames.commit(FrameCommit(camera: camera, watch: watch, at: minute(time)))
        }
    }

    /// Pictures come from a folder.
    private func look(_ times: Double...) throws {
        for time in times {
            try test.store.frames.commit(
                FrameCommit(camera: "gate", watch: .init(upTo: minute(time)), at: minute(time)))
        }
    }

    /// Whether an alert for somebody who came onto the road is sure.
    private func isSure(_ entry: Double, at time: Double) throws -> Bool {
        let reviews = try test.store.sightings.reviewsToTell(asOf: minute(time), cameras: ["gate"], by: .server)
        let other = OtherPost(knownUpTo: minute(time + 27), reviews: reviews)
        let (plate, entered) = (Plate(canonical: "BA 1 PA 7"), minute(entry))
        #expect(
            !OverstayWatch.isHeld(
                plate, enteredAt: entered, expectedBy: entered + .minutes(27), other: other, now: minute(time)),
            "no review ends it")
        return OverstayWatch.doubts(
            plate, enteredAt: entered, travel: .entering, expectedBy: entered + .minutes(27), other: other,
            now: minute(time)
        ).isEmpty
    }

    // MARK: A camera that was dead

    @Test func `is nothing while a camera's pictures go on, whatever could be written and the clocks showed`() throws {
        try watch(0, 1, 2, 5, 100, 40, 9000, 101, since: 0)
        #expect(try told(at: 102) == [])
    }

    @Test func `is the time from a live camera's mark to its next picture, if that is long`() throws {
        try watch(0, 5, since: 0)
        try watch(8, since: 7.9)
        #expect(try told(at: 9) == [])
        try watch(91, since: 90)
        #expect(try told(at: 92) == [stretch(8, 90)])
        #expect(try !isSure(60, at: 92) && !isSure(89.9, at: 92))
        #expect(try isSure(91, at: 92))
        #expect(try !isSure(91, at: 119), "it gives nothing again")
        try watch(120, since: 119)
        #expect(try isSure(119, at: 120) && !isSure(91, at: 120))
    }

    @Test func `goes on while the camera gives nothing, and is told by few moments`() throws {
        try watch(0, since: 0)
        #expect(try told(at: 3) == [])
        #expect(try told(at: 3.1) == [stretch(0, 3)])
        #expect(try told(at: 25) == [stretch(0, 24)])
        #expect(try told(at: 26.9) == [stretch(0, 24)])
    }

    @Test func `is none where pictures come from a folder, which may be quiet`() throws {
        try look(0, 90)
        #expect(try told(at: 300) == [])
        // The camera of that name is another one now.
        try watch(300, since: 300)
        #expect(try told(at: 301) == [])
    }

    @Test func `is one for all cameras that the post has, where their times meet`() throws {
        try watch(0, since: 0)
        try watch(0, since: 0, by: "back")
        try watch(100, since: 100)
        try watch(90, since: 90, by: "back")
        #expect(try told(at: 101) == [stretch(0, 100)])
        try watch(200, since: 195)
        try watch(300, since: 290)
        #expect(try told(at: 301) == [stretch(200, 290), stretch(0, 195)])
    }

    @Test func `is kept of a camera that another one took the place of, and of one that never gave a picture`() throws {
        try watch(0, since: 0)
        try test.store.unwatched.noteCameras(live: ["new", "other"], at: minute(100))
        try watch(101, since: 101, by: "new")
        let reviews = try test.store.sightings.reviewsToTell(asOf: minute(120), cameras: ["new", "other"], by: .server)
        #expect(reviews.waiting == [stretch(0, 120)])
        try test.store.unwatched.noteCameras(live: ["new"], at: minute(130))
        try watch(131, since: 101, by: "new")
        let later = try test.store.sightings.reviewsToTell(asOf: minute(132), cameras: ["new"], by: .server)
        #expect(later.waiting == [stretch(0, 130)])
    }

    @Test func `is told as long as an alert's doubts are asked about, and up to the moment that is asked for`() throws {
        try watch(1, since: 1)
        try watch(31, since: 31)
        #expect(try told(at: 20) == [stretch(1, 20)])
        let month = 30.0 * 24 * 60
        try watch(31 + month, since: 31 + month)
        #expect(try told(at: 31 + month) == [stretch(31, 31 + month)])
    }

    @Test func `is the newest of many`() throws {
        for number in 0..<60 { try watch(Double(number) * 10, since: Double(number) * 10) }
        for number in 0..<60 { try watch(Double(number) * 10 + 605, since: Double(number) * 10 + 601) }
        let told = try told(at: 1196)
        #expect(told.count == 20 && told.first == stretch(1185, 1191))
    }

    // MARK: Records that were lost

    /// The camera has watched and the last passage was recorded by then.
    private func record(until time: Double) throws {
        try test.store.passages.record(samplePassage(at: time - 1), at: minute(time - 1))
        try look(time)
    }

    @Test func `is the time between the backup and the first picture after the loss`() throws {
        try record(until: 5)
        try test.store.beginAnewFromBackup(at: minute(298))
        #expect(try told(at: 299) == [stretch(5, 297)])
        try look(300)
        #expect(try told(at: 301) == [stretch(5, 300)])
        #expect(try !isSure(299, at: 400) && isSure(300, at: 400))
        try look(400)
        #expect(try told(at: 401) == [stretch(5, 300)])
    }

    @Test func `goes on until a camera watches, whatever the clock was when the records went`() throws {
        // A board without a battery begins in 1970.
        try test.store.beginAfterLoss(at: Instant(milliseconds: 0))
        #expect(try !isSure(560, at: 600))
        #expect(try told(at: 600.2) == told(at: 600.3))
        try look(601)
        let month = TimeSpan.days(30)
        #expect(try told(at: 610) == [.unwatched(from: minute(601) - month, until: minute(601))])
    }

    @Test func `ends neither with an old picture's time nor with one to come`() throws {
        try record(until: 5)
        try test.store.beginAnewFromBackup(at: minute(300))
        for (upTo, at) in [(40.0, 301.0), (9000, 402)] {
            let watch = FrameCommit.Watch(upTo: minute(upTo))
            try test.store.frames.commit(FrameCommit(camera: "gate", watch: watch, at: minute(at)))
            if at == 301 { try test.store.beginAnewFromBackup(at: minute(400)) }
        }
        #expect(try told(at: 500) == [stretch(5, 402)])
    }

    @Test func `begins with the first of two losses that no picture came between`() throws {
        try record(until: 5)
        try test.store.beginAnewFromBackup(at: minute(50))
        try test.store.passages.record(samplePassage("BA 1 PA 8", at: 60), at: minute(60))
        try test.store.beginAnewFromBackup(at: minute(100))
        #expect(try told(at: 120) == [stretch(5, 120)])
    }

    @Test func `leaves room for what waits for review`() throws {
        for number in 0..<60 { try watch(Double(number) * 10 + 5, since: Double(number) * 10) }
        for number in 0..<250 {
            var commit = FrameCommit(camera: "gate", at: minute(601))
            commit.reviews = [sampleSighting(number, sha256: sampleHash(1))]
            commit.photos = [samplePhoto(1)]
            try test.store.frames.commit(commit)
        }
        let reviews = try told(at: 592)
        #expect(reviews.count == OtherPost.Reviews.most)
        #expect(reviews.count { $0.unwatchedFrom == nil } == 180)
    }

    @Test func `is the same on a new disk, whoever made its database, and not for a box that has run before`() throws {
        let path = test.folder.appendingPathComponent("new.sqlite").path
        try Store(path: path).close()
        func told() throws -> Int {
            let box = try Store.openForRun(path: path, at: minute(300)).store
            defer { try? box.close() }
            return try box.sightings.reviewsToTell(asOf: minute(310), cameras: ["gate"], by: .server).waiting.count
        }
        #expect(try told() == 1)
        #expect(try told() == 1)
        try record(until: 5)
        try test.store.close()
        let box = try Store.openForRun(path: test.path, at: minute(300)).store
        defer { try? box.close() }
        #expect(try box.sightings.reviewsToTell(asOf: minute(310), cameras: ["gate"], by: .server).waiting.isEmpty)
    }
}
