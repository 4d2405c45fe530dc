import Enforcement
import Storage
import TestKit
import Testing

@testable import Synchronizer

@Suite("Overstay alerts of the server that are doubtful", .enabled(if: RealPark.isPossible), .timeLimit(.minutes(10)))
struct DoubtfulAlertTests {
    @Test func `come here whatever they wait for there`() throws {
        let park = try RealPark()
        let a = try Post("a", park)
        let entry = try a.record("BA 9 PA 9", minute: -600)
        try a.run()
        _ = try park.query(
            """
            insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at)
            select gen_random_uuid(), 'BA9PHA9', 'car', c.id, p.recorded_at + interval '1 hour'
            from vehicle_passages p, checkposts c where c.code = 'BNP-B';
            select checkpost.raise_overstay_alerts(500, '2026-11-21T12:00:00Z')
            """)
        let kinds = try park.query(
            """
            select d ->> 'kind' from proactive_overstay_alerts a, jsonb_array_elements(a.doubts) d where plate_number = 'BA9PA9'
            """)
        #expect(kinds == ["reviews_unknown", "looks_alike"])
        try a.run(seconds: 31)
        #expect(try a.store.alerts.list().map(\.alert.entryClientID) == [entry.clientID])
        #expect(try a.store.queue.counts()[.failed] == 0)
    }
}
