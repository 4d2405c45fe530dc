import Enforcement
import Foundation
import ParkAPI
import Storage
import Testing

@testable import Synchronizer

@Suite("What the server lost", .timeLimit(.minutes(10)))
struct ServerLossTests {
    @Test func `is noticed at once by its lower numbers, and sent again in order, with an alarm`() throws {
        let bench = try Bench()
        bench.server.keepsChanges = true
        let early = try bench.record("BA 1 PA 1")
        try bench.run(for: .minutes(1))
        let backup = bench.server.backup
        try bench.store.passages.correct(
            clientID: early.clientID, to: Plate(canonical: "BA 1 PA 11"), reason: "misread", by: "hari",
            at: bench.clock.now)
        let lost = try (2...5).map { try bench.record("BA 1 PA \($0)").plate.compact }
        try bench.run(for: .minutes(1))
        #expect(bench.serverPlates.sorted() == (["BA1PA11"] + lost).sorted())
        bench.server.restore(backup)
        #expect(bench.serverPlates == ["BA1PA1"])
        try bench.run(for: .minutes(6))
        #expect(bench.serverPlates == ["BA1PA11"] + lost)
        #expect(try bench.store.passages.passage(clientID: early.clientID)?.passage.plate.compact == "BA1PA11")
        #expect(try bench.store.queue.counts()[.pending] == 0)
        let alarm = try #require(try bench.store.alarms.list().first { $0.key == "sync.lost" })
        #expect(alarm.message.contains("5 records"))
        #expect(try bench.store.comparisons.days().map(\.sentAgain) == [5])
        // What was sent once is not told by SMS for it.
        #expect(try bench.store.messages.waiting().isEmpty)
    }

    @Test func `is noticed when others have passed the old numbers since`() throws {
        let bench = try Bench()
        bench.server.keepsChanges = true
        let passage = try bench.record("BA 1 PA 1")
        try bench.run(for: .minutes(1))
        let backup = bench.server.backup
        try bench.store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 11"), reason: "misread", by: "hari",
            at: bench.clock.now)
        try bench.run(for: .minutes(1))
        #expect(bench.serverPlates == ["BA1PA11"])
        bench.server.restore(backup)
        for number in 0..<20 { bench.server.insertRemote("BA2PA\(number)", at: "2026-11-21T09:30:00.000Z") }
        try bench.run(for: .minutes(3))
        #expect(try bench.store.passages.passage(clientID: passage.clientID)?.passage.plate.compact == "BA1PA11")
        #expect(bench.serverPlates.first == "BA1PA11")
    }

    @Test func `is noticed though it was lost before this post had read it back`() throws {
        let bench = try Bench()
        bench.server.keepsChanges = true
        let passage = try bench.record("BA 1 PA 1")
        try bench.run(for: .minutes(1))
        let backup = bench.server.backup
        try bench.store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 11"), reason: "misread", by: "hari",
            at: bench.clock.now)
        // The correction is taken, and the link breaks before anything is read.
        bench.server.fail("/rest/v1/", .drop, times: 20)
        for _ in 0..<60 where try bench.count(.pending) + bench.count(.inFlight) > 0 { try bench.run() }
        #expect(bench.serverPlates == ["BA1PA11"])
        bench.server.restore(backup)
        let row = try #require(bench.server.rows("vehicle_passages").first?["id"] as? String)
        // News of the row with the old plate, under a number that this post has not seen.
        for _ in 0..<20 { bench.server.change("vehicle_passages", id: row, ["vehicle_type": "jeep_suv"]) }
        try bench.run(for: .minutes(10))
        #expect(try bench.store.passages.passage(clientID: passage.clientID)?.passage.plate.compact == "BA1PA11")
        #expect(bench.serverPlates == ["BA1PA11"])
        #expect(try bench.store.runs.list(limit: 1).first?.failure == nil)
    }

    @Test func `is noticed though it has taken another correction since, and nothing was read in between`() throws {
        let bench = try Bench()
        bench.server.keepsChanges = true
        let (first, second) = (try bench.record("BA 1 PA 1"), try bench.record("BA 2 PA 2"))
        try bench.run(for: .minutes(1))
        let backup = bench.server.backup
        func correct(_ passage: Passage, to plate: String) throws {
            try bench.store.passages.correct(
                clientID: passage.clientID, to: Plate(canonical: plate), reason: "misread", by: "hari",
                at: bench.clock.now)
            bench.server.fail("/rest/v1/", .drop, times: 20)
            for _ in 0..<60 where try bench.count(.pending) + bench.count(.inFlight) > 0 { try bench.run() }
        }
        try correct(first, to: "BA 1 PA 11")
        #expect(bench.serverPlates == ["BA1PA11", "BA2PA2"])
        bench.server.restore(backup)
        try correct(second, to: "BA 2 PA 22")
        #expect(bench.serverPlates == ["BA1PA1", "BA2PA22"])
        let row = try #require(bench.server.rows("vehicle_passages").first?["id"] as? String)
        for _ in 0..<20 { bench.server.change("vehicle_passages", id: row, ["vehicle_type": "jeep_suv"]) }
        try bench.run(for: .minutes(10))
        #expect(try bench.store.passages.passage(clientID: first.clientID)?.passage.plate.compact == "BA1PA11")
        #expect(bench.serverPlates.sorted() == ["BA1PA11", "BA2PA22"])
    }

    /// A passage whose text alone was in the backup.
    private func told(_ bench: Bench, _ plate: String) throws -> (Passage, ParkServer.Backup) {
        bench.server.keepsChanges = true
        let passage = try bench.record(plate)
        let entry = try #require(try bench.store.queue.entries(limit: 10).last)
        let prepared = try bench.store.messages.beginSending(entry: entry.id, to: "+9779800000001", at: bench.clock.now)
        {
            (passage: Passage) throws(SMSFormatError) in
            try SMSEncoder.encode(
                SMSPassage(
                    checkpostCode: "BNP-A", compactPlate: passage.plate.compact, vehicleType: passage.vehicleType,
                    recordedAt: passage.recordedAt, rangerPhoneSuffix: SMSPassage.missingPhoneSuffix))
        }
        guard case .begun(let message, let text) = prepared else { throw CycleEnd("no text: \(prepared)") }
        try bench.store.messages.settle(
            message: message, MessageSettlement(state: .sent, lostAnswers: 0), at: bench.clock.now)
        bench.server.take(text: text)
        return (passage, bench.server.backup)
    }

    @Test func `is corrected again where only the text with the old plate is left`() throws {
        let bench = try Bench()
        let (passage, backup) = try told(bench, "BA 1 PA 1")
        try bench.run(for: .minutes(1))
        try bench.store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 11"), reason: "misread", by: "hari",
            at: bench.clock.now)
        try bench.run(for: .minutes(1))
        #expect(bench.serverPlates == ["BA1PA11"])
        bench.server.restore(backup)
        try bench.run(for: .minutes(3))
        #expect(bench.serverPlates == ["BA1PA11"])
        #expect(try bench.store.passages.passage(clientID: passage.clientID)?.passage.plate.compact == "BA1PA11")
    }

    @Test func `is withdrawn again where its text is back`() throws {
        let bench = try Bench()
        let (passage, backup) = try told(bench, "BA 1 PA 1")
        try bench.run(for: .minutes(1))
        try bench.record("BA 1 PA 2")
        try bench.store.passages.withdraw(clientID: passage.clientID, reason: "a sign", by: "hari", at: bench.clock.now)
        try bench.run(for: .minutes(1))
        #expect(bench.serverPlates == ["BA1PA2"])
        bench.server.restore(backup)
        try bench.run(for: .minutes(3))
        #expect(bench.serverPlates == ["BA1PA2"])
    }

    @Test func `is found within twelve hours where the numbers say nothing`() throws {
        let bench = try Bench { $0.interval = .minutes(10) }
        let plates = try bench.record(count: 250)
        try bench.run(for: .minutes(1))
        bench.server.lock.withLock { bench.server.tables["vehicle_passages"]?.removeFirst(120) }
        try bench.run(for: .hours(11), step: .minutes(5))
        #expect(bench.serverPlates.count == 130)
        try bench.run(for: .minutes(90), step: .minutes(1))
        #expect(bench.serverPlates == Array(plates.dropFirst(120)) + plates.prefix(120))
        #expect(
            try bench.store.comparisons.last()?.sentAgain == 120
                || bench.store.comparisons.days().map(\.sentAgain) == [120])
    }

    @Test func `keeps what was done about a violation`() throws {
        let bench = try Bench()
        let backup = bench.server.backup
        let violation = try bench.violation()
        try bench.store.violations.record(
            Outcome(kind: .fined, fineAmount: 500, recordedBy: "hari", recordedAt: bench.clock.now),
            ofViolation: violation)
        try bench.run(for: .minutes(1))
        let (passages, violations) = (bench.server.rows("vehicle_passages"), bench.server.rows("violations"))
        #expect(bench.server.rows("violation_outcomes").count == 1)
        bench.server.restore(backup)
        try bench.run(for: .minutes(6))
        let own = try #require(bench.server.rows("vehicle_passages").first?["id"] as? String)
        // The other post sends its passage again as well, and the server judges anew.
        var other = try #require(passages.first { $0["checkpost_id"] as? String == ParkServer.postB })
        other["id"] = UUID().uuidString.lowercased()
        other["matched_passage_id"] = NSNull()
        let partner = bench.server.insert("vehicle_passages", other)
        bench.server.link(own, partner)
        var judged = try #require(violations.first)
        judged["id"] = UUID().uuidString.lowercased()
        (judged["entry_passage_id"], judged["exit_passage_id"]) = (partner, own)
        bench.server.insert("violations", judged)
        try bench.run(for: .minutes(2))
        #expect(bench.server.texts("violation_outcomes", "outcome_type") == ["fined"])
        #expect(bench.server.texts("violation_outcomes", "violation_id") == [judged["id"] as? String])
        #expect(try bench.store.violations.list().map(\.outcome?.kind) == [.fined])
    }

    @Test func `isn't looked for at a server without the function, and that is said`() throws {
        let bench = try Bench()
        bench.server.comparesDays = false
        _ = try bench.record("BA 1 PA 1")
        try bench.run(for: .minutes(1))
        #expect(try bench.store.comparisons.last()?.message?.contains("no function passage_days") == true)
        let asked = bench.server.requests("POST", "/rest/v1/rpc/passage_days").count
        try bench.run(for: .minutes(5), step: .seconds(10))
        #expect(bench.server.requests("POST", "/rest/v1/rpc/passage_days").count == asked)
    }

    @Test func `isn't everything because the account is switched off`() throws {
        let bench = try Bench()
        _ = try bench.record("BA 1 PA 1")
        try bench.run(for: .minutes(1))
        bench.server.setActive(false)
        bench.server.lock.withLock { bench.server.tables["vehicle_passages"] = [] }
        try bench.store.cursors.set(SyncCursor(name: SyncCursor.comparisonRequested, value: 1), at: bench.clock.now)
        try bench.run(for: .minutes(2))
        #expect(try bench.count(.synced) == 1)
    }
}
