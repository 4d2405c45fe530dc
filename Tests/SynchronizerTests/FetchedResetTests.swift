import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Synchronizer

@Suite(
    "What was fetched and is fetched anew", .enabled(if: RealPark.isPossible), .serialized, .timeLimit(.minutes(10)))
struct FetchedResetTests {
    private struct Pair {
        let park: RealPark
        let a: Post
        let b: Post
        let violation: UUID
        let waiting: Passage

        /// A violation that both posts know, two vehicles more that passed B, and one at A that waits for the server.
        init() throws {
            park = try RealPark()
            (a, b) = (try Post("a", park), try Post("b", park))
            try b.record("BA 1 PA 1234", minute: -30)
            try b.record("BA 2 PA 2222", minute: -20)
            try b.record("BA 3 PA 3333", minute: -10)
            try b.run()
            try a.record("BA 1 PA 1234", minute: 0)
            try a.run(seconds: 65)
            violation = try #require(try a.store.violations.list().first?.id)
            waiting = try a.record("BA 9 PA 9999", minute: 1)
        }

        func others() throws -> [String] {
            try a.store.matches.unmatched(.remote, from: a.clock.now - .hours(48), to: a.clock.now)
                .map(\.plate.canonical).sorted()
        }

        func touchesNothingElse() throws {
            #expect(try a.store.queue.counts()[.pending] == 1)
            #expect(try a.store.passages.list().count == 2)
            #expect(try a.store.violations.list().map(\.id) == [violation])
        }
    }

    @Test func `goes at once, without the link too, and comes back when the server answers`() throws {
        let pair = try Pair()
        let a = pair.a
        #expect(try pair.others() == ["BA 2 PA 2222", "BA 3 PA 3333"])
        #expect(try a.store.otherPost.known().knownUpTo != nil)
        let counts = try a.store.fetched.counts()
        #expect(counts.passages == 2 && counts.passagesKept == 1 && counts.violations == 1)

        try a.store.fetched.wish([.passages], at: a.clock.now)
        #expect(try FetchedReset(a.store).perform(at: a.clock.now) == [.passages])
        #expect(try pair.others().isEmpty && a.store.fetched.wishes().isEmpty)
        #expect(try a.store.otherPost.known() == OtherPost(knownUpTo: nil, reviews: nil))
        try pair.touchesNothingElse()
        #expect(try FetchedReset(a.store).perform(at: a.clock.now).isEmpty, "once")

        // As the start of the box does it: the cursors are gone, and with them what was read.
        try a.restart()
        try a.run(seconds: 2)
        #expect(try pair.others() == ["BA 2 PA 2222", "BA 3 PA 3333"])
        #expect(try a.store.otherPost.known().knownUpTo != nil)
        #expect(try a.store.violations.list().map(\.id) == [pair.violation])
        #expect(try pair.park.query("select count(*) from vehicle_passages") == ["5"])
    }

    @Test func `is fetched by the running engine with its next cycle, though the server has nothing new`() throws {
        let pair = try Pair()
        let a = pair.a
        try a.run(seconds: 35)
        try a.store.fetched.wish(Set(FetchedKind.allCases), at: a.clock.now)
        a.engine.requestCycle(byHand: true)
        try a.run(seconds: 3)
        #expect(try a.store.fetched.wishes().isEmpty)
        #expect(try pair.others() == ["BA 2 PA 2222", "BA 3 PA 3333"])
        #expect(try a.store.otherPost.known().knownUpTo != nil)
        #expect(try a.store.violations.list().map(\.id) == [pair.violation])
        #expect(try a.store.violations.list().first?.violation.state == .confirmed)
        #expect(try pair.park.query("select count(*) from vehicle_passages") == ["5"])
    }

    @Test func `keeps the road until the server has told it anew, and forgets other roads then`() throws {
        let pair = try Pair()
        let store = pair.a.store
        let road = try #require(try store.segments.segment(ofCheckpost: "BNP-A"))
        var other = road.segment
        other.id = UUID()
        try store.segments.keep(
            other, checkposts: [Checkpost(id: UUID(), code: "XYZ-A", name: "Elsewhere", positionIndex: 0)],
            at: pair.a.clock.now)
        try store.fetched.wish([.road, .lists], at: pair.a.clock.now)
        try FetchedReset(store).perform(at: pair.a.clock.now)
        #expect(try store.segments.segment(ofCheckpost: "BNP-A")?.segment == road.segment)
        #expect(try store.fetched.wishes() == [.road, .lists])
        _ = try pair.park.query("update highway_segments set max_speed_kmh = 30")
        try pair.a.run(seconds: 65)
        #expect(try store.segments.segment(ofCheckpost: "BNP-A")?.segment.maxSpeedKmh == 30)
        #expect(try store.segments.segment(ofCheckpost: "XYZ-A") == nil)
        #expect(try store.fetched.wishes().isEmpty)
    }

    @Test func `is accounts of the server, never those of the box`() throws {
        let store = try Store(
            path: FileManager.default.temporaryDirectory.path + "/accounts-\(UUID().uuidString).sqlite")
        defer { for end in ["", "-wal", "-shm"] { unlink(store.path + end) } }
        let now = Instant(milliseconds: 1_795_255_200_000)
        for (name, origin) in [("sita", User.Origin.server), ("hari", .box)] {
            try store.accounts.add(
                User(name: name, fullName: name, role: .ranger, origin: origin, passwordHash: nil, createdAt: now))
        }
        try store.fetched.wish([.accounts], at: now)
        try FetchedReset(store).perform(at: now)
        #expect(try store.accounts.users().map(\.name) == ["hari"])
        try store.close()
    }
}
