import Enforcement
import Foundation
import Storage
import Testing

@testable import Synchronizer

@Suite("The server's word on matches", .timeLimit(.minutes(10)))
struct ServerWordTests {
    /// A post whose passage at 10:00 was matched here with one of the other post at 9:30, as speeding.
    private struct Case {
        let bench: Bench
        let own: Passage
        let remoteID: String

        init() throws {
            bench = try Bench()
            remoteID = bench.server.insertRemote("BA1PA1", at: "2026-11-21T09:30:00Z")
            own = try bench.record("BA 1 PA 1")
            let (store, clock, own) = (bench.store, bench.clock, own)
            bench.surroundings.onArrival = { now in
                let others = try store.matches.unmatched(
                    .remote,
                    from: Instant(milliseconds: 0), to: Instant(milliseconds: 4_000_000_000_000))
                for mine in try store.matches.unmatched(.own, from: own.recordedAt, to: own.recordedAt) {
                    guard case .matched(let match) = PassageMatcher().match(mine, among: others),
                        let segment = try store.segments.segment(ofCheckpost: "BNP-A")?.segment
                    else { continue }
                    _ = try store.matches.save(
                        match, violation: Violation(match, on: segment, id: UUID()), at: clock.now)
                }
                _ = now
            }
        }

        var ownID: String {
            get throws {
                try bench.store.passages.passage(clientID: own.clientID)?.serverID?.uuidString.lowercased() ?? ""
            }
        }
        var match: FindingState? { get throws { try bench.store.matches.match(ofPassage: own.clientID)?.state } }

        func addViolation(_ kind: String = "speeding") throws -> String {
            bench.server.insert(
                "violations",
                [
                    "segment_id": ParkServer.segment, "entry_passage_id": remoteID, "exit_passage_id": try ownID,
                    "violation_type": kind, "plate_number": "BA1PA1", "vehicle_type": "car",
                    "entry_time": "2026-11-21T09:30:00+00:00", "exit_time": "2026-11-21T10:00:00+00:00",
                    "calculated_speed_kmh": 90, "speed_limit_kmh": 40, "distance_km": 45,
                ])
        }
    }

    @Test func `proposes a match that it has not made, and takes its answer`() throws {
        let example = try Case()
        try example.bench.run()
        #expect(example.bench.server.requests("POST", "/functions/v1/match-passage").count == 1)
        #expect(try example.match == .confirmed)
        // The answer named no violation, so ours is none.
        #expect(try example.bench.store.violations.list().isEmpty)
        try example.bench.run(for: .minutes(2))
        #expect(example.bench.server.requests("POST", "/functions/v1/match-passage").count == 1)
    }

    @Test func `is asked for at the REST interface of a Supabase project that has no edge functions`() throws {
        let example = try Case()
        let server = example.bench.server
        server.isSupabase = true
        try example.bench.run()
        #expect(server.requests("POST", "/rest/v1/rpc/match_passage").count == 1)
        #expect(
            server.requests("POST", "/rest/v1/rpc/match_passage").first?.body
                == server.requests("POST", "/functions/v1/match-passage").first?.body)
        #expect(try example.match == .confirmed)
    }

    @Test func `is a refusal at the REST interface, too`() throws {
        let example = try Case()
        example.bench.server.isSupabase = true
        example.bench.server.fail(
            "/rest/v1/rpc/match_passage", .answer(.json(["code": "PT409", "message": "matched"], status: 409)))
        try example.bench.run()
        #expect(try example.match == nil)
        #expect(example.bench.server.requests("POST", "/rest/v1/rpc/match_passage").count == 1)
    }

    @Test func `confirms a match and a violation that the server made as well`() throws {
        let example = try Case()
        example.bench.server.fail(
            "/functions/v1/match-passage", .answer(.json(["error": "later"], status: 503)), times: 1)
        try example.bench.run()
        #expect(try example.match == .provisional)
        example.bench.server.link(try example.ownID, example.remoteID)
        let id = try example.addViolation()
        try example.bench.run(for: .seconds(31))
        #expect(try example.match == .confirmed)
        let violations = try example.bench.store.violations.list()
        #expect(violations.map(\.violation.state) == [.confirmed])
        #expect(violations[0].violation.id.uuidString.lowercased() != id)
    }

    @Test func `leaves out a violation of passages that are not this box's, and takes the next`() throws {
        let example = try Case()
        try example.bench.run()
        // Of this post, recorded by another client or before the disk was new.
        let foreign = example.bench.server.insertRemote("BA7PA7", at: "2026-11-21T09:30:00Z")
        example.bench.server.change("vehicle_passages", id: foreign, ["checkpost_id": ParkServer.postA])
        example.bench.server.insert(
            "violations",
            [
                "segment_id": ParkServer.segment, "entry_passage_id": example.remoteID, "exit_passage_id": foreign,
                "violation_type": "speeding", "plate_number": "BA7PA7", "vehicle_type": "car",
                "entry_time": "2026-11-21T09:30:00+00:00", "exit_time": "2026-11-21T10:00:00+00:00",
                "calculated_speed_kmh": 90, "speed_limit_kmh": 40, "distance_km": 45,
            ])
        example.bench.server.link(try example.ownID, example.remoteID)
        _ = try example.addViolation()
        try example.bench.run(for: .minutes(2))
        #expect(try example.bench.store.violations.list().map(\.violation.plate.compact) == ["BA1PA1"])
        #expect(try example.bench.store.runs.list(limit: 1).first?.failure == nil)
    }

    @Test func `withdraws a match when the server gave the vehicle to another passage`() throws {
        let example = try Case()
        example.bench.server.fail(
            "/functions/v1/match-passage", .answer(.json(["error": "matched"], status: 409)))
        try example.bench.run()
        #expect(try example.match == nil)
        #expect(try example.bench.store.violations.list().isEmpty)
        try example.bench.run(for: .minutes(2))
        #expect(example.bench.server.requests("POST", "/functions/v1/match-passage").count == 1)
    }

    @Test func `fetches the other passage of a match that was made as it came`() throws {
        let bench = try Bench()
        let own = try bench.record("BA 1 PA 1")
        try bench.run()
        let ownID = try bench.store.passages.passage(clientID: own.clientID)?.serverID?.uuidString.lowercased() ?? ""
        let remoteID = bench.server.insertRemote("BA1PA1", at: "2026-11-21T09:30:00Z")
        bench.server.link(ownID, remoteID)
        bench.server.insert(
            "violations",
            [
                "segment_id": ParkServer.segment, "entry_passage_id": remoteID, "exit_passage_id": ownID,
                "violation_type": "speeding", "plate_number": "BA1PA1", "vehicle_type": "car",
                "entry_time": "2026-11-21T09:30:00+00:00", "exit_time": "2026-11-21T10:00:00+00:00",
                "calculated_speed_kmh": NSNull(), "speed_limit_kmh": 40, "distance_km": 45,
            ])
        try bench.run(for: .seconds(31))
        #expect(try bench.store.passages.passage(clientID: own.clientID)?.isMatched == true)
        let violation = try #require(try bench.store.violations.list().first?.violation)
        #expect(violation.state == .confirmed)
        #expect(violation.exitClientID == own.clientID)
        #expect(violation.calculatedSpeedKmh == nil)
        try bench.run(for: .seconds(31))
        #expect(try bench.store.violations.list().count == 1)
    }

    @Test func `sends an outcome after its violation, and a second one as a change`() throws {
        let example = try Case()
        example.bench.server.fail(
            "/functions/v1/match-passage", .answer(.json(["error": "later"], status: 503)), times: 1)
        try example.bench.run()
        let violation = try #require(try example.bench.store.violations.list().first?.violation)
        func record(_ kind: Outcome.Kind) throws {
            try example.bench.store.violations.record(
                Outcome(
                    kind: kind, fineAmount: nil, notes: nil, recordedBy: "Sita", recordedAt: example.bench.clock.now),
                ofViolation: violation.id)
        }
        try record(.warned)
        example.bench.server.link(try example.ownID, example.remoteID)
        try example.bench.run(for: .seconds(5))
        #expect(example.bench.server.rows("violation_outcomes").isEmpty)
        let id = try example.addViolation()
        try example.bench.run(for: .minutes(2))
        #expect(example.bench.server.texts("violation_outcomes", "violation_id") == [id])
        #expect(example.bench.server.texts("violation_outcomes", "acted_by") == ["Sita"])
        try record(.fined)
        try example.bench.run(for: .minutes(1))
        #expect(example.bench.server.texts("violation_outcomes", "outcome_type") == ["fined"])
        #expect(try example.bench.count(.pending) == 0)
    }

    @Test func `takes the server's overstay alert, and its end`() throws {
        let bench = try Bench()
        let own = try bench.record("BA 1 PA 1", minute: -300)
        try bench.run()
        let ownID = try bench.store.passages.passage(clientID: own.clientID)?.serverID?.uuidString.lowercased() ?? ""
        let alert = bench.server.insert(
            "proactive_overstay_alerts",
            [
                "segment_id": ParkServer.segment, "entry_passage_id": ownID, "plate_number": "BA1PA1",
                "vehicle_type": "car", "entry_time": "2026-11-21T05:00:00+00:00",
                "expected_exit_by": "2026-11-21T09:30:00+00:00", "resolved": false, "resolved_at": NSNull(),
            ])
        try bench.run(for: .seconds(31))
        #expect(try bench.store.alerts.list().map(\.alert.entryClientID) == [own.clientID])
        bench.server.change(
            "proactive_overstay_alerts", id: alert, ["resolved": true, "resolved_at": "2026-11-21T10:00:10+00:00"])
        try bench.run(for: .seconds(31))
        #expect(try bench.store.alerts.list().isEmpty)
    }
}
