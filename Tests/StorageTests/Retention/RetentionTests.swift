import Enforcement
import Foundation
import Testing

@testable import Storage

@Suite("What is removed from the database", .timeLimit(.minutes(10)))
struct RetentionTests {
    private let test: TestStore
    private let policy = RetentionPolicy()
    private var store: Store { test.store }

    init() throws { test = try TestStore() }

    private func day(_ days: Double) -> Instant { minute(days * 24 * 60) }

    private func picture(_ number: Int) -> Data { Data([0xFF, 0xD8]) + Data("\(number)".utf8) }

    /// Records a passage with a photo and brings both to the server.
    @discardableResult
    private func record(
        _ number: Int, plate: String = "BA 1 PA 1234", isSynced: Bool = true, at time: Instant? = nil
    ) throws -> Passage {
        let time = time ?? minute(Double(number))
        let photo = try test.photos.keep(picture(number), recordedAt: time, at: time)
        var passage = samplePassage(plate, photoSHA256: photo.sha256)
        passage.recordedAt = time
        var sighting = sampleSighting(number, plate: plate, sha256: photo.sha256)
        sighting.lastSeenAt = time
        try store.frames.commit(
            FrameCommit(
                camera: "gate", photos: [photo], recordings: [.init(passage: passage, sighting: sighting)], at: time))
        if isSynced { try sync(passage, at: time) }
        return passage
    }

    private func sync(_ passage: Passage, at time: Instant) throws {
        for var entry in try store.queue.entries(in: [.pending]) where entry.passageClientID == passage.clientID {
            entry.status = .synced
            try store.queue.update(entry, learning: ServerFacts(serverID: UUID()))
        }
        var upload = try #require(try store.photos.upload(ofPassage: passage.clientID))
        upload.status = .uploaded
        try store.photos.update(upload, photoPath: "passage-photos/1.jpg")
    }

    private func match(_ passage: Passage, minutes: Double, makesViolation: Bool) throws -> Violation? {
        var exit = sampleRemote(passage.plate.canonical)
        exit.recordedAt = passage.recordedAt + .minutes(minutes)
        try store.otherPost.upsert([exit], at: passage.recordedAt)
        let match = Match(MatchablePassage(passage), exit, certainty: .exact)
        let violation = makesViolation ? Violation(match, on: banke, id: UUID()) : nil
        #expect(try store.matches.save(match, violation: violation, at: passage.recordedAt))
        return violation
    }

    private func removePhotos(_ need: RetentionPolicy.Need = .none, at now: Instant) throws -> Int {
        let step = try store.retention.removePhotos(policy, need: need, after: .start, limit: 100, at: now)
        for photo in step.files { try test.photos.remove(photo) }
        return step.count
    }

    private func removePassages(at now: Instant) throws -> Int {
        try store.retention.removePassages(policy, after: .start, limit: 100, at: now).count
    }

    @Test func `lets a compliant vehicle's photo go after its term, and keeps its hash`() throws {
        let passage = try record(1)
        let sha256 = try #require(passage.photoSHA256)
        let photo = try #require(try store.photos.record(sha256: sha256))
        #expect(try removePhotos(at: day(29)) == 0)
        #expect(try removePhotos(at: day(31)) == 1)
        #expect(try removePhotos(at: day(31)) == 0, "once")
        #expect(try store.photos.record(sha256: sha256) == nil)
        #expect(throws: StoreError.self) { try test.photos.read(photo) }
        let stored = try #require(try store.passages.passage(clientID: passage.clientID))
        #expect(stored.passage.photoSHA256 == sha256 && stored.photoRemovedAt == day(31))
        #expect(try store.figures.now().photos == 0)
        #expect(
            try store.retention.removed() == [.init(kind: .compliantPhoto, count: 1, bytes: photo.bytes)])
    }

    @Test func `keeps what is not at the server, waits in review or is evidence of an open violation`() throws {
        try record(1, plate: "BA 1 PA 1", isSynced: false)
        let speeding = try record(2, plate: "BA 1 PA 2")
        let violation = try #require(try match(speeding, minutes: 20, makesViolation: true))
        let waiting = try test.photos.keep(picture(3), recordedAt: minute(3), at: minute(3))
        try store.frames.commit(
            FrameCommit(
                camera: "gate", photos: [waiting], reviews: [sampleSighting(3, sha256: waiting.sha256)], at: minute(3)))
        let overdue = try record(4, plate: "BA 1 PA 4")
        let entry = MatchablePassage(overdue)
        _ = try store.alerts.raise(
            [
                OverstayAlert(
                    entryClientID: entry.clientID, plate: entry.plate, vehicleType: entry.vehicleType,
                    entryTime: entry.recordedAt, expectedExitBy: entry.recordedAt + .hours(5), isDoubtful: false)
            ], at: minute(400))
        for need in [RetentionPolicy.Need.none, .compliantPhotos, .otherPhotos] {
            #expect(try removePhotos(need, at: day(3000)) == 0)
        }
        #expect(try removePassages(at: day(3000)) == 0)
        #expect(try store.retention.removeViolations(policy, after: .start, limit: 10, at: day(3000)).count == 0)

        try store.violations.record(
            Outcome(kind: .warned, recordedBy: "ram", recordedAt: minute(60)), ofViolation: violation.id)
        #expect(try removePhotos(at: day(3000)) == 0, "its outcome waits for the server")
        for var outcome in try store.queue.entries(in: [.pending]) where outcome.entity == .outcome {
            outcome.status = .synced
            try store.queue.update(outcome)
        }
        #expect(try removePhotos(at: day(3000)) == 1)
        #expect(try removePassages(at: day(3000)) == 1)
        #expect(try store.violations.list().isEmpty)
        #expect(try store.passages.list().count == 2)
    }

    @Test func `takes all that belongs to a passage, its photo among it, and nothing that is another's`() throws {
        let (old, young) = (try record(1, plate: "BA 1 PA 1"), try record(2, plate: "BA 1 PA 2", at: day(200)))
        _ = try match(old, minutes: 90, makesViolation: false)
        try store.passages.correct(
            clientID: old.clientID, to: Plate(canonical: "BA 1 PA 7"), reason: "misread", by: "ram", at: minute(5))
        for var entry in try store.queue.entries(in: [.pending]) {
            entry.status = .synced
            try store.queue.update(entry)
        }
        let step = try store.retention.removePassages(policy, after: .start, limit: 10, at: day(366))
        #expect(step.count == 1 && step.files.map(\.sha256) == [old.photoSHA256])
        #expect(try store.passages.list().map(\.passage.clientID) == [young.clientID])
        #expect(try store.queue.entries(limit: 10).map(\.passageClientID) == [young.clientID])
        #expect(try store.findDamage() == nil)
        #expect(try store.otherPost.prune(olderThan: day(366)) == 1, "its match held the other post's passage")
        #expect(try store.sightings.lastNumber(camera: "gate") == 2)
    }

    @Test func `never starts the numbers of a camera again`() throws {
        try record(9)
        #expect(try removePassages(at: day(366)) == 1)
        #expect(try store.passages.list().isEmpty)
        #expect(try store.sightings.lastNumber(camera: "gate") == 9)
    }

    @Test func `is not taken for a loss of the server, nor sent again, nor missing from its days`() throws {
        let passage = try record(1, at: day(0))
        let before = try store.comparisons.day(PassageDay.start(of: day(0)), ofPost: "BNP-A")
        #expect(try removePhotos(at: day(31)) == 1)
        #expect(try store.comparisons.day(PassageDay.start(of: day(0)), ofPost: "BNP-A") == before && before != nil)
        let compared = try store.comparisons.passages(
            PassageDay.start(of: day(0)), ofPost: "BNP-A", after: nil, limit: 10)
        #expect(compared.map(\.hasPhotoThere) == [false], "this post could not give it once more")
        #expect(try store.photos.lost(among: [passage.clientID]).isEmpty)
        var losses = ReconciliationTable.Losses()
        losses.photos = [passage.clientID]
        try store.reconciliation.sendAgain(losses, at: day(32))
        #expect(try store.photos.dueUploads().isEmpty)
        #expect(try store.photos.upload(ofPassage: passage.clientID)?.status == nil)
        #expect(try store.passages.passage(clientID: passage.clientID)?.photoPath == "passage-photos/1.jpg")
    }

    @Test func `goes at once when a surer frame is stored`() throws {
        let photos = try (1...3).map { try test.photos.keep(picture($0), recordedAt: minute(0), at: minute(0)) }
        let state = { (photo: PhotoRecord) in Data(#"{"best":"\#(photo.sha256)"}"#.utf8) }
        try store.frames.commit(
            FrameCommit(camera: "gate", trackerState: state(photos[0]), photos: [photos[0]], at: minute(0)))
        let second = try store.frames.commitWhole(
            FrameCommit(
                camera: "gate", trackerState: state(photos[1]), photos: [photos[1]], released: [photos[0].sha256],
                at: minute(1)))
        #expect(second.released.map(\.sha256) == [photos[0].sha256])
        #expect(try store.photos.record(sha256: photos[0].sha256) == nil)
        // What is a passage's evidence by now stays, whoever lets it go.
        let third = try store.frames.commitWhole(
            FrameCommit(
                camera: "gate", trackerState: state(photos[2]), photos: [photos[2]], released: [photos[1].sha256],
                recordings: [.init(passage: samplePassage(photoSHA256: photos[1].sha256), sighting: nil)], at: minute(2)
            ))
        #expect(third.released.isEmpty && third.recorded.count == 1)
        #expect(try store.photos.record(sha256: photos[1].sha256) != nil)
        #expect(try store.retention.removed().map(\.kind) == [.superseded])
    }

    @Test func `is removed again from the disk when a power cut came between row and file`() throws {
        let passage = try record(1)
        let photo = try #require(try store.photos.record(sha256: passage.photoSHA256 ?? ""))
        _ = try store.retention.removePhotos(policy, after: .start, limit: 10, at: day(31))
        #expect(FileManager.default.fileExists(atPath: test.photos.url(of: photo.path).path))
        let later = Instant(seconds: Date().timeIntervalSince1970 + 60)
        #expect(try test.photos.removeOrphans(in: store, writtenBefore: later) == 1)
    }

    @Test func `keeps a smaller picture under the hash of the one that it shows`() throws {
        let large = Data([0xFF, 0xD8]) + Data(repeating: 7, count: 5000)
        let photo = try test.photos.keep(large, smaller: picture(1), recordedAt: minute(0), at: minute(0))
        try store.frames.commit(FrameCommit(camera: "gate", photos: [photo], at: minute(0)))
        let known = try #require(try store.photos.record(sha256: PhotoStore.sha256(of: large)))
        #expect(known == photo && known.bytes == picture(1).count)
        #expect(try test.photos.verify(known))
        #expect(try test.photos.read(known) == picture(1))
    }

    @Test func `remembers for a week how the disk fills`() throws {
        for hour in 0..<200 {
            _ = try store.retention.sample(freeBytes: 1000 - hour, at: minute(Double(hour) * 60))
        }
        let samples = try store.retention.sample(freeBytes: 0, at: minute(200 * 60 + 1))
        #expect(samples.count <= 170 && samples.count > 160)
        #expect(samples.last?.freeBytes == 0)
        // A clock that was set back: what it says of the future is forgotten.
        #expect(try store.retention.sample(freeBytes: 5, at: minute(0)).count == 1)
    }
}
