import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Synchronizer

@Suite(
    "What the server gives back of the last months", .enabled(if: RealPark.isPossible), .serialized,
    .timeLimit(.minutes(10)))
struct OlderPassagesTests {
    private static let day = 24.0 * 60

    /// What was recorded five, eighty and a hundred days ago.
    private func record(_ post: Post) throws -> [Passage] {
        try [5, 80, 100].map { try post.record("BA 1 PA \($0)", minute: -Double($0) * Self.day) }
    }

    @Test func `comes after a lost database, little by little, and alerts nobody`() throws {
        let park = try RealPark()
        let old = try Post("a", park)
        let passages = try record(old)
        try old.run(seconds: 35)
        let rows = try park.query("select id, server_seq from vehicle_passages order by id")
        #expect(rows.count == 3)

        let new = try Post("a", park) { $0.pageSize = 1 }
        try new.store.beginAfterLoss(at: new.clock.now)
        try new.run(seconds: 130)
        let known = try new.store.passages.list().map(\.passage.clientID)
        #expect(Set(known) == Set(passages.prefix(2).map(\.clientID)))
        #expect(try new.store.cursors.value(SyncCursor.olderWantedBefore) == nil, "it is done")
        #expect(try new.store.matches.work(limit: 10).isEmpty)
        #expect(try new.store.queue.counts()[.pending] == 0)
        #expect(try park.query("select id, server_seq from vehicle_passages order by id") == rows)
        // A disk that never had a database asks for no more than matching needs.
        let fresh = try Post("a", park)
        try fresh.run(seconds: 65)
        #expect(try fresh.store.passages.list().isEmpty)
    }

    @Test func `comes after a restored backup, and nothing is sent twice`() throws {
        let park = try RealPark()
        let old = try Post("a", park)
        _ = try record(old)
        // The backup holds as waiting what the server has a minute later, and nothing of what follows.
        let copy = old.folder.appendingPathComponent("copy.sqlite").path
        _ = try old.store.copy(to: copy)
        try old.run(seconds: 35)
        let later = try old.record("BA 7 PA 7", minute: 1)
        try old.run(seconds: 35)
        let rows = try park.query("select client_id from vehicle_passages order by client_id")
        #expect(rows.count == 4)

        let new = try Post("a", park, database: copy)
        try new.store.beginAnewFromBackup(at: new.clock.now)
        #expect(try new.store.messages.waiting().isEmpty, "nothing is paid twice")
        // The camera's folder holds the last picture still: it is read once more before there is contact.
        try new.record("BA 7 PA 7", minute: 1)
        try new.run(seconds: 100)
        #expect(try park.query("select client_id from vehicle_passages order by client_id") == rows)
        #expect(try new.store.queue.counts()[.pending] == 0)
        #expect(try new.store.passages.list().map(\.passage.clientID).filter { $0 == later.clientID }.count == 1)
        #expect(try new.store.passages.list().count == 4)
    }
}
