import Enforcement
import Foundation
import ParkAPI
import Testing

@testable import Storage

@Suite("What the server says, in the database", .timeLimit(.minutes(10)))
struct ServerWordTests {
    private let ownID = UUID()
    private let remoteID = UUID()
    private let ownServerID = UUID()
    private let remoteServerID = UUID()

    /// A passage at 60 minutes that was matched here with one of the other post at 0, as speeding.
    private func makeMatch(_ test: TestStore) throws {
        try test.store.passages.record(samplePassage(at: 60, clientID: ownID), at: minute(60))
        try test.store.otherPost.upsert(
            [sampleRemote(at: 0, clientID: remoteID, serverID: remoteServerID)], at: minute(61))
        let match = Match(
            MatchablePassage(samplePassage(at: 60, clientID: ownID)),
            sampleRemote(at: 0, clientID: remoteID), certainty: .exact)
        let violation = Violation(match, on: banke, id: UUID())
        #expect(violation != nil)
        #expect(try test.store.matches.save(match, violation: violation, at: minute(61)))
    }

    private func word(_ matched: UUID?) -> OwnServerRow {
        OwnServerRow(clientID: ownID, serverID: ownServerID, matchedServerID: matched)
    }

    private func serverViolation(id: UUID = UUID(), exit: UUID? = nil) -> ServerViolation {
        ServerViolation(
            serverID: id, kind: .speeding, entryServerID: remoteServerID, exitServerID: exit ?? ownServerID,
            plate: Plate(canonical: "BA 1 PA 1234"), vehicleType: .motorcycle, entryTime: minute(0),
            exitTime: minute(60), distanceKm: 45, speedLimitKmh: 40, calculatedSpeedKmh: 45, isImplausible: false)
    }

    @Test func `confirms a match that it made as well`() throws {
        let test = try TestStore()
        try makeMatch(test)
        try test.store.reconciliation.learn(
            [word(remoteServerID)], cursor: SyncCursor(name: "own", value: 7), at: minute(62))
        #expect(try test.store.matches.match(ofPassage: ownID)?.state == .confirmed)
        #expect(try test.store.passages.passage(clientID: ownID)?.serverID == ownServerID)
        #expect(try test.store.cursors.value("own") == 7)
        try test.store.reconciliation.learn([word(remoteServerID)], at: minute(63))
        #expect(try test.store.matches.match(ofPassage: ownID)?.state == .confirmed)
    }

    @Test func `names the other end of a match that only the server has found`() throws {
        let test = try TestStore()
        try test.store.passages.record(samplePassage("BA 1 PA 1234", at: 60, clientID: ownID), at: minute(60))
        try test.store.reconciliation.learn([word(remoteServerID)], at: minute(61))
        let unknown = try #require(try test.store.passages.passage(clientID: ownID))
        #expect(unknown.isMatched && unknown.counterpart == nil)
        var remote = sampleRemote("BA 1 PA 1299", at: 0)
        remote.serverID = remoteServerID
        try test.store.otherPost.upsert([remote], matched: [remote.clientID], at: minute(62))
        let stored = try #require(try test.store.passages.passage(clientID: ownID))
        #expect(stored.isMatched && stored.counterpart?.clientID == remote.clientID)
        #expect(stored.matchState == nil)
    }

    @Test func `counts for a passage whose correction is on its way, where the server has the new plate already`()
        throws
    {
        let test = try TestStore()
        try test.store.passages.record(samplePassage("BA 1 PA 9", at: 60, clientID: ownID), at: minute(60))
        try test.store.passages.correct(
            clientID: ownID, to: Plate(canonical: "BA 1 PA 1234"), reason: "misread", by: "hari", at: minute(61))
        let partner = UUID()
        func told(_ plate: String) -> OwnServerRow {
            OwnServerRow(
                clientID: ownID, serverID: ownServerID, matchedServerID: partner, plate: Plate(canonical: plate))
        }
        try test.store.reconciliation.learn([told("BA 1 PA 9")], at: minute(62))
        #expect(try test.store.passages.passage(clientID: ownID)?.isMatched == false)
        try test.store.reconciliation.learn([told("BA 1 PA 1234")], at: minute(63))
        #expect(try test.store.passages.passage(clientID: ownID)?.isMatched == true)
    }

    @Test func `keeps its match with the plate that the warden gave a passage`() throws {
        let test = try TestStore()
        try makeMatch(test)
        var entry = try #require(try test.store.queue.entries().first)
        entry.status = .synced
        try test.store.queue.update(entry)
        try test.store.reconciliation.learn([word(remoteServerID)], at: minute(62))
        var corrected = word(remoteServerID)
        corrected.plate = Plate(canonical: "BA 1 PA 9")
        try test.store.reconciliation.learn([corrected], at: minute(63))
        let passage = try #require(try test.store.passages.passage(clientID: ownID))
        #expect(passage.passage.plate.compact == "BA1PA9")
        // Otherwise it would be told of as an overstay.
        #expect(passage.isMatched)
    }

    @Test func `withdraws a match, and its violation, when it made another`() throws {
        let test = try TestStore()
        try makeMatch(test)
        try test.store.reconciliation.learn([word(UUID())], at: minute(62))
        #expect(try test.store.matches.match(ofPassage: ownID) == nil)
        #expect(try test.store.violations.list().isEmpty)
        #expect(try test.store.passages.passage(clientID: ownID)?.isMatched == true)
    }

    @Test func `leaves a provisional match alone while it has none`() throws {
        let test = try TestStore()
        try makeMatch(test)
        try test.store.reconciliation.learn([word(nil)], at: minute(62))
        #expect(try test.store.matches.match(ofPassage: ownID)?.state == .provisional)
    }

    @Test func `takes a passage of the other post from whom it was matched with here`() throws {
        let test = try TestStore()
        try makeMatch(test)
        let other = UUID()
        try test.store.passages.record(samplePassage(at: 55, clientID: other), at: minute(60))
        try test.store.reconciliation.learn(
            [OwnServerRow(clientID: other, serverID: UUID(), matchedServerID: remoteServerID)], at: minute(62))
        #expect(try test.store.matches.match(ofPassage: ownID) == nil)
        #expect(try test.store.matches.unmatched(.remote, from: minute(-9), to: minute(99)).isEmpty)
    }

    @Test func `does not overwrite a passage whose correction has not been sent`() throws {
        let test = try TestStore()
        try test.store.passages.record(samplePassage(at: 60, clientID: ownID), at: minute(60))
        try test.store.passages.correct(
            clientID: ownID, to: Plate(canonical: "BA 1 PA 9"), reason: "misread", by: "Sita", at: minute(61))
        try test.store.reconciliation.learn([word(remoteServerID)], at: minute(62))
        #expect(try test.store.passages.passage(clientID: ownID)?.isMatched == false)
        #expect(try test.store.passages.passage(clientID: ownID)?.serverID == ownServerID)
    }

    @Test func `confirms a violation under the id that it has here, once`() throws {
        let test = try TestStore()
        try makeMatch(test)
        try test.store.reconciliation.learn([word(remoteServerID)], at: minute(62))
        let local = try test.store.violations.list()[0].violation
        let judged = serverViolation()
        for _ in 0..<2 { try test.store.reconciliation.take([judged], at: minute(63)) }
        let violations = try test.store.violations.list()
        #expect(violations.map(\.id) == [local.id])
        #expect(violations[0].violation.state == .confirmed)
        #expect(violations[0].violation.calculatedSpeedKmh == 45)
    }

    @Test func `is not taken in, nor its cursor, while a passage is missing`() throws {
        let test = try TestStore()
        try makeMatch(test)
        try test.store.reconciliation.learn([word(remoteServerID)], at: minute(62))
        #expect(throws: StoreError.self) {
            try test.store.reconciliation.take(
                [serverViolation(), serverViolation(exit: UUID())], cursor: SyncCursor(name: "v", value: 9),
                at: minute(63))
        }
        #expect(try test.store.cursors.value("v") == nil)
        #expect(try test.store.violations.list().map(\.violation.state) == [.provisional])
    }

    @Test func `withdraws a violation that it did not find in a match that it confirmed`() throws {
        let test = try TestStore()
        try makeMatch(test)
        #expect(try test.store.reconciliation.withdrawUnconfirmedViolations(at: minute(62)) == 0)
        try test.store.reconciliation.learn([word(remoteServerID)], at: minute(62))
        #expect(try test.store.reconciliation.withdrawUnconfirmedViolations(at: minute(62)) == 1)
        #expect(try test.store.violations.list().isEmpty)
    }

    @Test func `withdraws a violation that it had found, lost, and judges otherwise now`() throws {
        let test = try TestStore()
        try test.store.passages.record(samplePassage(at: 60, clientID: ownID), at: minute(60))
        var entry = try #require(try test.store.queue.entries().first)
        entry.status = .synced
        try test.store.queue.update(entry)
        try test.store.otherPost.upsert(
            [sampleRemote(at: 0, clientID: remoteID, serverID: remoteServerID)], at: minute(61))
        try test.store.reconciliation.learn([word(remoteServerID)], at: minute(61))
        try test.store.reconciliation.take([serverViolation()], at: minute(61))
        #expect(try test.store.violations.list().map(\.violation.state) == [.confirmed])
        var losses = ReconciliationTable.Losses()
        losses.passages = [ownID]
        #expect(try test.store.reconciliation.sendAgain(losses, at: minute(62)) == 1)
        #expect(try test.store.reconciliation.withdrawUnconfirmedViolations(at: minute(62)) == 0)
        try test.store.reconciliation.learn([word(remoteServerID)], at: minute(63))
        // Not before the server was read again: a cycle may have ended in between.
        #expect(try test.store.cursors.value(SyncCursor.lostRecords) == 1)
        #expect(try test.store.reconciliation.withdrawUnconfirmedViolations(at: minute(63)) == 0)
        try test.store.cursors.forget([SyncCursor.lostRecords])
        #expect(try test.store.reconciliation.withdrawUnconfirmedViolations(at: minute(63)) == 1)
        #expect(try test.store.violations.list().isEmpty)
        // It tells it after all: it is that one, under its own id.
        try test.store.reconciliation.take([serverViolation()], at: minute(64))
        #expect(try test.store.violations.list().map(\.violation.state) == [.confirmed])
    }

    @Test func `remembers across a power cut that it doubted a violation`() throws {
        let test = try TestStore()
        try makeMatch(test)
        try test.store.reconciliation.learn([word(remoteServerID)], at: minute(62))
        try test.store.reconciliation.take([serverViolation()], at: minute(62))
        let known = try test.store.reconciliation.confirmedViolations(after: nil, since: minute(0), limit: 9)
        #expect(try test.store.reconciliation.doubt(violations: known, at: minute(63)) == 1)
        #expect(try test.store.cursors.value(SyncCursor.lostRecords) == 0)
        #expect(try test.store.reconciliation.withdrawUnconfirmedViolations(at: minute(63)) == 0)
    }

    @Test func `counts for a passage that it knows by its text alone, violation and all`() throws {
        let test = try TestStore()
        try makeMatch(test)
        let entry = try #require(try test.store.queue.entries().first { $0.entity == .passage })
        let handOver = try test.store.messages.beginSending(entry: entry.id, to: "+9779800000001", at: minute(66)) {
            (passage: Passage) throws(SMSFormatError) in
            try SMSEncoder.encode(
                SMSPassage(
                    checkpostCode: "BNP-A", compactPlate: passage.plate.compact, vehicleType: passage.vehicleType,
                    recordedAt: passage.recordedAt, rangerPhoneSuffix: "0000"))
        }
        guard case .begun(_, let text) = handOver else {
            Issue.record("not sent: \(handOver)")
            return
        }
        let textID = SMSEncoder.clientID(of: text)
        try test.store.reconciliation.learn(
            [OwnServerRow(clientID: textID, serverID: ownServerID, matchedServerID: remoteServerID)], at: minute(67))
        #expect(try test.store.matches.match(ofPassage: ownID)?.state == .confirmed)
        #expect(try test.store.reconciliation.unknownPassages(among: [ownServerID, remoteServerID]).isEmpty)
        try test.store.reconciliation.take([serverViolation()], at: minute(67))
        #expect(try test.store.violations.list().map(\.violation.state) == [.confirmed])
        // It is uploaded all the same: the text has no photo, and whole seconds.
        #expect(try test.store.queue.entry(id: entry.id)?.status == .pending)
    }

    @Test func `sends an outcome that had nowhere to go, once the violation is there again`() throws {
        let test = try TestStore()
        try makeMatch(test)
        try test.store.reconciliation.learn([word(remoteServerID)], at: minute(62))
        let violation = try test.store.violations.list()[0].violation.id
        try test.store.violations.record(
            Outcome(kind: .warned, recordedBy: "hari", recordedAt: minute(62)), ofViolation: violation)
        #expect(try test.store.reconciliation.withdrawUnconfirmedViolations(at: minute(62)) == 1)
        func entry() throws -> QueueEntry? { try test.store.queue.entries().first { $0.entity == .outcome } }
        var refused = try #require(try entry())
        (refused.status, refused.isRefused, refused.lastError) = (.failed, true, "The violation was withdrawn")
        try test.store.queue.update(refused)
        let judged = serverViolation()
        try test.store.reconciliation.take([judged], at: minute(63))
        #expect(try test.store.violations.list().map(\.id) == [violation])
        #expect(try entry()?.status == .pending)
        #expect(try entry()?.isRefused == false)
        // The same word once more sends nothing again.
        (refused.status, refused.isRefused) = (.synced, false)
        try test.store.queue.update(refused)
        try test.store.reconciliation.take([judged], at: minute(64))
        #expect(try entry()?.status == .synced)
    }

    @Test func `is asked for a match that was found here, once both passages are there`() throws {
        let test = try TestStore()
        try makeMatch(test)
        #expect(try test.store.reconciliation.matchesToPropose(limit: 9).isEmpty)
        try test.store.reconciliation.learn([word(nil)], at: minute(62))
        let proposals = try test.store.reconciliation.matchesToPropose(limit: 9)
        #expect(proposals.map(\.entryServerID) == [remoteServerID])
        #expect(proposals.map(\.exitServerID) == [ownServerID])
        try test.store.reconciliation.withdrawProposal(proposals[0], at: minute(63))
        #expect(try test.store.matches.match(ofPassage: ownID) == nil)
        #expect(try test.store.reconciliation.matchesToPropose(limit: 9).isEmpty)
    }

    @Test func `raises an alert for an entry of this post, and ends it`() throws {
        let test = try TestStore()
        try test.store.passages.record(samplePassage(at: 0, clientID: ownID), at: minute(0))
        try test.store.reconciliation.learn([word(nil)], at: minute(1))
        var alert = ServerAlert(
            entryServerID: ownServerID, plate: Plate(canonical: "BA1PA1234"), vehicleType: .motorcycle,
            entryTime: minute(0), expectedExitBy: minute(270), resolvedAt: nil)
        for _ in 0..<2 { try test.store.reconciliation.take([alert], at: minute(300)) }
        #expect(try test.store.alerts.list().map(\.alert.entryClientID) == [ownID])
        alert.resolvedAt = minute(301)
        try test.store.reconciliation.take([alert], at: minute(302))
        #expect(try test.store.alerts.list().isEmpty)
    }
}
