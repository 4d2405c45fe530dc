import Enforcement
import Foundation
import GRDB
import GRDBSQLite
import Testing

@testable import Storage

@Suite("What matching has to look at", .timeLimit(.minutes(10)))
struct MatchWorkTests {
    private func work(_ store: Store) throws -> [String] {
        try store.matches.work(limit: 100).map { "\($0.side.rawValue) \($0.clientID?.uuidString ?? "-")" }
    }

    private func clear(_ store: Store) throws { try store.matches.finish(store.matches.work(limit: 1000)) }

    @Test func `is a new passage of either post, once`() throws {
        let test = try TestStore()
        let (own, remote) = (samplePassage(), sampleRemote(at: 30))
        try test.store.passages.record(own, at: minute(0))
        try test.store.otherPost.upsert([remote], at: minute(31))
        #expect(try work(test.store) == ["own \(own.clientID)", "remote \(remote.clientID)"])
        try clear(test.store)
        // The same page once more changes nothing, and so there is nothing to look at.
        try test.store.otherPost.upsert([remote], at: minute(32))
        try test.store.passages.record(own, at: minute(32))
        #expect(try work(test.store).isEmpty)
    }

    @Test
    func
        `is a passage that was corrected, moved in time or freed by the server, but none that is withdrawn or matched`()
        throws
    {
        let test = try TestStore()
        let own = samplePassage()
        var remote = sampleRemote(at: 30)
        try test.store.passages.record(own, at: minute(0))
        try test.store.otherPost.upsert([remote], matched: [remote.clientID], at: minute(31))
        #expect(try work(test.store) == ["own \(own.clientID)"])
        try clear(test.store)
        try test.store.passages.correct(
            clientID: own.clientID, to: Plate(canonical: "BA 1 PA 9"), reason: "misread", by: "sita", at: minute(32))
        #expect(try work(test.store) == ["own \(own.clientID)"])
        try clear(test.store)
        try test.store.otherPost.upsert([remote], at: minute(33))
        #expect(try work(test.store) == ["remote \(remote.clientID)"])
        try clear(test.store)
        remote.recordedAt = minute(29)
        try test.store.otherPost.upsert([remote], at: minute(34))
        #expect(try work(test.store) == ["remote \(remote.clientID)"])
        try clear(test.store)
        remote.travel = .leaving
        try test.store.otherPost.upsert([remote], at: minute(34))
        #expect(try work(test.store) == ["remote \(remote.clientID)"], "the upload behind a text tells it")
        try clear(test.store)
        try test.store.otherPost.upsert([remote], at: minute(34))
        #expect(try work(test.store).isEmpty)
        try test.store.passages.withdraw(clientID: own.clientID, reason: "none", by: "sita", at: minute(35))
        try test.store.otherPost.withdraw([remote.clientID], at: minute(35))
        #expect(try work(test.store).isEmpty)
    }

    @Test func `are both sides of a match that is taken back`() throws {
        let test = try TestStore()
        let (own, remote) = (samplePassage(), sampleRemote(at: 30))
        try test.store.passages.record(own, at: minute(0))
        try test.store.otherPost.upsert([remote], at: minute(31))
        let match = Match(MatchablePassage(own), remote, certainty: .exact)
        #expect(try test.store.matches.save(match, violation: nil, at: minute(32)))
        try clear(test.store)
        var moved = remote
        moved.plate = Plate(canonical: "BA 1 PA 7")
        try test.store.otherPost.upsert([moved], at: minute(33))
        #expect(Set(try work(test.store)) == ["own \(own.clientID)", "remote \(remote.clientID)"])
    }

    @Test func `stays when it changed while it was looked at`() throws {
        let test = try TestStore()
        let own = samplePassage()
        try test.store.passages.record(own, at: minute(0))
        let before = try test.store.matches.work(limit: 10)
        try test.store.passages.correct(
            clientID: own.clientID, to: Plate(canonical: "BA 1 PA 9"), reason: "misread", by: "sita", at: minute(1))
        try test.store.matches.finish(before)
        #expect(try work(test.store) == ["own \(own.clientID)"])
    }

    @Test func `refuses a match of plates that only look alike`() throws {
        let test = try TestStore()
        let match = Match(
            MatchablePassage(samplePassage()), sampleRemote(at: 1), certainty: .lookAlike)
        let error = #expect(throws: StoreError.self) {
            try test.store.matches.save(match, violation: nil, at: minute(2))
        }
        #expect(error?.kind == .refused)
    }

    // MARK: The counterpart

    @Test func `finds the same plate, one that looks alike and one with gaps, within the window`() throws {
        let test = try TestStore()
        let remotes = [
            sampleRemote("BA 1 PA 1234", at: 30), sampleRemote("BA 1 PHA 1234", at: 31),
            sampleRemote("BA 1 PA 12?4", at: 32), sampleRemote("BA 1 PA 9999", at: 33), sampleRemote(at: 5000),
        ]
        try test.store.otherPost.upsert(remotes, at: minute(40))
        let found = try test.store.matches.unmatched(
            .remote, resembling: MatchablePassage(samplePassage()), within: .hours(24))
        #expect(found.map(\.clientID) == remotes.prefix(3).map(\.clientID))
        let partial = try test.store.matches.unmatched(
            .remote, resembling: Plate(canonical: "BA 1 PA ?234"), near: minute(0), within: .hours(24))
        #expect(partial.map(\.clientID).contains(remotes[0].clientID))
        #expect(!partial.map(\.clientID).contains(remotes[3].clientID))
    }

    @Test func `finds the nearest of many with one plate, on both sides`() throws {
        let test = try TestStore()
        let remotes = (-500...500).filter { $0 != 0 }.map { sampleRemote(at: Double($0)) }
        try test.store.otherPost.upsert(remotes, at: minute(600))
        let found = try test.store.matches.unmatched(
            .remote, resembling: MatchablePassage(samplePassage()), within: .hours(24))
        #expect(found.count == 2 * ResemblingQuery.mostEqual)
        #expect(Set(found.map(\.recordedAt)).isSuperset(of: [minute(-1), minute(1)]))
    }

    // MARK: Growth

    @Test(arguments: [MatchWork.Side.own, .remote])
    func `is answered by an index, never by a scan or a great sort`(side: MatchWork.Side) throws {
        let test = try TestStore()
        let walk = WalkQuery(side: side)
        let queries =
            ResemblingQuery(side: side).all + [
                walk.before, walk.after, AlertTable.nextEntriesQuery, AlertTable.openEntryQuery,
            ]
        for sql in queries {
            let plan = try test.store.pool.read { db in
                let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN \(sql)")
                let count = Int(sqlite3_bind_parameter_count(statement.sqliteStatement))
                return try Row.fetchAll(statement, arguments: StatementArguments(Array(repeating: 1, count: count)))
                    .map { $0["detail"] as String }
            }
            // `SCAN p` of the bounded inner query is a scan of its few thousand rows at most.
            let bad = plan.filter {
                $0.hasPrefix("SCAN") && !$0.contains("json_each") && !sql.contains("GLOB")
            }
            #expect(bad.isEmpty, "\(sql): \(plan)")
            // A plate that is known for years is read from the moment on.
            if [walk.before, walk.after].contains(sql) {
                #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
            }
            #expect(plan.contains { $0.contains("USING INDEX") || $0.contains("USING COVERING INDEX") }, "\(plan)")
        }
    }

    /// Counts what SQLite's machine does: it is the same on every computer, and does not depend on what else runs.
    private func steps(_ sql: String, _ arguments: StatementArguments, in store: Store) throws -> Int {
        try store.pool.read { db in
            let statement = try db.makeStatement(sql: sql)
            _ = try Row.fetchAll(statement, arguments: arguments)
            return Int(sqlite3_stmt_status(statement.sqliteStatement, SQLITE_STMTSTATUS_VM_STEP, 0))
        }
    }

    @Test func `costs the same after a hundred days as after one`() throws {
        func cost(days: Int) throws -> Int {
            let test = try TestStore()
            let remotes = (0..<days * 100).map {
                sampleRemote("BA \($0 % 90) PA \(1000 + $0 % 7919)", at: Double($0) * 14.4)
            }
            try test.store.otherPost.upsert(remotes, at: minute(0))
            let plate = remotes[days * 50].plate
            let at = remotes[days * 50].recordedAt.milliseconds
            let day = TimeSpan.hours(24).milliseconds
            let query = ResemblingQuery(side: .remote)
            let variants = String(
                decoding: try JSONEncoder().encode(LookAlike.variants(of: plate).sorted()), as: UTF8.self)
            return try steps(query.equalBefore, [plate.compact, at, at - day, 20], in: test.store)
                + steps(query.equalAfter, [plate.compact, at, at + day, 20], in: test.store)
                + steps(query.alike, [variants, at - day, at + day, at, 60], in: test.store)
                + steps(query.partialBefore, [at, at - day, 100], in: test.store)
        }
        let (one, hundred) = (try cost(days: 1), try cost(days: 100))
        #expect(hundred < 2 * one, "\(one) steps and \(hundred)")
        #expect(hundred < 5000)
    }
}
