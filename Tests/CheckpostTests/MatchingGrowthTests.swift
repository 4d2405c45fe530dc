import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Appliance

/// Matching looks at what is new, in bounded steps, and finds what a comparison of everything would find.
@Suite("Matching", .timeLimit(.minutes(15)))
struct MatchingGrowthTests {
    private let folder: TemporaryFolder
    private let start = Instant(milliseconds: 1_795_255_200_000)

    init() throws { folder = try TemporaryFolder() }

    private func store() throws -> Store { try Store(path: folder["checkpost.sqlite"].path) }

    private func matching(_ store: Store) -> MatchingService {
        MatchingService(store: store, configuration: .pilot)
    }

    private func own(_ plate: String, _ minutes: Double) -> Passage {
        Passage(
            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car,
            checkpostCode: Configuration.pilot.post.code, recordedAt: start + .minutes(minutes),
            clockState: .synchronised, confidence: 0.9, origin: .camera, photoSHA256: nil)
    }

    private func remote(_ plate: String, _ minutes: Double) -> MatchablePassage {
        MatchablePassage(
            clientID: UUID(), plate: Plate(canonical: plate), vehicleType: .car, checkpostCode: "OTHER",
            recordedAt: start + .minutes(minutes), clockState: .synchronised)
    }

    private func know(_ store: Store, upTo minutes: Double) throws {
        let time = start + .minutes(minutes)
        try store.cursors.set(SyncCursor(name: SyncCursor.otherPostKnownUpTo, value: time.milliseconds), at: time)
    }

    @Test func `finds a counterpart that comes before or after, once, and asks no more`() throws {
        let store = try store()
        let passages = (0..<30).map { own("BA 1 PA \(1000 + $0)", Double($0)) }
        for passage in passages { try store.passages.record(passage, at: start) }
        let first = try matching(store).round(at: start)
        #expect(first.violations.isEmpty)
        #expect(try store.matches.work(limit: 1).isEmpty)
        let remotes = (0..<30).map { remote("BA 1 PA \(1000 + $0)", Double($0) + 30) }
        try store.otherPost.upsert(remotes, at: start)
        #expect(try matching(store).catchUp(at: start).violations.count == 30)
        #expect(try store.passages.list(PassageFilter(isMatched: false)).isEmpty)
        #expect(try matching(store).round(at: start).violations.isEmpty)
    }

    @Test func `of a pair that both posts judged at once ends with one plate`() throws {
        let store = try store()
        let (entry, exit) = (own("BA 1 PA 1234", 0), remote("BA 1 PA 1235", 60))
        try store.passages.record(entry, at: start)
        try store.otherPost.upsert([exit], at: start)
        try matching(store).catchUp(at: start)
        #expect(try store.matches.possible().count == 1)
        // The ranger here says that the other post read it right, and the one there that this post did.
        try store.passages.correct(
            clientID: entry.clientID, to: exit.plate, reason: "one vehicle", by: "hari", at: start)
        try matching(store).catchUp(at: start)
        #expect(try store.passages.passage(clientID: entry.clientID)?.isMatched == true)
        var changed = exit
        changed.plate = entry.plate
        try store.otherPost.upsert([changed], at: start)
        try matching(store).catchUp(at: start)
        let stored = try #require(try store.passages.passage(clientID: entry.clientID))
        #expect(stored.passage.plate == entry.plate)
        #expect(stored.isMatched)
        #expect(try store.matches.possible().isEmpty)
        #expect(try store.passages.corrections(ofPassage: entry.clientID).last?.reason.contains("OTHER holds") == true)
    }

    @Test func `keeps a correction to a plate that looks alike, where both posts had read the same`() throws {
        let store = try store()
        let (entry, exit) = (own("BA 1 PA 1234", 0), remote("BA 1 PA 1234", 60))
        try store.passages.record(entry, at: start)
        try store.otherPost.upsert([exit], at: start)
        try matching(store).catchUp(at: start)
        #expect(try store.passages.passage(clientID: entry.clientID)?.isMatched == true)
        let later = start + .minutes(2)
        let corrected = Plate(canonical: "BA 1 PA 1235")
        try store.passages.correct(
            clientID: entry.clientID, to: corrected, reason: "misread", by: "hari", at: later)
        try matching(store).catchUp(at: later)
        let stored = try #require(try store.passages.passage(clientID: entry.clientID))
        #expect(stored.passage.plate == corrected && !stored.isMatched && stored.violation == nil)
        #expect(try store.passages.corrections(ofPassage: entry.clientID).count == 1)
        // A ranger may still say that the two are one vehicle.
        #expect(try store.matches.possible().count == 1)
    }

    /// As a failing card leaves them: what stands there is read, and means nothing.
    @Test func `goes on beside rows that make no sense, of either post, new or old`() throws {
        let store = try store()
        let (first, last) = (own("BA 1 PA 1000", 0), own("BA 1 PA 1002", 2))
        for passage in [first, own("BA 1 PA 1001", 1), last] { try store.passages.record(passage, at: start) }
        try store.otherPost.upsert(
            [remote("BA 1 PA 1000", 29), remote("BA 1 PA 1000", 30), remote("BA 1 PA 1002", 32)], at: start)
        let script = """
            import sqlite3, sys
            c = sqlite3.connect(sys.argv[1], timeout=30)
            c.execute('pragma foreign_keys = off')
            no = 'z' * 36
            c.execute("update passages set client_id = ? where plate = 'BA 1 PA 1001'", (no,))
            c.execute("update match_work set client_id = ? where side = 'own' and id = 2", (no,))
            c.execute('pragma ignore_check_constraints = on')
            c.execute("update remote_passages set vehicle_type = 'ox cart' where recorded_at = ?", (int(sys.argv[2]),))
            c.commit()
            """
        let damaged = (start + .minutes(29)).milliseconds
        let done = try OtherProgram.runAndWait(
            "/usr/bin/env", ["python3", "-c", script, folder["checkpost.sqlite"].path, "\(damaged)"], limitSeconds: 60)
        try #require(done.status == 0, "\(done.output)")
        try know(store, upTo: 600)
        var findings = MatchingService.Findings(hasMore: true)
        for _ in 0..<9 where findings.hasMore { findings = try matching(store).round(at: start + .minutes(600)) }
        #expect(!findings.hasMore)
        #expect(try store.matches.work(limit: 9).isEmpty)
        for id in [first.clientID, last.clientID] {
            #expect(try store.passages.passage(clientID: id)?.isMatched == true)
        }
        // The walk through the entries passes it as well: what comes behind it gets its alert.
        try store.passages.record(own("BA 1 PA 1003", 3), at: start)
        _ = try matching(store).catchUp(at: start + .minutes(600))
        _ = try matching(store).overstayRound(at: start + .minutes(600))
        #expect(try store.alerts.list(now: start + .minutes(600)).map(\.alert.plate.canonical) == ["BA 1 PA 1003"])
    }

    @Test func `takes a bounded part of a long list in each round, and says that there is more`() throws {
        let store = try store()
        try store.otherPost.upsert((0..<50).map { remote("BA 1 PA \(1000 + $0)", 30) }, at: start)
        for number in 0..<50 { try store.passages.record(own("BA 1 PA \(1000 + number)", 0), at: start) }
        var rounds = 0
        var found = 0
        var hasMore = true
        while hasMore, rounds < 50 {
            let findings = try matching(store).round(at: start, limit: 20)
            #expect(findings.violations.count <= 20)
            found += findings.violations.count
            hasMore = findings.hasMore
            rounds += 1
        }
        #expect(found == 50)
        #expect(rounds > 4)
    }

    @Test func `keeps plates that look alike for the ranger`() throws {
        let store = try store()
        try store.passages.record(own("BA 1 PA 1234", 0), at: start)
        try store.otherPost.upsert([remote("BA 1 PHA 1234", 30)], at: start)
        #expect(try matching(store).catchUp(at: start).violations.isEmpty)
        #expect(try store.matches.possible().count == 1)
    }

    @Test func `looks at everything again when the window grows`() throws {
        let store = try store()
        try store.passages.record(own("BA 1 PA 1234", 0), at: start)
        try store.otherPost.upsert([remote("BA 1 PA 1234", 30 * 60)], at: start)
        #expect(try matching(store).catchUp(at: start).violations.isEmpty)
        var configuration = Configuration.pilot
        configuration.matcher = PassageMatcher(window: .hours(48))
        let wider = MatchingService(store: store, configuration: configuration)
        #expect(try wider.catchUp(at: start).violations.count == 1)
    }

    // MARK: Overstays

    @Test func `judges each entry once when its time is over, and again when it loses its match`() throws {
        let store = try store()
        let passage = own("BA 1 PA 1234", 0)
        let other = remote("BA 1 PA 1234", 100)
        try store.passages.record(passage, at: start)
        try store.otherPost.upsert([other], at: start)
        try matching(store).catchUp(at: start)
        try know(store, upTo: 600)
        let later = start + .minutes(601)
        #expect(try matching(store).round(at: later).alerts.isEmpty)
        try store.otherPost.withdraw([other.clientID], at: later)
        #expect(try matching(store).round(at: later).alerts.map(\.entryClientID) == [passage.clientID])
        #expect(try matching(store).round(at: later).alerts.isEmpty)
    }

    @Test func `judges an entry that came late into the record`() throws {
        let store = try store()
        try store.passages.record(own("BA 1 PA 1", 300), at: start)
        try know(store, upTo: 900)
        let later = start + .minutes(901)
        #expect(try matching(store).overstayRound(at: later).count == 1)
        let late = own("BA 1 PA 2", 0)
        try store.passages.record(late, at: later)
        #expect(try matching(store).round(at: later).alerts.map(\.entryClientID) == [late.clientID])
    }

    @Test func `goes through a long silence of the other post in steps`() throws {
        let store = try store()
        for number in 0..<45 { try store.passages.record(own("BA 1 PA \(1000 + number)", Double(number)), at: start) }
        let later = start + .hours(100)
        #expect(try matching(store).round(at: later, limit: 20).alerts.isEmpty)
        try know(store, upTo: 6000)
        var alerts = 0
        for _ in 0..<9 { alerts += try matching(store).round(at: later, limit: 20).alerts.count }
        #expect(alerts == 45)
    }
}
