import Enforcement
import Foundation
import GRDB
import Testing

@testable import Storage

@Suite("What is new at a post", .timeLimit(.minutes(10)))
struct PassageNewsTests {
    private let test: TestStore

    init() throws { test = try TestStore() }

    private func news(after number: Int64 = 0, since: Instant = minute(-10), limit: Int = 100) throws -> PassageNews {
        try test.store.passages.news(after: number, of: "BNP-A", since: since, limit: limit)
    }

    @Test func `is each passage once, in the order of its last change`() throws {
        let passages = (0..<3).map { samplePassage("BA 1 PA \(1000 + $0)", at: Double($0)) }
        for passage in passages { try test.store.passages.record(passage, at: minute(5)) }
        let first = try news()
        #expect(first.passages.map(\.id) == passages.map(\.clientID) && !first.hasMore)
        #expect(try news(after: first.upTo).passages.isEmpty)
        #expect(try news(after: first.upTo).upTo == first.upTo)
        _ = try test.store.passages.correct(
            clientID: passages[0].clientID, to: Plate(canonical: "BA 1 PA 9999"), reason: "misread", by: "ram",
            at: minute(6))
        try test.store.passages.withdraw(
            clientID: passages[1].clientID, reason: "a sign", by: "ram", at: minute(7))
        let later = try news(after: first.upTo)
        #expect(later.passages.map(\.id) == [passages[0].clientID, passages[1].clientID])
        #expect(later.passages.first?.passage.plate.compact == "BA1PA9999")
        #expect(later.passages.last?.withdrawnAt != nil)
        #expect(try news().passages.count == 3)
    }

    @Test func `comes in parts, and none is passed over between them`() throws {
        let ids = (0..<7).map { _ in UUID() }
        for (index, id) in ids.enumerated() {
            try test.store.passages.record(samplePassage(at: Double(index), clientID: id), at: minute(9))
        }
        var (told, mark, parts) = ([UUID](), Int64(0), 0)
        while true {
            let part = try news(after: mark, limit: 3)
            told += part.passages.map(\.id)
            (mark, parts) = (part.upTo, parts + 1)
            if !part.hasMore { break }
        }
        #expect(told == ids && parts == 3)
    }

    @Test func `is not what nobody is told: a match, a photo, what the server says of it`() throws {
        let passage = samplePassage()
        try test.store.passages.record(passage, at: minute(0))
        let before = try test.store.passages.lastNews()
        try test.store.write("Marking") { db in
            try db.execute(
                sql: "UPDATE passages SET server_id = ?, server_matched_id = ?, photo_path = 'a', acted_by = 'ram'",
                arguments: [UUID().stored, UUID().stored])
        }
        #expect(try test.store.passages.lastNews() == before)
        try test.store.write("Texting") { db in
            try db.execute(sql: "UPDATE passages SET sms_client_id = ?", arguments: [UUID().stored])
        }
        #expect(try test.store.passages.lastNews() > before)
    }

    @Test func `leaves out what is too old and what another post recorded, and goes past it`() throws {
        try test.store.passages.record(samplePassage(at: -100), at: minute(0))
        var other = samplePassage(at: 1)
        other.checkpostCode = "OLD-CODE"
        try test.store.passages.record(other, at: minute(1))
        let last = samplePassage("BA 7 PA 7", at: 2)
        try test.store.passages.record(last, at: minute(2))
        let told = try news()
        #expect(told.passages.map(\.id) == [last.clientID])
        #expect(try told.upTo == test.store.passages.lastNews())
        #expect(try news(limit: 1).passages.map(\.id) == [last.clientID], "what is left out takes no room")
        // Given its right post, it is news.
        try test.store.write("Giving it its post") { db in
            try db.execute(sql: "UPDATE passages SET checkpost_code = 'BNP-A' WHERE checkpost_code = 'OLD-CODE'")
        }
        #expect(try news(after: told.upTo).passages.map(\.id) == [other.clientID])
    }

    @Test func `has higher numbers after a database of an earlier day came back`() throws {
        try test.store.passages.record(samplePassage(), at: minute(0))
        let mark = try test.store.passages.lastNews()
        try test.store.peers.pair(
            Peer(publicKey: String(repeating: "a", count: 64), code: "BNP-B", address: nil, pairedAt: minute(0)),
            at: minute(0))
        try test.store.beginAnewFromBackup(at: minute(1))
        try test.store.passages.record(samplePassage("BA 7 PA 7", at: 1), at: minute(1))
        #expect(try test.store.passages.lastNews() > mark + 1_000_000)
        #expect(try news(after: mark).passages.count == 1)
        // Whoever was taken back since would be trusted again.
        #expect(try test.store.peers.active() == nil)
    }

    @Test func `is all told once more to whoever knows more than there is: an older copy of the records was put back`()
        throws
    {
        let passages = (0..<3).map { samplePassage("BA 1 PA \(1000 + $0)", at: Double($0)) }
        for passage in passages { try test.store.passages.record(passage, at: minute(5)) }
        let last = try test.store.passages.lastNews()
        let first = try news(after: last + 2, limit: 2)
        #expect(first.passages.map(\.id) == passages.prefix(2).map(\.clientID) && first.hasMore)
        let rest = try news(after: first.upTo, limit: 2)
        #expect(rest.passages.map(\.id) == [passages[2].clientID] && rest.upTo == last)
        #expect(try news(after: last).passages.isEmpty)
    }

    @Test func `goes with its passage`() throws {
        let passage = samplePassage()
        try test.store.passages.record(passage, at: minute(0))
        let rows = try test.store.write("Removing") { db in
            try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
            for table in ["sync_queue", "passage_times"] {
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE passage_client_id = ?", arguments: [passage.clientID.stored])
            }
            try db.execute(sql: "DELETE FROM passages WHERE client_id = ?", arguments: [passage.clientID.stored])
            return try Int.fetchOne(db, sql: "SELECT count(*) FROM passage_news")
        }
        #expect(rows == 0)
    }
}
