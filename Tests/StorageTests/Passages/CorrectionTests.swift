import Enforcement
import Foundation
import Testing

@testable import Storage

@Suite("A correction", .timeLimit(.minutes(10)))
struct CorrectionTests {
    private struct Scene {
        var test: TestStore
        var own: Passage
        var remote: MatchablePassage
        var violation: Violation
    }

    /// An overstay: 300 minutes for 45 km, with its alert resolved by the exit.
    private func scene() throws -> Scene {
        let test = try TestStore()
        let own = samplePassage(at: 0)
        let remote = sampleRemote(at: 300)
        try test.store.passages.record(own, at: minute(0))
        let alert = OverstayAlert(
            entryClientID: own.clientID, plate: own.plate, vehicleType: own.vehicleType, entryTime: own.recordedAt,
            expectedExitBy: minute(270), isDoubtful: false)
        #expect(try test.store.alerts.raise([alert], at: minute(280)) == [alert])
        try test.store.otherPost.upsert([remote], at: minute(301))
        let match = Match(MatchablePassage(own), remote, certainty: .exact)
        let violation = try #require(Violation(match, on: banke, id: UUID()))
        #expect(violation.kind == .overstay)
        #expect(try test.store.matches.save(match, violation: violation, at: minute(302)))
        return Scene(test: test, own: own, remote: remote, violation: violation)
    }

    @Test func `keeps both versions and takes back what followed from the wrong one`() throws {
        let scene = try scene()
        let store = scene.test.store
        let right = Plate(canonical: "BA 1 PA 1284")
        let corrected = try store.passages.correct(
            clientID: scene.own.clientID, to: right, reason: "Misread.", by: "ram", at: minute(310))
        #expect(corrected.plate == right)
        let stored = try #require(try store.passages.passage(clientID: scene.own.clientID))
        #expect(stored.passage.plate == right)
        #expect(stored.passage.plateRaw == scene.own.plateRaw)
        #expect(stored.isCorrected)
        #expect(!stored.isMatched)
        #expect(stored.violation == nil)

        let history = try store.passages.corrections(ofPassage: scene.own.clientID)
        #expect(history.map(\.oldPlate) == [scene.own.plate])
        #expect(history.map(\.newPlate) == [right])
        #expect(history.map(\.actor) == ["ram"])
        #expect(
            try store.violations.list(ViolationFilter(includesWithdrawn: true)).map(\.violation.state) == [.withdrawn])
        #expect(
            try store.matches.unmatched(.remote, from: minute(0), to: minute(400)).map(\.clientID) == [
                scene.remote.clientID
            ])
        // The alert named the wrong plate, so that another may be raised.
        #expect(try store.alerts.list(onlyOpen: false).isEmpty)
        #expect(try store.alerts.openEntries(from: minute(-1), until: minute(1)).count == 1)
        // The server learns of it by an entry of its own, behind the passage.
        #expect(try store.queue.entries().map(\.entity) == [.passage, .correction])
    }

    @Test func `that withdraws leaves the passage on record and matches it no more`() throws {
        let scene = try scene()
        let store = scene.test.store
        try store.passages.withdraw(clientID: scene.own.clientID, reason: "A tree.", by: "sita", at: minute(310))
        #expect(try store.passages.list().map(\.withdrawnAt) == [minute(310)])
        #expect(try store.passages.list(PassageFilter(includesWithdrawn: false)).isEmpty)
        #expect(try store.matches.unmatched(.own, from: minute(-1), to: minute(1)).isEmpty)
        #expect(try store.matches.unmatched(.remote, from: minute(0), to: minute(400)).count == 1)
        #expect(try store.violations.list().isEmpty)
        #expect(try store.passages.corrections(ofPassage: scene.own.clientID).map(\.kind) == [.withdrawn])
        let error = #expect(throws: StoreError.self) {
            try store.passages.withdraw(clientID: scene.own.clientID, reason: "Again.", by: "sita", at: minute(311))
        }
        #expect(error?.kind == .unknown)
        #expect(try store.queue.entries().count == 2)
    }

    @Test func `of the other post's passage opens the alert again that it had resolved`() throws {
        let scene = try scene()
        let store = scene.test.store
        #expect(try store.alerts.list(onlyOpen: true).isEmpty)
        var changed = scene.remote
        changed.plate = Plate(canonical: "BA 1 PA 5555")
        try store.otherPost.upsert([changed], at: minute(400))
        #expect(try store.alerts.list(onlyOpen: true).map(\.alert.entryClientID) == [scene.own.clientID])
    }

    @Test func `leaves a violation that the server confirmed to the server`() throws {
        let scene = try scene()
        let store = scene.test.store
        try store.write("Testing") { try $0.execute(sql: "UPDATE violations SET state = 'confirmed'") }
        try store.passages.correct(
            clientID: scene.own.clientID, to: Plate(canonical: "BA 1 PA 1"), reason: "Misread.", by: "ram",
            at: minute(310))
        #expect(try store.violations.list().map(\.violation.state) == [.confirmed])
    }
}
