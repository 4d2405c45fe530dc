import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Synchronizer

/// Against the park's own server over PostgreSQL: its tables lose rows, are put back from a backup, and a warden deletes.
@Suite("What the real server lost", .timeLimit(.minutes(10)), .enabled(if: RealPark.isPossible), .serialized)
struct RealLossTests {
    private static func park() throws -> RealPark { try RealPark(port: FreePort.next()) }

    private func plates(_ park: RealPark) throws -> [String] {
        try park.query("select plate_number from vehicle_passages order by server_seq")
    }

    private func compare(_ post: Post) throws {
        try post.store.cursors.set(
            SyncCursor(name: SyncCursor.comparisonRequested, value: post.clock.now.milliseconds), at: post.clock.now)
        try post.run(seconds: 62)
    }

    @Test func `is found by counts and hashes of its days, and sent again in order`() throws {
        let park = try Self.park()
        let post = try Post("a", park)
        // Three days of it.
        let all = try (0..<30).map {
            try post.record("BA 1 PA \(1000 + $0)", minute: Double($0 - 29) * 120).plate.compact
        }
        try post.run(seconds: 31)
        try compare(post)
        #expect(try post.store.comparisons.last()?.sentAgain == 0 && post.store.comparisons.days().allSatisfy(\.isSame))
        #expect(try post.store.comparisons.days().count == 3)
        let lost = [all[3], all[4], all[20]]
        // Without a word: nobody deleted them, they are not there.
        _ = try park.query(
            "delete from vehicle_passages where plate_number in ('\(lost.joined(separator: "','"))');"
                + "truncate deleted_passages")
        // One that was changed behind everybody's back shows by its hash: the number of rows is the same.
        try compare(post)
        #expect(try plates(park) == all.filter { !lost.contains($0) } + lost)
        #expect(try post.store.comparisons.days().map(\.sentAgain).reduce(0, +) == 3)
        let alarm = try #require(try post.store.alarms.list().first { $0.key == "sync.lost" })
        #expect(alarm.message.contains("3 records"))
        try compare(post)
        #expect(try post.store.comparisons.last()?.sentAgain == 0 && post.store.comparisons.days().allSatisfy(\.isSame))
    }

    @Test func `is noticed by itself when it was put back to an older state, with what was done since`() throws {
        let park = try Self.park()
        let (a, b) = (try Post("a", park), try Post("b", park))
        let first = try a.record("BA 1 PA 1", minute: -60)
        try a.run(seconds: 31)
        try park.backUp()
        try a.store.passages.correct(
            clientID: first.clientID, to: Plate(canonical: "BA 1 PA 11"), reason: "misread", by: "hari",
            at: a.clock.now)
        let later = try (2...6).map { try a.record("BA 1 PA \($0)", minute: Double($0) - 40).plate.compact }
        let fast = try b.record("BA 1 PA 2", minute: 0)
        try a.run(seconds: 62)
        try b.run(seconds: 62)
        try a.run(seconds: 31)
        let violation = try #require(try a.store.violations.list().first)
        try a.store.violations.record(
            Outcome(kind: .warned, notes: nil, recordedBy: "Sita", recordedAt: a.clock.now), ofViolation: violation.id)
        try a.run(seconds: 31)
        #expect(try park.query("select outcome_type from violation_outcomes") == ["warned"])
        try park.restore()
        #expect(try plates(park) == ["BA1PA1"])
        // Whichever comes first; each sends its own, and reads the other's anew.
        for _ in 0..<4 {
            try a.run(seconds: 200)
            try b.run(seconds: 200)
        }
        #expect(try Set(plates(park)) == Set(["BA1PA11", fast.plate.compact] + later))
        #expect(
            try park.query(
                "select plate_number from vehicle_passages where checkpost_id = 'b0000000-0000-4000-8000-00000000000a'"
                    + " and plate_number <> 'BA1PA11' order by created_at") == later)
        #expect(try park.query("select violation_type, plate_number from violations") == ["speeding|BA1PA2"])
        #expect(try park.query("select outcome_type, acted_by from violation_outcomes") == ["warned|Sita"])
        for post in [a, b] {
            #expect(try post.store.violations.list().map(\.violation.state) == [.confirmed])
            #expect(try post.store.queue.counts()[.pending] == 0)
            #expect(try post.store.alarms.list().contains { $0.key == "sync.lost" })
        }
    }

    @Test func `is sent again from a new disk, when it is what a ranger did about a violation`() throws {
        let park = try Self.park()
        let (old, b) = (try Post("a", park), try Post("b", park))
        try old.record("BA 1 PA 2", minute: -40)
        try old.run(seconds: 31)
        try b.record("BA 1 PA 2", minute: 0)
        try b.run(seconds: 62)
        try old.run(seconds: 31)
        let violation = try #require(try old.store.violations.list().first)
        try old.store.violations.record(
            Outcome(kind: .warned, notes: nil, recordedBy: "Sita", recordedAt: old.clock.now),
            ofViolation: violation.id)
        try old.run(seconds: 31)
        let new = try Post("a", park)
        new.clock.advance(.minutes(3))
        try new.run(seconds: 62)
        #expect(try new.store.violations.list().map(\.outcome?.recordedBy) == ["Sita"])
        _ = try park.query("delete from violation_outcomes")
        try b.run(seconds: 62)
        try compare(b)
        #expect(try park.query("select count(*) from violation_outcomes") == ["0"], "It is the other post's to send.")
        try compare(new)
        #expect(try park.query("select outcome_type, acted_by from violation_outcomes") == ["warned|Sita"])
        #expect(try new.store.comparisons.last()?.sentAgain == 1)
        #expect(try new.store.alarms.list().contains { $0.key == "sync.lost" })
    }

    @Test(arguments: [true, false]) func `is in force again at both posts when a deletion is taken back`(
        hasOwnID: Bool
    ) throws {
        let park = try Self.park()
        let (a, b) = (try Post("a", park), try Post("b", park))
        let entry = try a.record("BA 1 PA 1234", minute: -30)
        try a.run()
        try b.run()
        #expect(try b.store.otherPost.passage(clientID: entry.clientID) != nil)
        _ = try park.query("create table kept as select * from vehicle_passages; delete from vehicle_passages")
        try a.run(seconds: 31)
        try b.run(seconds: 31)
        #expect(try a.store.passages.passage(clientID: entry.clientID)?.withdrawnAt != nil)
        func candidates() throws -> [UUID] {
            try b.store.matches.unmatched(.remote, from: b.clock.now - .hours(9), to: b.clock.now).map(\.clientID)
        }
        #expect(try candidates() == [])
        // The warden puts the row back: under the id that it had, or as a new one.
        if !hasOwnID { _ = try park.query("update kept set id = gen_random_uuid()") }
        _ = try park.query("delete from deleted_passages; insert into vehicle_passages select * from kept")
        try a.run(seconds: 31)
        try b.run(seconds: 31)
        #expect(try a.store.passages.passage(clientID: entry.clientID)?.withdrawnAt == nil)
        #expect(try a.store.passages.corrections(ofPassage: entry.clientID).last?.reason == "put back at the server")
        #expect(try a.store.queue.counts().filter { $0.value > 0 } == [.synced: 1])
        #expect(try candidates() == [entry.clientID])
        // It counts like any other.
        try b.record("BA 1 PA 1234", minute: 0)
        try b.run(seconds: 31)
        try a.run(seconds: 31)
        for post in [a, b] { #expect(try post.store.violations.list().map(\.violation.state) == [.confirmed]) }
        try compare(a)
        #expect(try a.store.comparisons.days().allSatisfy(\.isSame))
    }
}
