import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Synchronizer

@Suite("Days that go once more", .enabled(if: RealPark.isPossible), .serialized, .timeLimit(.minutes(10)))
struct DaysAgainTests {
    private static let day = 24.0 * 60

    private func days(_ direction: DaysDirection, _ post: Post, from: Double, to: Double = 0.1) -> WantedDays {
        WantedDays(direction, from: post.clock.now + .hours(24 * from), until: post.clock.now + .hours(24 * to))
    }

    @Test func `are sent, with their corrections, and nothing is doubled`() throws {
        let park = try RealPark()
        let post = try Post("a", park)
        for number in 1...5 { try post.record("BA 1 PA 100\(number)", minute: -Double(number) * Self.day) }
        try post.run(seconds: 65)
        let corrected = try #require(try post.store.passages.list().last)
        _ = try post.store.passages.correct(
            clientID: corrected.passage.clientID, to: Plate(canonical: "BA 1 PA 9005"), reason: "misread", by: "Sita",
            at: post.clock.now)
        try post.run(seconds: 65)
        let before = try park.query("select client_id, plate_number from vehicle_passages order by client_id")
        #expect(before.count == 5 && before.contains { $0.hasSuffix("BA 1 PA 9005") || $0.hasSuffix("BA1PA9005") })
        // What the server lost of one of them, a word of the box puts right.
        _ = try park.query(
            "update vehicle_passages set plate_number = 'BA1PA1005' where client_id = '\(corrected.passage.clientID)'")

        let wanted = days(.send, post, from: -5.5, to: -1.5)
        let counts = try post.store.days.counts(from: wanted.from, until: wanted.until)
        #expect(counts.passages == 4 && counts.corrections == 1 && counts.waiting == 0)
        try post.store.days.want(wanted, at: post.clock.now)
        #expect(try post.store.days.sendNext(limit: 3, at: post.clock.now) == 3)
        let rest = try #require(try post.store.days.wanted(.send))
        #expect(rest.count == 3 && rest.place < rest.until && rest.last != nil)
        #expect(
            try post.store.queue.entries(status: .pending, limit: 9).allSatisfy {
                $0.entity == .correction || $0.resentAt != nil
            })
        try post.run(seconds: 35)
        #expect(try post.store.days.wanted(.send) == nil)
        #expect(try post.store.queue.counts()[.pending] == 0 && post.store.queue.counts()[.failed] == 0)
        #expect(try park.query("select count(*) from vehicle_passages") == ["5"])
        #expect(try post.store.messages.waiting().isEmpty)
    }

    @Test func `leave alone what the warden deleted, and what waits`() throws {
        let park = try RealPark()
        let post = try Post("a", park)
        let gone = try post.record("BA 1 PA 1001", minute: -60)
        try post.run(seconds: 35)
        _ = try post.store.reconciliation.take(
            [
                ServerDeletion(
                    serverID: try #require(try post.store.passages.passage(clientID: gone.clientID)?.serverID),
                    clientID: gone.clientID, smsClientID: nil)
            ], at: post.clock.now)
        try post.record("BA 1 PA 1002", minute: -30)
        let wanted = days(.send, post, from: -1)
        let counts = try post.store.days.counts(from: wanted.from, until: wanted.until)
        #expect(counts.passages == 0 && counts.waiting == 1)
        try post.store.days.want(wanted, at: post.clock.now)
        #expect(try post.store.days.sendNext(limit: 10, at: post.clock.now) == 2)
        #expect(try post.store.days.wanted(.send) == nil, "it is at its end")
        #expect(try post.store.queue.entries(status: .pending, limit: 9).map(\.resentAt) == [nil])
    }

    @Test func `are fetched though the cursors are past them, page by page, and a restart goes on`() throws {
        let park = try RealPark()
        let (a, b) = (try Post("a", park) { $0.pageSize = 2 }, try Post("b", park))
        for number in 1...4 { try b.record("BA 2 PA 200\(number)", minute: -6 * Self.day + Double(number)) }
        for number in 5...7 { try b.record("BA 2 PA 200\(number)", minute: -4 * Self.day + Double(number)) }
        try b.run(seconds: 35)
        try a.run(seconds: 35)
        #expect(try a.store.days.counts(from: a.clock.now - .hours(240), until: a.clock.now).others == 0)
        try a.store.days.want(days(.fetch, a, from: -7), at: a.clock.now)
        try a.run(seconds: 1)
        #expect(try a.store.days.wanted(.fetch) != nil, "it takes more than a cycle")
        try a.restart()
        for _ in 0..<60 where try a.store.days.wanted(.fetch) != nil { try a.run(seconds: 5) }
        #expect(try a.store.days.wanted(.fetch) == nil)
        #expect(try a.store.days.counts(from: a.clock.now - .hours(240), until: a.clock.now).others == 7)
        #expect(try a.store.alerts.list().isEmpty)
    }
}
