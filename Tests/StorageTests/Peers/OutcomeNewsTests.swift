import Enforcement
import Foundation
import GRDB
import Testing

@testable import Storage

/// Two posts that both found the violation of a vehicle: A by its own passage and B's, B the other way round.
@Suite("What was done about a violation, told to the other post", .timeLimit(.minutes(10)))
struct OutcomeNewsTests {
    private let a: TestStore
    private let b: TestStore
    private let entry = samplePassage(at: 0)
    private let exit = sampleRemote(at: 20)

    init() throws {
        (a, b) = (try TestStore(), try TestStore())
        try a.store.passages.record(entry, at: minute(0))
        try a.store.otherPost.upsert([exit], at: minute(21))
    }

    private func found(_ test: TestStore) throws -> UUID { try judged(entry, exit, in: test) }

    private func judged(_ own: Passage, _ remote: MatchablePassage, in test: TestStore) throws -> UUID {
        let match = Match(MatchablePassage(own), remote, certainty: .exact)
        let violation = try #require(Violation(match, on: banke, id: UUID()))
        #expect(try test.store.matches.save(match, violation: violation, at: minute(30)))
        return violation.id
    }

    /// One more vehicle's, at A.
    private func foundAnother(_ number: Int) throws -> UUID {
        let plate = "BA 1 PA 100\(number)"
        let (own, remote) = (samplePassage(plate, at: Double(number)), sampleRemote(plate, at: Double(number) + 20))
        try a.store.passages.record(own, at: minute(30))
        try a.store.otherPost.upsert([remote], at: minute(30))
        return try judged(own, remote, in: a)
    }

    /// The same at B, which has the exit for its own.
    private func foundAtB() throws -> UUID {
        var passage = samplePassage(at: 20, clientID: exit.clientID)
        passage.checkpostCode = "BNP-B"
        try b.store.passages.record(passage, at: minute(20))
        var remote = MatchablePassage(entry)
        remote.checkpostCode = "BNP-A"
        try b.store.otherPost.upsert([remote], at: minute(21))
        return try judged(passage, remote, in: b)
    }

    private func outcome(_ kind: Outcome.Kind, _ minutes: Double, by ranger: String = "ram") -> Outcome {
        Outcome(
            kind: kind, fineAmount: kind == .fined ? 500 : nil, recordedBy: ranger, recordedAt: minute(minutes))
    }

    private func news(after number: Int64 = 0, since: Instant = minute(-10), limit: Int = 10) throws -> OutcomeNews {
        try a.store.violations.outcomeNews(after: number, since: since, limit: limit)
    }

    private func held(_ test: TestStore, _ violation: UUID) throws -> Outcome? {
        try test.store.violations.violation(id: violation)?.outcome
    }

    @discardableResult
    private func tellB(after number: Int64 = 0) throws -> Int {
        try b.store.violations.takeIn(try news(after: number).outcomes, at: minute(40))
        return try b.store.violations.settleTold(at: minute(40))
    }

    @Test func `is what somebody of this post recorded last, and no more of it`() throws {
        let violation = try found(a)
        #expect(try news().outcomes.isEmpty && news().upTo == 0)
        try a.store.violations.record(outcome(.warned, 22), ofViolation: violation)
        try a.store.violations.record(outcome(.fined, 23), ofViolation: violation)
        let told = try news()
        #expect(
            told.outcomes == [
                ToldOutcome(entry: entry.clientID, exit: exit.clientID, outcome: outcome(.fined, 23))
            ])
        #expect(try told.upTo == a.store.violations.lastOutcomeNews())
        #expect(try news(after: told.upTo).outcomes.isEmpty && news(since: minute(30)).outcomes.isEmpty)
        // A number that was never given is of records that are gone.
        #expect(try news(after: told.upTo + 1000).outcomes.count == 1)
        // What another told is not this post's to tell.
        let theirs = outcome(.letGo, 25, by: "sita")
        try a.store.write("Taking") { db in
            try ViolationTable.insert(db, theirs, violation: violation.stored, isOwn: false, at: minute(26))
        }
        #expect(try news().outcomes.isEmpty)
    }

    @Test func `comes in parts, each up to what it holds`() throws {
        for number in 0..<5 {
            try a.store.violations.record(outcome(.warned, 31 + Double(number)), ofViolation: try foundAnother(number))
        }
        var (told, mark) = ([Instant](), Int64(0))
        for _ in 0..<3 {
            let part = try news(after: mark, limit: 2)
            told += part.outcomes.map(\.outcome.recordedAt)
            mark = part.upTo
        }
        #expect(told == (0..<5).map { minute(31 + Double($0)) })
        #expect(try news(after: mark, limit: 2).outcomes.isEmpty)
    }

    @Test func `holds at the other post, also where the violation is found there later, and follows a change`() throws {
        let violation = try found(a)
        try a.store.violations.record(outcome(.warned, 22), ofViolation: violation)
        #expect(try tellB() == 0)
        let there = try foundAtB()
        #expect(try b.store.violations.settleTold(at: minute(41)) == 1)
        #expect(try held(b, there) == outcome(.warned, 22))
        // Once more the same changes nothing.
        #expect(try tellB() == 0)
        #expect(try b.store.violations.outcomes(ofViolation: there).count == 1)
        try a.store.violations.record(outcome(.fined, 24), ofViolation: violation)
        #expect(try tellB() == 1)
        #expect(try held(b, there) == outcome(.fined, 24))
        #expect(try b.store.violations.outcomes(ofViolation: there).count == 2)
        // The other post sends nothing of it to the server: whoever did it does.
        #expect(try b.store.queue.entries().map(\.entity) == [.passage])
        #expect(try b.store.violations.lastOutcomeNews() == 0)
    }

    @Test func `leaves alone what a person did there, or the server said`() throws {
        let violation = try found(a)
        let there = try foundAtB()
        try b.store.violations.record(outcome(.fined, 22, by: "sita"), ofViolation: there)
        try a.store.violations.record(outcome(.warned, 23), ofViolation: violation)
        #expect(try tellB() == 0)
        try a.store.violations.record(outcome(.letGo, 24), ofViolation: violation)
        #expect(try tellB() == 0)
        #expect(try held(b, there) == outcome(.fined, 22, by: "sita"))
    }

    @Test func `stays where the server tells of the violation for the first time, and yields to its word`() throws {
        let violation = try found(a)
        let there = try foundAtB()
        try a.store.violations.record(outcome(.warned, 22), ofViolation: violation)
        #expect(try tellB() == 1)
        func perform(_ action: ReconciliationAction) throws {
            try b.store.write("Taking") { try ReconciliationTable.performOnFinding($0, action, at: minute(50)) }
        }
        try perform(.forgetOutcome(violation: there))
        #expect(try held(b, there) == outcome(.warned, 22))
        let servers = outcome(.fined, 30, by: "warden")
        try perform(.recordOutcome(servers, violation: there))
        // What changes at the other post now has to come by way of the server.
        try a.store.violations.record(outcome(.letGo, 51), ofViolation: violation)
        #expect(try tellB() == 0)
        #expect(try held(b, there) == servers)
    }

    @Test func `finds a passage that is known there by its text alone`() throws {
        let there = try foundAtB()
        let text = UUID()
        try b.store.write("Texting") { db in
            try db.execute(
                sql: "UPDATE passages SET sms_client_id = ? WHERE client_id = ?",
                arguments: [text.stored, exit.clientID.stored])
        }
        func tell(_ exit: UUID, _ outcome: Outcome) throws -> Int {
            try b.store.violations.takeIn(
                [ToldOutcome(entry: entry.clientID, exit: exit, outcome: outcome)], at: minute(40))
            return try b.store.violations.settleTold(at: minute(40))
        }
        #expect(try tell(text, outcome(.warned, 22)) == 1)
        #expect(try held(b, there) == outcome(.warned, 22))
        // A change comes by its own name.
        #expect(try tell(exit.clientID, outcome(.fined, 23)) == 1)
        #expect(try held(b, there) == outcome(.fined, 23))
    }

    @Test func `is followed where the server told it first`() throws {
        let violation = try found(a)
        let there = try foundAtB()
        try a.store.violations.record(outcome(.warned, 22), ofViolation: violation)
        try b.store.write("Taking") { db in
            try ReconciliationTable.performOnFinding(
                db, .recordOutcome(outcome(.warned, 22), violation: there), at: minute(30))
        }
        #expect(try tellB() == 0)
        try a.store.violations.record(outcome(.fined, 31), ofViolation: violation)
        #expect(try tellB() == 1)
        #expect(try held(b, there) == outcome(.fined, 31))
    }

    @Test func `takes the place of what its ranger saw, until the server has that`() throws {
        let violation = try found(a)
        let there = try foundAtB()
        func tellA() throws -> Int {
            let told = try b.store.violations.outcomeNews(after: 0, since: minute(-10), limit: 9).outcomes
            try a.store.violations.takeIn(told, at: minute(40))
            return try a.store.violations.settleTold(at: minute(40))
        }
        try a.store.violations.record(outcome(.warned, 22), ofViolation: violation)
        #expect(try tellB() == 1)
        try b.store.violations.record(outcome(.fined, 24, by: "sita"), ofViolation: there)
        #expect(try tellA() == 1)
        #expect(try held(a, violation) == outcome(.fined, 24, by: "sita"))
        // Both have given up what A's ranger did: it doesn't go to the server any more.
        #expect(try a.store.queue.entries().allSatisfy { $0.entity == .passage })
        // And back.
        try a.store.violations.record(outcome(.letGo, 26), ofViolation: violation)
        #expect(try tellB() == 1)
        #expect(try held(b, there) == outcome(.letGo, 26))
        // What the server has changes by way of the server.
        try b.store.violations.record(outcome(.other, 28, by: "sita"), ofViolation: there)
        for var entry in try a.store.queue.entries() where entry.entity == .outcome {
            entry.status = .synced
            try a.store.write("Sending") { [entry] in try QueueTable.write($0, entry) }
        }
        #expect(try tellA() == 0)
        #expect(try held(a, violation) == outcome(.letGo, 26))
    }

    @Test func `doesn't take the place of the server's word, which each post has by its own name`() throws {
        let violation = try found(a)
        let there = try foundAtB()
        for (test, id) in [(a, violation), (b, there)] {
            try test.store.write("Taking") { db in
                try ReconciliationTable.performOnFinding(
                    db, .recordOutcome(outcome(.warned, 22, by: "the park's server"), violation: id), at: minute(30))
            }
        }
        try a.store.violations.record(outcome(.fined, 31), ofViolation: violation)
        #expect(try tellB() == 0)
        #expect(try held(b, there)?.kind == .warned)
    }

    @Test func `is kept of no more violations than a road has, and of none that went`() throws {
        let told = (0..<5200).map {
            ToldOutcome(entry: UUID(), exit: UUID(), outcome: outcome(.warned, $0 < 2600 ? 21 : 22))
        }
        func open() throws -> Int {
            try b.store.read("Counting") { try Int.fetchOne($0, sql: "SELECT count(*) FROM peer_outcomes") } ?? 0
        }
        try b.store.violations.takeIn(told, at: minute(40))
        #expect(try open() == 5000)
        let peer = Peer(publicKey: String(repeating: "a", count: 64), code: "BNP-A", address: nil, pairedAt: minute(0))
        try b.store.peers.pair(peer, at: minute(0))
        try b.store.peers.revoke(at: minute(41))
        #expect(try open() == 0)
    }

    @Test func `comes in answers that a slow radio carries, however long its notes are`() throws {
        for number in 0..<4 {
            var long = outcome(.warned, 31 + Double(number))
            long.notes = String(repeating: "क", count: number == 0 ? 90_000 : 2000)
            try a.store.violations.record(long, ofViolation: try foundAnother(number))
        }
        var (parts, mark) = ([Int](), Int64(0))
        while try a.store.violations.lastOutcomeNews() != mark {
            let part = try news(after: mark)
            parts.append(part.outcomes.count)
            mark = part.upTo
        }
        #expect(parts == [1, 2, 1])
    }

    @Test func `stays with its violation, which was found once more by the name of a passage's text`() throws {
        let violation = try found(a)
        try a.store.violations.record(outcome(.warned, 22), ofViolation: violation)
        let text = sampleRemote(at: 20)
        try a.store.otherPost.upsert([text], at: minute(23))
        let again = try #require(
            Violation(Match(MatchablePassage(entry), text, certainty: .exact), on: banke, id: UUID()))
        func rested() throws -> QueueEntry { try #require(try a.store.queue.entries().first { $0.entity == .outcome }) }
        var entry = try rested()
        entry.status = .failed
        try a.store.write("Judging") { [own = self.entry.clientID, exit, entry] db in
            try ReconciliationTable.performOnFinding(db, .withdrawViolation(violation), at: minute(24))
            try ReconciliationTable.performOnFinding(db, .recordViolation(again, own: own), at: minute(25))
            // There was no violation to put it to.
            try QueueTable.write(db, entry)
            try ReconciliationTable.performOnRemote(
                db, .mergeRemote(text.clientID, into: exit.clientID), at: minute(26))
        }
        #expect(try held(a, again.id) == outcome(.warned, 22))
        #expect(try rested().status == .pending)
        #expect(try news().outcomes.map(\.outcome) == [outcome(.warned, 22)])
    }
}
