import Enforcement
import Foundation
import Testing

@testable import Storage

@Suite("What is known of the other post", .timeLimit(.minutes(10)))
struct OtherPostTests {
    private let test: TestStore
    private let zero = Instant(milliseconds: 1_795_255_200_000)

    init() throws { test = try TestStore() }

    private func reviews(_ minutes: [Double], asOf: Double = 60) -> OtherPost.Reviews {
        OtherPost.Reviews(
            asOf: zero + .minutes(asOf),
            waiting: minutes.map {
                WaitingSighting(seenAt: zero + .minutes($0), plate: Plate(canonical: "BA 1 PA 12?4"))
            })
    }

    @Test func `is what it said last`() throws {
        #expect(try test.store.otherPost.known() == OtherPost(knownUpTo: nil, reviews: nil))
        try test.store.otherPost.learn(reviews: reviews([1, 2]), at: zero)
        #expect(try test.store.otherPost.known().reviews == reviews([1, 2]))
        try test.store.otherPost.learn(reviews: reviews([3], asOf: 59), at: zero)
        #expect(try test.store.otherPost.known().reviews == reviews([1, 2]))
        try test.store.otherPost.learn(reviews: nil, at: zero)
        #expect(try test.store.otherPost.known().reviews == nil)
    }

    @Test func `gives an open alert its doubts, and takes them back with the ranger's word`() throws {
        let entry = Passage(
            clientID: UUID(), plate: Plate(canonical: "BA 1 PA 1234"), plateRaw: "", vehicleType: .car,
            checkpostCode: "BNP-A", recordedAt: zero, clockState: .synchronised, origin: .camera)
        try test.store.passages.record(entry, at: zero)
        let alert = OverstayAlert(
            entryClientID: entry.clientID, plate: entry.plate, vehicleType: .car, entryTime: zero,
            expectedExitBy: zero + .minutes(270), isDoubtful: false)
        #expect(try test.store.alerts.raise([alert], at: zero + .minutes(271)).count == 1)
        let now = zero + .minutes(272)
        #expect(try test.store.alerts.list(now: now).map(\.doubts) == [[.reviewsUnknown]])
        try test.store.otherPost.learn(knownUpTo: zero + .hours(12), at: zero)
        try test.store.otherPost.learn(reviews: reviews([100], asOf: 271), at: zero)
        let waiting = try #require(try test.store.alerts.list(now: now).first)
        #expect(waiting.doubts == [.waitsForReview(at: zero + .minutes(100))])
        #expect(waiting.alert.isDoubtful)
        try test.store.otherPost.learn(reviews: reviews([], asOf: 272), at: zero)
        let certain = try #require(try test.store.alerts.list(now: now).first)
        #expect(certain.doubts.isEmpty && !certain.alert.isDoubtful)
        let other = MatchablePassage(
            clientID: UUID(), plate: Plate(canonical: "BA 1 PA 1284"), vehicleType: .car, checkpostCode: "BNP-B",
            recordedAt: zero + .minutes(90), clockState: .synchronised)
        try test.store.otherPost.upsert([other], at: now)
        let match = Match(MatchablePassage(entry), other, certainty: .lookAlike)
        try test.store.matches.savePossible([match], at: now)
        let doubtful = try #require(try test.store.alerts.list(now: now).first)
        #expect(doubtful.doubts == [.looksAlike(other.plate, at: other.recordedAt)])
        let id = try #require(try test.store.matches.possible().first?.id)
        try test.store.matches.rejectPossible(id: id, by: "Sita", at: now)
        #expect(try test.store.alerts.list(now: now).map(\.alert.isDoubtful) == [false])
    }

    @Test func `leaves out a server's alert that waits for its ranger`() throws {
        let entry = Passage(
            clientID: UUID(), plate: Plate(canonical: "BA 1 PA 1234"), plateRaw: "", vehicleType: .car,
            checkpostCode: "BNP-A", recordedAt: zero, clockState: .synchronised, origin: .camera)
        try test.store.passages.record(entry, at: zero)
        let serverID = UUID()
        try test.store.reconciliation.learn(
            [OwnServerRow(clientID: entry.clientID, serverID: serverID, matchedServerID: nil)], at: zero)
        let alert = ServerAlert(
            entryServerID: serverID, plate: entry.plate, vehicleType: .car, entryTime: zero,
            expectedExitBy: zero + .minutes(270), resolvedAt: nil)
        try test.store.otherPost.learn(reviews: reviews([100], asOf: 280), at: zero)
        try test.store.reconciliation.take([alert], at: zero + .minutes(281))
        #expect(try test.store.alerts.list().isEmpty)
        try test.store.otherPost.learn(reviews: reviews([300], asOf: 301), at: zero)
        try test.store.reconciliation.take([alert], at: zero + .minutes(302))
        #expect(try test.store.alerts.list(now: zero + .minutes(302)).map(\.alert.isDoubtful) == [true])
    }

    @Test func `is told what waits here, with the plates that were read`() throws {
        let reading = PlateReading(
            plate: Plate(canonical: "BA 1 PA 40?6"), raw: "x", confidence: 0.4,
            box: Box(x: 0, y: 0, width: 1, height: 1),
            format: "np-zonal", candidates: [], characters: [])
        func sighting(_ number: Int) -> Sighting {
            let frame = FrameReference(
                sha256: String(repeating: "b", count: 64), camera: "gate", recordedAt: zero + .minutes(Double(number)),
                clockState: .synchronised)
            return Sighting(
                number: number, camera: "gate", firstSeenAt: frame.recordedAt, lastSeenAt: frame.recordedAt,
                frameCount: 1, bestFrame: frame, reading: reading)
        }
        var commit = FrameCommit(camera: "gate", at: zero)
        commit.reviews = [sighting(1), sighting(2)]
        commit.open = [sighting(3)]
        try test.store.frames.commit(commit)
        try test.store.sightings.discardReviewed(sightingID: "gate/1", by: "Sita", at: zero)
        let told = try test.store.sightings.reviewsToTell(asOf: zero, by: .server)
        #expect(told.waiting.map(\.seenAt) == [zero + .minutes(3), zero + .minutes(2)])
        #expect(told.waiting.map(\.plate.canonical) == ["BA 1 PA 40?6", "BA 1 PA 40?6"])
    }
}
