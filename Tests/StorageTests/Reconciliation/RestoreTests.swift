import Enforcement
import Foundation
import ParkAPI
import Testing

@testable import Storage

@Suite("Passages that come back from the server", .timeLimit(.minutes(10)))
struct RestoreTests {
    private func restored(_ passage: Passage, sms: UUID? = nil) -> RestoredPassage {
        RestoredPassage(passage: passage, serverID: UUID(), smsClientID: sms, photoPath: "passage-photos/x.jpg")
    }

    @Test func `are on record and at the server, once`() throws {
        let test = try TestStore()
        let back = restored(samplePassage(at: 5), sms: UUID())
        #expect(try test.store.passages.unknown(among: [back.passage.clientID]) == [back.passage.clientID])
        #expect(try test.store.reconciliation.restore([back]) == 1)
        #expect(try test.store.reconciliation.restore([back]) == 0)
        #expect(try test.store.passages.unknown(among: [back.passage.clientID]).isEmpty)
        let stored = try #require(try test.store.passages.passage(clientID: back.passage.clientID))
        #expect(stored.passage == back.passage)
        #expect(stored.serverID == back.serverID && stored.photoPath == back.photoPath)
        #expect(try test.store.queue.counts()[.synced] == 1)
        #expect(try test.store.queue.waiting(limit: 10).isEmpty)
        #expect(try test.store.messages.waiting().isEmpty)
        #expect(try test.store.photos.dueUploads(limit: 10).isEmpty)
    }

    @Test func `take corrections, which are sent`() throws {
        let test = try TestStore()
        let back = restored(samplePassage())
        try test.store.reconciliation.restore([back])
        try test.store.passages.withdraw(clientID: back.passage.clientID, reason: "none", by: "Hari", at: minute(9))
        #expect(try test.store.queue.waiting(limit: 10).map(\.entity) == [.correction])
    }

    /// The server knows it as the text alone: by the id that follows from the text.
    @Test func `are not those whose SMS came before the upload`() throws {
        let test = try TestStore()
        let passage = samplePassage()
        try test.store.passages.record(passage, at: minute(0))
        let entry = try #require(try test.store.queue.entries().first).id
        let text = "V1|BNP-A|BA1PA1234|MCY|1795255200|4321"
        let handOver = try test.store.messages.beginSending(entry: entry, to: "+977981", at: minute(6)) { _ in text }
        guard case .begun = handOver else { throw StoreError(.other, "not begun") }
        let smsID = SMSEncoder.clientID(of: text)
        #expect(try test.store.passages.unknown(among: [smsID]).isEmpty)
        var twin = restored(samplePassage(clientID: UUID()), sms: smsID)
        #expect(try test.store.reconciliation.restore([twin]) == 0)
        twin.smsClientID = nil
        #expect(try test.store.reconciliation.restore([twin]) == 0)
        #expect(try test.store.passages.list().map(\.id) == [twin.passage.clientID])
    }

    @Test func `are not recorded once more from the same picture`() throws {
        let test = try TestStore()
        let back = restored(samplePassage())
        try test.store.reconciliation.restore([back])
        var commit = FrameCommit(camera: "gate", takenKey: "frame-1.jpg", photos: [samplePhoto(1)], at: minute(1))
        commit.recordings = [
            .init(passage: samplePassage(photoSHA256: sampleHash(1)), sighting: sampleSighting(1)),
            .init(passage: samplePassage("BA 2 PA 2"), sighting: nil),
            .init(passage: samplePassage(at: 0.1), sighting: nil),
        ]
        let recorded = try test.store.frames.commit(commit)
        #expect(recorded.map(\.plate.canonical) == ["BA 2 PA 2", "BA 1 PA 1234"])
        #expect(try test.store.passages.list().count == 3)
        #expect(try test.store.sightings.sighting(id: "gate/1")?.passageClientID == back.passage.clientID)
        #expect(try test.store.frames.isTaken(camera: "gate", key: "frame-1.jpg"))
    }

    @Test func `take the place of what was recorded once more before they came, with all that refers to it`() throws {
        let test = try TestStore()
        let mine = samplePassage(photoSHA256: sampleHash(1))
        var commit = FrameCommit(camera: "gate", photos: [samplePhoto(1)], at: minute(1))
        commit.recordings = [.init(passage: mine, sighting: sampleSighting(1))]
        try test.store.frames.commit(commit)
        try test.store.passages.correct(
            clientID: mine.clientID, to: Plate(canonical: "BA 1 PA 1239"), reason: "misread", by: "Hari", at: minute(2))
        let back = restored(samplePassage("BA 1 PA 1239"))
        #expect(try test.store.reconciliation.restore([back]) == 0)
        let stored = try #require(try test.store.passages.list().first)
        #expect(try test.store.passages.list().count == 1)
        #expect(stored.id == back.passage.clientID && stored.serverID == back.serverID)
        #expect(stored.queueStatus == .synced && stored.passage.photoSHA256 == sampleHash(1))
        #expect(try test.store.sightings.sighting(id: "gate/1")?.passageClientID == back.passage.clientID)
        #expect(try test.store.passages.corrections(ofPassage: back.passage.clientID).count == 1)
        #expect(try test.store.queue.waiting(limit: 10).map(\.entity) == [.correction])
        // The server has the photo already.
        #expect(try test.store.photos.dueUploads(limit: 10).isEmpty)
        #expect(try test.store.passages.unknown(among: [back.passage.clientID]).isEmpty)
        #expect(try test.store.reconciliation.restore([back]) == 0)
    }
}

@Suite("Outcomes that the server holds", .timeLimit(.minutes(10)))
struct ServerOutcomeTests {
    private let test: TestStore
    private let violation = UUID()
    private let serverID = UUID()
    private var store: Store { test.store }

    init() throws {
        test = try TestStore()
        let (own, remote) = (UUID(), UUID())
        let (ownServer, remoteServer) = (UUID(), UUID())
        try test.store.passages.record(samplePassage(at: 60, clientID: own), at: minute(60))
        try test.store.otherPost.upsert(
            [sampleRemote(at: 0, clientID: remote, serverID: remoteServer)], at: minute(61))
        try test.store.reconciliation.learn(
            [OwnServerRow(clientID: own, serverID: ownServer, matchedServerID: remoteServer)], at: minute(61))
        try test.store.reconciliation.take(
            [
                ServerViolation(
                    serverID: serverID, kind: .speeding, entryServerID: remoteServer, exitServerID: ownServer,
                    plate: Plate(canonical: "BA 1 PA 1234"), vehicleType: .car, entryTime: minute(0),
                    exitTime: minute(60), distanceKm: 45, speedLimitKmh: 40, calculatedSpeedKmh: 45,
                    isImplausible: false)
            ], at: minute(62))
    }

    private func told(_ kind: Outcome.Kind, fine: Double? = nil, notes: String? = nil) -> ServerOutcome {
        ServerOutcome(
            violationServerID: serverID,
            outcome: Outcome(kind: kind, fineAmount: fine, notes: notes, recordedBy: "Gita", recordedAt: minute(70)))
    }

    private var current: Outcome? { get throws { try store.violations.list().first?.outcome } }

    @Test func `hold here, once, with what held before as history`() throws {
        let cursor = SyncCursor(name: "outcomes", value: 5)
        #expect(try store.reconciliation.take([told(.fined, fine: 100)], cursor: cursor, at: minute(71)) == 1)
        #expect(try store.reconciliation.take([told(.fined, fine: 100.001, notes: "")], at: minute(72)) == 0)
        #expect(try current?.kind == .fined)
        #expect(try store.cursors.value("outcomes") == 5)
        #expect(try store.reconciliation.take([told(.letGo)], at: minute(73)) == 1)
        let id = try #require(try store.violations.list().first).id
        #expect(try store.violations.outcomes(ofViolation: id).map(\.kind) == [.letGo, .fined])
        #expect(try store.queue.waiting(limit: 5).allSatisfy { $0.entity == .passage })
    }

    @Test func `don't overwrite one that still has to be sent`() throws {
        let id = try #require(try store.violations.list().first).id
        try store.violations.record(Outcome(kind: .warned, recordedBy: "Hari", recordedAt: minute(65)), ofViolation: id)
        #expect(try store.reconciliation.take([told(.fined)], at: minute(71)) == 0)
        #expect(try current?.recordedBy == "Hari")
        var entry = try #require(try store.queue.entries().first { $0.entity == .outcome })
        // It gives way itself.
        #expect(try store.reconciliation.take([told(.fined)], over: entry.id, at: minute(72)) == 1)
        #expect(try current?.recordedBy == "Gita")
        // And one that the server refused doesn't stand in the way.
        (entry.status, entry.isRefused) = (.failed, true)
        try store.queue.update([entry])
        #expect(try store.reconciliation.take([told(.other)], at: minute(73)) == 1)
    }

    @Test func `without a name leave the name that is known`() throws {
        let id = try #require(try store.violations.list().first).id
        try store.violations.record(Outcome(kind: .warned, recordedBy: "Hari", recordedAt: minute(65)), ofViolation: id)
        var entries = try store.queue.entries()
        for index in entries.indices { entries[index].status = .synced }
        try store.queue.update(entries)
        var nameless = told(.warned)
        (nameless.isNamed, nameless.outcome.recordedBy) = (false, "the park's server")
        #expect(try store.reconciliation.take([nameless], at: minute(71)) == 0)
        nameless.outcome.kind = .fined
        #expect(try store.reconciliation.take([nameless], at: minute(72)) == 1)
    }

    @Test func `are left out when their violation is not here`() throws {
        var foreign = told(.fined)
        foreign.violationServerID = UUID()
        #expect(try store.reconciliation.take([foreign], at: minute(71)) == 0)
        #expect(try current == nil)
    }
}
