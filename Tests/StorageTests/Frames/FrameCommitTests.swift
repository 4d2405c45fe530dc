import Enforcement
import Foundation
import GRDB
import Testing

@testable import Storage

@Suite("A frame's commit", .timeLimit(.minutes(10)))
struct FrameCommitTests {
    private func commit(_ passage: Passage, number: Int = 1) -> FrameCommit {
        FrameCommit(
            camera: "gate", takenKey: "frame-\(number).jpg", trackerState: Data(#"{"next":\#(number)}"#.utf8),
            photos: [samplePhoto(number)],
            recordings: [.init(passage: passage, sighting: sampleSighting(number, sha256: sampleHash(number)))],
            at: minute(1))
    }

    @Test func `puts the passage, its photo, its queue entry, the taken frame and the tracker on record together`()
        throws
    {
        let test = try TestStore()
        let passage = samplePassage(photoSHA256: sampleHash(1))
        let recorded = try test.store.frames.commit(commit(passage))
        #expect(recorded == [passage])

        let stored = try #require(try test.store.passages.passage(clientID: passage.clientID))
        #expect(stored.passage == passage)
        #expect(stored.queueStatus == .pending)
        #expect(!stored.isMatched)
        #expect(try test.store.photos.record(sha256: sampleHash(1)) == samplePhoto(1))
        #expect(try test.store.frames.isTaken(camera: "gate", key: "frame-1.jpg"))
        #expect(try test.store.frames.trackerState(camera: "gate") == Data(#"{"next":1}"#.utf8))
        let sighting = try #require(try test.store.sightings.sighting(id: "gate/1"))
        #expect(sighting.state == .recorded)
        #expect(sighting.passageClientID == passage.clientID)
        #expect(sighting.sighting == sampleSighting(1))
        let entry = try #require(try test.store.queue.waiting(limit: 1).first)
        #expect(entry.passageClientID == passage.clientID)
        #expect(entry.entity == .passage)
    }

    @Test func `keeps which way a vehicle went, and lists the last ones of a camera`() throws {
        let test = try TestStore()
        var seen: [Sighting] = []
        for (number, course) in [Course.approaching, .receding, nil].enumerated() {
            var sighting = sampleSighting(number + 1, plate: "BA 1 PA \(number)", sha256: sampleHash(number + 1))
            sighting.course = course
            sighting.travel = course?.travel(approaching: .leaving)
            var passage = samplePassage("BA 1 PA \(number)", at: Double(number))
            passage.travel = sighting.travel
            seen.append(sighting)
            _ = try test.store.frames.commit(
                FrameCommit(camera: "gate", recordings: [.init(passage: passage, sighting: sighting)], at: minute(1)))
            #expect(try test.store.passages.passage(clientID: passage.clientID)?.passage == passage)
            #expect(try test.store.sightings.sighting(id: sighting.id)?.sighting == sighting)
        }
        let courses = try test.store.sightings.courses(of: "gate", limit: 2)
        #expect(courses.map(\.course) == [nil, .receding] && courses.map(\.travel) == [nil, .entering])
        #expect(courses.map(\.plate.compact) == ["BA1PA2", "BA1PA1"])
        #expect(try test.store.sightings.courses(of: "other", limit: 2).isEmpty)
    }

    @Test func `leaves nothing behind when one of its rows is refused`() throws {
        let test = try TestStore()
        var bad = commit(samplePassage(photoSHA256: sampleHash(1)))
        // The photo of the second passage was never kept.
        bad.recordings.append(.init(passage: samplePassage("BA 2 PA 2", photoSHA256: sampleHash(99)), sighting: nil))
        #expect(throws: StoreError.self) { try test.store.frames.commit(bad) }
        #expect(try test.store.passages.list().isEmpty)
        #expect(try test.store.queue.entries().isEmpty)
        #expect(try test.store.frames.isTaken(camera: "gate", key: "frame-1.jpg") == false)
        #expect(try test.store.frames.trackerState(camera: "gate") == nil)
        #expect(try test.store.photos.record(sha256: sampleHash(1)) == nil)
    }

    @Test func `records a passage once, however often it is repeated`() throws {
        let test = try TestStore()
        let passage = samplePassage(photoSHA256: sampleHash(1))
        try test.store.frames.commit(commit(passage))
        #expect(try test.store.frames.commit(commit(passage)).isEmpty)

        // After a crash the caller draws another client_id for the same sighting.
        let redrawn = samplePassage(photoSHA256: sampleHash(1))
        #expect(try test.store.frames.commit(commit(redrawn)).isEmpty)
        #expect(try test.store.passages.list().count == 1)
        #expect(try test.store.queue.entries().count == 1)
    }

    @Test func `records another vehicle under a sighting number that came again`() throws {
        let test = try TestStore()
        try test.store.frames.commit(commit(samplePassage(photoSHA256: sampleHash(1))))
        let other = samplePassage("BA 9 CHA 77", at: 60, photoSHA256: sampleHash(1))
        #expect(try test.store.frames.commit(commit(other)) == [other])
    }

    @Test(arguments: [("BA 9 CHA 77", 0), ("BA 1 PA 1234", 60)] as [(String, Double)])
    func `records under one sighting number another plate of the same moment, and the same plate of another`(
        plate: String, minutes: Double
    ) throws {
        let test = try TestStore()
        try test.store.frames.commit(commit(samplePassage(photoSHA256: sampleHash(1))))
        let other = samplePassage(plate, at: minutes, photoSHA256: sampleHash(1))
        #expect(try test.store.frames.commit(commit(other)) == [other])
        #expect(try test.store.passages.list().count == 2)
    }

    @Test func `keeps a doubtful sighting for review, and a ranger's decision holds`() throws {
        let test = try TestStore()
        let doubtful = FrameCommit(camera: "gate", photos: [samplePhoto()], reviews: [sampleSighting()], at: minute(1))
        try test.store.frames.commit(doubtful)
        let waiting = try #require(try test.store.sightings.list(in: .review).first)
        #expect(waiting.sighting == sampleSighting())
        #expect(waiting.hasPhoto)

        let passage = samplePassage(photoSHA256: sampleHash(1))
        try test.store.sightings.recordReviewed(sightingID: "gate/1", as: passage, by: "ram", at: minute(2))
        #expect(try test.store.sightings.list(in: .review).isEmpty)
        #expect(try test.store.queue.entries().map(\.passageClientID) == [passage.clientID])
        // A late repeat of the frame doesn't open it again, and nobody decides twice.
        try test.store.frames.commit(doubtful)
        #expect(try test.store.sightings.sighting(id: "gate/1")?.state == .recorded)
        #expect(throws: StoreError.self) {
            try test.store.sightings.discardReviewed(sightingID: "gate/1", by: "sita", at: minute(3))
        }
        #expect(throws: StoreError.self) {
            try test.store.sightings.recordReviewed(
                sightingID: "gate/1", as: samplePassage(), by: "sita", at: minute(3))
        }
        #expect(try test.store.passages.list().count == 1)
    }

    @Test func `remembers taken frames and the tracker over a restart`() throws {
        let folder = try TestStore.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("checkpost.sqlite").path
        let first = try Store(path: path)
        try first.frames.commit(commit(samplePassage(photoSHA256: sampleHash(1))))
        try first.close()
        let second = try Store(path: path)
        defer { try? second.close() }
        #expect(try second.frames.takenKeys(camera: "gate") == ["frame-1.jpg"])
        #expect(try second.frames.trackerState(camera: "gate") != nil)
        #expect(try second.sightings.lastNumber(camera: "gate") == 1)
    }

    @Test func `forgets a taken frame only when it is old and its file is gone`() throws {
        let test = try TestStore()
        for number in 1...3 {
            let at = minute(Double(number) * 60)
            try test.store.frames.commit(FrameCommit(camera: "gate", takenKey: "\(number)", at: at))
        }
        let forgotten = try test.store.frames.forgetTaken(camera: "gate", takenBefore: minute(150), except: ["1"])
        #expect(forgotten == 1)
        #expect(try test.store.frames.takenKeys(camera: "gate") == ["1", "3"])
    }

    @Test func `remembers why a frame could not be read, within a bound`() throws {
        let test = try TestStore()
        let count = FrameTable.maximumUnreadable + 5
        for number in 1...count {
            let unreadable = FrameCommit.Unreadable(file: "\(number).jpg", reason: "It is no picture.")
            try test.store.frames.commit(
                FrameCommit(camera: "gate", takenKey: "\(number)", unreadable: unreadable, at: minute(0)))
        }
        let kept = try test.store.frames.unreadable(limit: count)
        #expect(kept.count == FrameTable.maximumUnreadable)
        #expect(kept.first?.file == "\(count).jpg")
    }
}
