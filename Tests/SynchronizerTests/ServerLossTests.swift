import Enforcement
import Foundation
import ParkAPI
import Storage
import Testing

@testable import Synchronizer

@Suite("What the server lost", .timeLimit(.minutes(10)))
struct ServerLossTests {
    @Test func `is noticed at once by its lower numbers, and sent again in order, with an alarm`() throws {
        let rig = try Rig()
        rig.server.keepsChanges = true
        let early = try rig.record("BA 1 PA 1")
        try rig.run(for: .minutes(1))
        let backup = rig.server.backup
        try rig.store.passages.correct(
            clientID: early.clientID, to: Plate(canonical: "BA 1 PA 11"), reason: "misread", by: "hari",
            at: rig.clock.now)
        let lost = try (2...5).map { try rig.record("BA 1 PA \($0)").plate.compact }
        try rig.run(for: .minutes(1))
        #expect(rig.serverPlates.sorted() == (["BA1PA11"] + lost).sorted())
        rig.server.restore(backup)
        #expect(rig.serverPlates == ["BA1PA1"])
        try rig.run(for: .minutes(6))
        #expect(rig.serverPlates == ["BA1PA11"] + lost)
        #expect(try rig.store.passages.passage(clientID: early.clientID)?.passage.plate.compact == "BA1PA11")
        #expect(try rig.store.queue.counts()[.pending] == 0)
        let alarm = try #require(try rig.store.alarms.list().first { $0.key == "sync.lost" })
        #expect(alarm.message.contains("5 records"))
        #expect(try rig.store.comparisons.days().map(\.sentAgain) == [5])
        // What was sent once is not told by SMS for it.
        #expect(try rig.store.messages.waiting().isEmpty)
    }

    @Test func `is noticed when others have passed the old numbers since`() throws {
        let rig = try Rig()
        rig.server.keepsChanges = true
        let passage = try rig.record("BA 1 PA 1")
        try rig.run(for: .minutes(1))
        let backup = rig.server.backup
        try rig.store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 11"), reason: "misread", by: "hari",
            at: rig.clock.now)
        try rig.run(for: .minutes(1))
        #expect(rig.serverPlates == ["BA1PA11"])
        rig.server.restore(backup)
        for number in 0..<20 { rig.server.insertRemote("BA2PA\(number)", at: "2026-11-21T09:30:00.000Z") }
        try rig.run(for: .minutes(3))
        #expect(try rig.store.passages.passage(clientID: passage.clientID)?.passage.plate.compact == "BA1PA11")
        #expect(rig.serverPlates.first == "BA1PA11")
    }

    @Test func `is noticed though it was lost before this post had read it back`() throws {
        let rig = try Rig()
        rig.server.keepsChanges = true
        let passage = try rig.record("BA 1 PA 1")
        try rig.run(for: .minutes(1))
        let backup = rig.server.backup
        try rig.store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 11"), reason: "misread", by: "hari",
            at: rig.clock.now)
        // The correction is taken, and the link breaks before anything is read.
        rig.server.fail("/rest/v1/", .drop, times: 20)
        for _ in 0..<60 where try rig.count(.pending) + rig.count(.inFlight) > 0 { try rig.run() }
        #expect(rig.serverPlates == ["BA1PA11"])
        rig.server.restore(backup)
        let row = try #require(rig.server.rows("vehicle_passages").first?["id"] as? String)
        // News of the row with the old plate, under a number that this post has not seen.
        for _ in 0..<20 { rig.server.change("vehicle_passages", id: row, ["vehicle_type": "jeep_suv"]) }
        try rig.run(for: .minutes(10))
        #expect(try rig.store.passages.passage(clientID: passage.clientID)?.passage.plate.compact == "BA1PA11")
        #expect(rig.serverPlates == ["BA1PA11"])
        #expect(try rig.store.runs.list(limit: 1).first?.failure == nil)
    }

    @Test func `is noticed though it has taken another correction since, and nothing was read in between`() throws {
        let rig = try Rig()
        rig.server.keepsChanges = true
        let (first, second) = (try rig.record("BA 1 PA 1"), try rig.record("BA 2 PA 2"))
        try rig.run(for: .minutes(1))
        let backup = rig.server.backup
        func correct(_ passage: Passage, to plate: String) throws {
            try rig.store.passages.correct(
                clientID: passage.clientID, to: Plate(canonical: plate), reason: "misread", by: "hari",
                at: rig.clock.now)
            rig.server.fail("/rest/v1/passage_changes", .drop, times: 3)
            for _ in 0..<60 where try rig.count(.pending) + rig.count(.inFlight) > 0 { try rig.run() }
        }
        try correct(first, to: "BA 1 PA 11")
        #expect(rig.serverPlates == ["BA1PA11", "BA2PA2"])
        rig.server.restore(backup)
        try correct(second, to: "BA 2 PA 22")
        #expect(rig.serverPlates == ["BA1PA1", "BA2PA22"])
        let row = try #require(rig.server.rows("vehicle_passages").first?["id"] as? String)
        for _ in 0..<20 { rig.server.change("vehicle_passages", id: row, ["vehicle_type": "jeep_suv"]) }
        try rig.run(for: .minutes(10))
        #expect(try rig.store.passages.passage(clientID: first.clientID)?.passage.plate.compact == "BA1PA11")
        #expect(rig.serverPlates.sorted() == ["BA1PA11", "BA2PA22"])
    }

    /// A passage whose text alone was in the backup.
    private func told(_ rig: Rig, _ plate: String) throws -> (Passage, ParkServer.Backup) {
        rig.server.keepsChanges = true
        let passage = try rig.record(plate)
        let entry = try #require(try rig.store.queue.entries(limit: 10).last)
        let prepared = try rig.store.messages.beginSending(entry: entry.id, to: "+9779800000001", at: rig.clock.now) {
            (passage: Passage) throws(SMSFormatError) in
            try SMSEncoder.encode(
                SMSPassage(
                    checkpostCode: "BNP-A", compactPlate: passage.plate.compact, vehicleType: passage.vehicleType,
                    recordedAt: passage.recordedAt, rangerPhoneSuffix: SMSPassage.missingPhoneSuffix))
        }
        guard case .begun(let message, let text) = prepared else { throw CycleEnd("no text: \(prepared)") }
        try rig.store.messages.settle(
            message: message, MessageSettlement(state: .sent, lostAnswers: 0), at: rig.clock.now)
        rig.server.take(text: text)
        return (passage, rig.server.backup)
    }

    @Test func `is corrected again where only the text with the old plate is left`() throws {
        let rig = try Rig()
        let (passage, backup) = try told(rig, "BA 1 PA 1")
        try rig.run(for: .minutes(1))
        try rig.store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 11"), reason: "misread", by: "hari",
            at: rig.clock.now)
        try rig.run(for: .minutes(1))
        #expect(rig.serverPlates == ["BA1PA11"])
        rig.server.restore(backup)
        try rig.run(for: .minutes(3))
        #expect(rig.serverPlates == ["BA1PA11"])
        #expect(try rig.store.passages.passage(clientID: passage.clientID)?.passage.plate.compact == "BA1PA11")
    }

    @Test func `is withdrawn again where its text is back`() throws {
        let rig = try Rig()
        let (passage, backup) = try told(rig, "BA 1 PA 1")
        try rig.run(for: .minutes(1))
        try rig.record("BA 1 PA 2")
        try rig.store.passages.withdraw(clientID: passage.clientID, reason: "a sign", by: "hari", at: rig.clock.now)
        try rig.run(for: .minutes(1))
        #expect(rig.serverPlates == ["BA1PA2"])
        rig.server.restore(backup)
        try rig.run(for: .minutes(3))
        #expect(rig.serverPlates == ["BA1PA2"])
    }

    @Test func `is found within twelve hours where the numbers say nothing`() throws {
        let rig = try Rig { $0.interval = .minutes(10) }
        let plates = try rig.record(count: 250)
        try rig.run(for: .minutes(1))
        rig.server.lock.withLock { rig.server.tables["vehicle_passages"]?.removeFirst(120) }
        try rig.run(for: .hours(11), step: .minutes(5))
        #expect(rig.serverPlates.count == 130)
        try rig.run(for: .minutes(90), step: .minutes(1))
        #expect(rig.serverPlates == Array(plates.dropFirst(120)) + plates.prefix(120))
        #expect(
            try rig.store.comparisons.last()?.sentAgain == 120
                || rig.store.comparisons.days().map(\.sentAgain) == [120])
    }

    @Test func `keeps what was done about a violation`() throws {
        let rig = try Rig()
        let backup = rig.server.backup
        let violation = try rig.violation()
        try rig.store.violations.record(
            Outcome(kind: .fined, fineAmount: 500, recordedBy: "hari", recordedAt: rig.clock.now),
            ofViolation: violation)
        try rig.run(for: .minutes(1))
        let (passages, violations) = (rig.server.rows("vehicle_passages"), rig.server.rows("violations"))
        #expect(rig.server.rows("violation_outcomes").count == 1)
        rig.server.restore(backup)
        try rig.run(for: .minutes(6))
        let own = try #require(rig.server.rows("vehicle_passages").first?["id"] as? String)
        // The other post sends its passage again as well, and the server judges anew.
        var other = try #require(passages.first { $0["checkpost_id"] as? String == ParkServer.postB })
        other["id"] = UUID().uuidString.lowercased()
        other["matched_passage_id"] = NSNull()
        let partner = rig.server.insert("vehicle_passages", other)
        rig.server.link(own, partner)
        var judged = try #require(violations.first)
        judged["id"] = UUID().uuidString.lowercased()
        (judged["entry_passage_id"], judged["exit_passage_id"]) = (partner, own)
        rig.server.insert("violations", judged)
        try rig.run(for: .minutes(2))
        #expect(rig.server.texts("violation_outcomes", "outcome_type") == ["fined"])
        #expect(rig.server.texts("violation_outcomes", "violation_id") == [judged["id"] as? String])
        #expect(try rig.store.violations.list().map(\.outcome?.kind) == [.fined])
    }

    @Test func `isn't looked for at a server without the function, and that is said`() throws {
        let rig = try Rig()
        rig.server.comparesDays = false
        _ = try rig.record("BA 1 PA 1")
        try rig.run(for: .minutes(1))
        #expect(try rig.store.comparisons.last()?.message?.contains("no function passage_days") == true)
        let asked = rig.server.requests("POST", "/rest/v1/rpc/passage_days").count
        try rig.run(for: .minutes(5), step: .seconds(10))
        #expect(rig.server.requests("POST", "/rest/v1/rpc/passage_days").count == asked)
    }

    @Test func `isn't everything because the account is switched off`() throws {
        let rig = try Rig()
        _ = try rig.record("BA 1 PA 1")
        try rig.run(for: .minutes(1))
        rig.server.setActive(false)
        rig.server.lock.withLock { rig.server.tables["vehicle_passages"] = [] }
        try rig.store.cursors.set(SyncCursor(name: SyncCursor.comparisonRequested, value: 1), at: rig.clock.now)
        try rig.run(for: .minutes(2))
        #expect(try rig.count(.synced) == 1)
    }
}
