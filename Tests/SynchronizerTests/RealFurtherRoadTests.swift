import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Synchronizer

/// BNP-B stands where two roads meet: 45 km to BNP-A, 20 km to BNP-E.
@Suite(
    "A post where two roads meet, and the real server", .enabled(if: RealPark.isPossible), .serialized,
    .timeLimit(.minutes(10)))
struct RealFurtherRoadTests {
    private static func park() throws -> RealPark {
        let park = try RealPark()
        try addRoad(park)
        return park
    }

    private static func addRoad(_ park: RealPark) throws {
        _ = try park.query(
            """
            select checkpost.add_road('{"id": "e0000000-0000-4000-8000-000000000001", "name": "B to E", "distance_km": 20,
                "max_speed_kmh": 40, "min_speed_kmh": 10, "reason": "a new gate",
                "ends": [{"stands_at": "BNP-B"}, {"code": "BNP-E", "name": "Checkpost E"}]}')
            """)
        _ = try park.query(
            """
            with account as (select (checkpost.insert_user('bnp-e@bnp.local', 'right-and-long-enough', null, null, null)).id as id)
            insert into user_profiles (id, full_name, role, assigned_checkpost_id)
            select a.id, 'E', 'ranger', c.id from account a, checkposts c where c.code = 'BNP-E' returning id
            """)
    }

    private static func open(_ post: Post) throws -> [Double: Violation] {
        let stored = try post.store.violations.list().map(\.violation).filter { $0.state != .withdrawn }
        return Dictionary(stored.map { ($0.distanceKm, $0) }) { first, _ in first }
    }

    @Test func `show each post what happened on its roads, and keep it apart`() throws {
        let park = try Self.park()
        let (a, b, e) = (try Post("a", park), try Post("b", park), try Post("e", park))
        let first = try a.record("BA 1 PA 1234", minute: -60)
        try a.run()
        let middle = try b.record("BA 1 PA 1234", minute: 0)
        try b.run()
        let last = try e.record("BA 1 PA 1234", minute: 10)
        try e.run()
        try b.run(seconds: 31)
        let found = try Self.open(b)
        #expect(Set(found.keys) == [45, 20])
        let further = try #require(found[20])
        #expect(further.entryClientID == middle.clientID && further.exitClientID == last.clientID)
        #expect(further.state == .confirmed && further.calculatedSpeedKmh == 120)
        #expect(found[45]?.entryClientID == first.clientID && found[45]?.exitClientID == middle.clientID)
        #expect(try b.store.furtherPassages.checkpostCode(ofAny: [middle.clientID, last.clientID]) == "BNP-E")
        // It says nothing of the post at the other end of the own road.
        #expect(try b.store.otherPost.passage(clientID: last.clientID) == nil)
        #expect(try b.store.otherPost.newestSent(notAfter: b.clock.now) == first.recordedAt)
        #expect(try b.store.segments.segment(ofCheckpost: "BNP-E")?.segment.name == "B to E")
        #expect(try b.store.segments.segment(ofCheckpost: "BNP-B")?.segment.distanceKm == 45)
        #expect(try Set(Self.open(e).keys) == [20])
        try a.run(seconds: 31)
        #expect(try Set(Self.open(a).keys) == [45])

        // What is done about it at one end is known at the other.
        try b.store.violations.record(
            Outcome(kind: .warned, notes: nil, recordedBy: "Sita", recordedAt: b.clock.now), ofViolation: further.id)
        try b.run(seconds: 31)
        try e.run(seconds: 31)
        #expect(try park.query("select acted_by from violation_outcomes") == ["Sita"])
        #expect(try e.store.violations.list().compactMap(\.outcome?.kind) == [.warned])
        #expect(try a.store.violations.list().compactMap(\.outcome?.kind) == [])
    }

    @Test func `tell of what happened before the post knew of the road, on a quiet day too`() throws {
        let park = try RealPark()
        let b = try Post("b", park)
        try b.run()
        try Self.addRoad(park)
        let e = try Post("e", park)
        try b.record("BA 1 PA 1234", minute: 0)
        try b.run()
        try e.record("BA 1 PA 1234", minute: 10)
        try e.run()
        // Nothing is written at the server from here on; less than the time after which everything is asked for anyway.
        try b.run(seconds: 300)
        #expect(try Set(Self.open(b).keys) == [20])
    }

    @Test func `keep a violation of the further road whatever the own road says, until the server takes it back`()
        throws
    {
        let park = try Self.park()
        let (a, b, e) = (try Post("a", park), try Post("b", park), try Post("e", park))
        try e.record("BA 1 PA 1234", minute: -10)
        try e.run()
        let passage = try b.record("BA 1 PA 1234", minute: 0)
        try b.run()
        // The own road has no match of it, then one, and then none again.
        for seconds in [31, 31] {
            try b.run(seconds: seconds)
            #expect(try Set(Self.open(b).keys) == [20])
        }
        try a.record("BA 1 PA 1234", minute: 120)
        try a.run()
        try b.run(seconds: 31)
        #expect(try Set(Self.open(b).keys) == [20])
        #expect(try b.store.passages.passage(clientID: passage.clientID)?.isMatched == true)
        _ = try park.query(
            "delete from vehicle_passages where checkpost_id = (select id from checkposts where code = 'BNP-A')")
        try b.run(seconds: 31)
        #expect(try b.store.passages.passage(clientID: passage.clientID)?.isMatched == false)
        #expect(try Set(Self.open(b).keys) == [20])
        _ = try park.query(
            """
            select checkpost.change_passage(jsonb_build_object('id', gen_random_uuid(), 'client_id', p.client_id,
                'plate_number', 'BA1PA9999', 'reason', 'misread', 'changed_at', now()))
            from vehicle_passages p join checkposts c on c.id = p.checkpost_id where c.code = 'BNP-E'
            """)
        try b.run(seconds: 31)
        #expect(try Self.open(b).isEmpty)
    }
}
