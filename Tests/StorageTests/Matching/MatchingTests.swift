import Enforcement
import Foundation
import Testing

@testable import Storage

@Suite("Matches on record", .timeLimit(.minutes(10)))
struct MatchingTests {
    /// Records an entry here and its exit at the other post, 30 minutes later: 90 km/h, speeding.
    private func speeder(in store: Store) throws -> (
        own: Passage, remote: MatchablePassage, match: Match, violation: Violation
    ) {
        let own = samplePassage(at: 0)
        let remote = sampleRemote(at: 30)
        try store.passages.record(own, at: minute(0))
        try store.otherPost.upsert([remote], at: minute(31))
        let match = Match(MatchablePassage(own), remote, certainty: .exact)
        let violation = try #require(Violation(match, on: banke, id: UUID()))
        return (own, remote, match, violation)
    }

    @Test func `join a passage with its counterpart and its violation`() throws {
        let store = try TestStore()
        let (own, remote, match, violation) = try speeder(in: store.store)
        #expect(try store.store.matches.save(match, violation: violation, at: minute(32)))
        let stored = try #require(try store.store.passages.passage(clientID: own.clientID))
        #expect(stored.isMatched)
        #expect(stored.counterpart == remote)
        #expect(stored.violation == violation)
        #expect(stored.matchState == .provisional)
        #expect(try store.store.matches.match(ofPassage: own.clientID)?.match == match)
        #expect(try store.store.violations.list().map(\.violation) == [violation])
        #expect(try store.store.matches.unmatched(.own, from: minute(-99), to: minute(99)).isEmpty)
        #expect(try store.store.matches.unmatched(.remote, from: minute(-99), to: minute(99)).isEmpty)
    }

    @Test func `refuse a passage that has one`() throws {
        let test = try TestStore()
        let (own, _, match, violation) = try speeder(in: test.store)
        #expect(try test.store.matches.save(match, violation: violation, at: minute(32)))
        let later = sampleRemote(at: 40)
        try test.store.otherPost.upsert([later], at: minute(41))
        let second = Match(MatchablePassage(own), later, certainty: .exact)
        #expect(try test.store.matches.save(second, violation: nil, at: minute(42)) == false)
        #expect(
            try test.store.matches.unmatched(.remote, from: minute(0), to: minute(99)).map(\.clientID) == [
                later.clientID
            ])
    }

    @Test func `are one a passage under two writers at once`() async throws {
        let test = try TestStore()
        let other = try Store(path: test.path)
        defer { try? other.close() }
        let own = (0..<40).map { samplePassage("BA 1 PA \($0)") }
        let remotes = own.map { passage in (0..<2).map { sampleRemote(passage.plate.canonical, at: Double(30 + $0)) } }
        for passage in own { try test.store.passages.record(passage, at: minute(0)) }
        try test.store.otherPost.upsert(remotes.flatMap { $0 }, at: minute(32))

        // Each writer wants another counterpart for every passage.
        let stores = [test.store, other]
        let saved = try await withThrowingTaskGroup(of: Int.self) { group in
            for (side, store) in stores.enumerated() {
                group.addTask {
                    try own.indices.count { index in
                        let match = Match(
                            MatchablePassage(own[index]), remotes[index][side], certainty: .exact)
                        return try store.matches.save(
                            match, violation: Violation(match, on: banke, id: UUID()), at: minute(33))
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(saved == own.count)
        #expect(try test.store.matches.unmatched(.own, from: minute(-9), to: minute(99)).isEmpty)
        #expect(try test.store.matches.unmatched(.remote, from: minute(-9), to: minute(99)).count == own.count)
        #expect(try test.store.violations.list(limit: 100).count == own.count)
    }

    @Test func `are refused by the database itself when a writer doesn't look`() throws {
        let test = try TestStore()
        let (own, remote, match, violation) = try speeder(in: test.store)
        #expect(try test.store.matches.save(match, violation: violation, at: minute(32)))
        let insert = """
            INSERT INTO matches (own_client_id, remote_client_id, own_is_entry, certainty, state, created_at)
            VALUES (?, ?, 1, 'exact', 'provisional', 0)
            """
        let error = #expect(throws: StoreError.self) {
            try test.store.write("Testing") {
                try $0.execute(sql: insert, arguments: [own.clientID.stored, remote.clientID.stored])
            }
        }
        #expect(error?.kind == .refused)
    }

    @Test func `of plates that look alike wait for a ranger and free nobody`() throws {
        let test = try TestStore()
        let own = samplePassage("BA 1 PA 1234")
        let remote = sampleRemote("BA 1 PA 1235", at: 30)
        try test.store.passages.record(own, at: minute(0))
        try test.store.otherPost.upsert([remote], at: minute(31))
        let possible = Match(MatchablePassage(own), remote, certainty: .lookAlike)
        #expect(try test.store.matches.savePossible([possible], at: minute(31)) == 1)
        #expect(try test.store.matches.savePossible([possible], at: minute(32)) == 0)
        #expect(try test.store.matches.possible().map(\.match) == [possible])
        #expect(try test.store.matches.unmatched(.own, from: minute(0), to: minute(1)).count == 1)
        #expect(try test.store.alerts.openEntries(from: minute(0), until: minute(1)).map(\.hasPossibleMatch) == [true])

        let id = try #require(try test.store.matches.possible().first?.id)
        try test.store.matches.rejectPossible(id: id, by: "ram", at: minute(33))
        #expect(try test.store.matches.savePossible([possible], at: minute(34)) == 0)
        #expect(try test.store.alerts.openEntries(from: minute(0), until: minute(1)).map(\.hasPossibleMatch) == [false])
    }

    @Test func `settle what only looked like the other post's passage, too`() throws {
        let test = try TestStore()
        let (_, remote, match, violation) = try speeder(in: test.store)
        let alike = samplePassage("BA 1 PA 1235", at: 5)
        try test.store.passages.record(alike, at: minute(5))
        let possible = Match(MatchablePassage(alike), remote, certainty: .lookAlike)
        #expect(try test.store.matches.savePossible([possible], at: minute(31)) == 1)
        #expect(try test.store.matches.save(match, violation: violation, at: minute(32)))
        #expect(try test.store.matches.possible().isEmpty)
    }

    @Test func `settle what only looked alike`() throws {
        let test = try TestStore()
        let (own, _, match, violation) = try speeder(in: test.store)
        let alike = sampleRemote("BA 1 PA 1235", at: 20)
        try test.store.otherPost.upsert([alike], at: minute(31))
        let possible = Match(MatchablePassage(own), alike, certainty: .lookAlike)
        try test.store.matches.savePossible([possible], at: minute(31))
        #expect(try test.store.matches.save(match, violation: violation, at: minute(32)))
        #expect(try test.store.matches.possible().isEmpty)
    }
}
