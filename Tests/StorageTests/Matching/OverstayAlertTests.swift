import Enforcement
import Foundation
import Testing

@testable import Storage

@Suite("An overstay alert", .timeLimit(.minutes(10)))
struct OverstayAlertTests {
    private func alert(_ passage: Passage) -> OverstayAlert {
        OverstayAlert(
            entryClientID: passage.clientID, plate: passage.plate, vehicleType: passage.vehicleType,
            entryTime: passage.recordedAt, expectedExitBy: minute(270), isDoubtful: false)
    }

    @Test func `is raised once and taken off the open entries`() throws {
        let test = try TestStore()
        let passage = samplePassage()
        try test.store.passages.record(passage, at: minute(0))
        #expect(
            try test.store.alerts.openEntries(from: minute(-1), until: minute(1)).map(\.passage.clientID) == [
                passage.clientID
            ]
        )
        #expect(try test.store.alerts.raise([alert(passage)], at: minute(280)).count == 1)
        #expect(try test.store.alerts.raise([alert(passage)], at: minute(281)).isEmpty)
        #expect(try test.store.alerts.openEntries(from: minute(-1), until: minute(1)).isEmpty)
        #expect(try test.store.alerts.list().map(\.raisedAt) == [minute(280)])
    }

    @Test func `is dismissed once, with a reason that the server learns`() throws {
        let test = try TestStore()
        let passage = samplePassage()
        try test.store.passages.record(passage, at: minute(0))
        _ = try test.store.alerts.raise([alert(passage)], at: minute(280))
        let id = try #require(try test.store.alerts.list().first?.id)
        try test.store.alerts.dismiss(id: id, reason: "Left by this post.", by: "ram", at: minute(290))
        #expect(try test.store.alerts.list().isEmpty)
        #expect(try test.store.alerts.list(onlyOpen: false).map(\.dismissedReason) == ["Left by this post."])
        #expect(try test.store.queue.entries().map(\.entity) == [.passage, .alert])
        #expect(throws: StoreError.self) {
            try test.store.alerts.dismiss(id: id, reason: "Again.", by: "ram", at: minute(291))
        }
        #expect(try test.store.alerts.raise([alert(passage)], at: minute(300)).isEmpty)
    }

    @Test func `is doubtful while a text that nobody has proven tells of an exit`() throws {
        let test = try TestStore()
        let passage = samplePassage("BA 1 PA 1234")
        try test.store.passages.record(passage, at: minute(0))
        func text(_ plate: String, at minutes: Double, _ clock: ClockState = .untrusted) throws -> MatchablePassage {
            MatchablePassage(
                clientID: try #require(UUID(uuidString: "00000000-0000-5000-8000-0000000000\(Int(minutes) + 10)")),
                plate: Plate(canonical: plate), vehicleType: .car, checkpostCode: "BNP-B", recordedAt: minute(minutes),
                clockState: clock)
        }
        func mayBeOut() throws -> [Bool] {
            try test.store.alerts.openEntries(from: minute(-1), until: minute(1)).map(\.hasPossibleMatch)
        }
        try test.store.otherPost.upsert(
            [text("BA 1 PA 1235", at: 80), text("BA 1 PA 1234", at: 70, .synchronised)], at: minute(80))
        #expect(try mayBeOut() == [false])
        try test.store.otherPost.upsert([text("BA 1 PA 1234", at: 60)], at: minute(80))
        #expect(try mayBeOut() == [true])
        _ = try test.store.alerts.raise([alert(passage)], at: minute(280))
        let stored = try #require(try test.store.alerts.list().first)
        #expect(stored.doubts.first == .toldByText(at: minute(60)))
        #expect(stored.doubts.count { if case .toldByText = $0 { true } else { false } } == 1)
        #expect(stored.alert.isDoubtful)
    }

    @Test func `becomes doubtful when a plate that looks alike came out`() throws {
        let test = try TestStore()
        let passage = samplePassage("BA 1 PA 1234")
        try test.store.passages.record(passage, at: minute(0))
        _ = try test.store.alerts.raise([alert(passage)], at: minute(280))
        let remote = sampleRemote("BA 1 PA 1235", at: 285)
        try test.store.otherPost.upsert([remote], at: minute(286))
        try test.store.matches.savePossible(
            [Match(MatchablePassage(passage), remote, certainty: .lookAlike)], at: minute(286))
        #expect(try test.store.alerts.list().map(\.alert.isDoubtful) == [true])
    }
}
