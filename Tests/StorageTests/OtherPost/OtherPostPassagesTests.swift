import Enforcement
import Foundation
import Testing

@testable import Storage

@Suite("The other post's passages", .timeLimit(.minutes(10)))
struct OtherPostPassagesTests {
    @Test func `are the same after the second time`() throws {
        let test = try TestStore()
        let passages = (0..<3).map { sampleRemote("BA 1 PA \($0)", serverID: UUID(), sequence: Int64($0)) }
        #expect(try test.store.otherPost.upsert(passages, at: minute(0)) == 3)
        #expect(try test.store.otherPost.upsert(passages, at: minute(1)) == 0)
        #expect(try test.store.figures.now().remotePassages == 3)
        #expect(try test.store.otherPost.passage(clientID: passages[1].clientID) == passages[1])
    }

    @Test func `are no longer candidates once the server has matched them`() throws {
        let test = try TestStore()
        let passage = sampleRemote()
        try test.store.otherPost.upsert([passage], at: minute(0))
        #expect(try test.store.matches.unmatched(.remote, from: minute(0), to: minute(0)).count == 1)
        try test.store.otherPost.upsert([passage], matched: [passage.clientID], at: minute(1))
        #expect(try test.store.matches.unmatched(.remote, from: minute(0), to: minute(0)).isEmpty)
    }

    @Test func `keep their match when the server merges an SMS with the later upload`() throws {
        let test = try TestStore()
        let own = samplePassage()
        let serverID = UUID()
        let fromSMS = sampleRemote(at: 30, serverID: serverID)
        try test.store.passages.record(own, at: minute(0))
        try test.store.otherPost.upsert([fromSMS], at: minute(31))
        let match = Match(MatchablePassage(own), fromSMS, certainty: .exact)
        let violation = try #require(Violation(match, on: banke, id: UUID()))
        #expect(try test.store.matches.save(match, violation: violation, at: minute(32)))

        let merged = sampleRemote(at: 30, serverID: serverID)
        #expect(try test.store.otherPost.upsert([merged], at: minute(60)) == 0)
        let stored = try #require(try test.store.passages.passage(clientID: own.clientID))
        #expect(stored.counterpart?.clientID == merged.clientID)
        #expect(stored.violation?.exitClientID == merged.clientID)
        #expect(try test.store.figures.now().remotePassages == 1)
    }

    @Test func `lose their match when their plate changes`() throws {
        let test = try TestStore()
        let own = samplePassage()
        var remote = sampleRemote(at: 30)
        try test.store.passages.record(own, at: minute(0))
        try test.store.otherPost.upsert([remote], at: minute(31))
        let match = Match(MatchablePassage(own), remote, certainty: .exact)
        #expect(try test.store.matches.save(match, violation: Violation(match, on: banke, id: UUID()), at: minute(32)))
        remote.plate = Plate(canonical: "BA 1 PA 9999")
        try test.store.otherPost.upsert([remote], at: minute(40))
        #expect(try test.store.passages.passage(clientID: own.clientID)?.isMatched == false)
        #expect(try test.store.violations.list().isEmpty)
        #expect(try test.store.violations.list(ViolationFilter(includesWithdrawn: true)).count == 1)
    }

    @Test func `move the cursor with them or not at all`() throws {
        let test = try TestStore()
        let cursor = SyncCursor(name: SyncCursor.otherPostKnownUpTo, value: minute(5).milliseconds)
        try test.store.otherPost.upsert([sampleRemote()], cursor: cursor, at: minute(5))
        #expect(try test.store.cursors.otherPostKnownUpTo() == minute(5))
        let bad = sampleRemote("")
        let later = SyncCursor(name: SyncCursor.otherPostKnownUpTo, value: minute(9).milliseconds)
        #expect(throws: StoreError.self) {
            try test.store.otherPost.upsert([sampleRemote("BA 7 PA 7"), bad], cursor: later, at: minute(9))
        }
        #expect(try test.store.cursors.otherPostKnownUpTo() == minute(5))
        #expect(try test.store.figures.now().remotePassages == 1)
    }
}
