import Enforcement
import Foundation
import Storage
import Testing

@testable import Synchronizer

@Suite("The server's word on matches", .timeLimit(.minutes(10)))
struct ServerWordTests {
    /// A post whose passage at 10:00 was matched here with one of the other post at 9:30, as speeding.
    private struct Case {
        let rig: Rig
        let own: Passage
        let remoteID: String

        init() throws {
            rig = try Rig()
            remoteID = rig.server.insertRemote("BA1PA1", at: "2026-11-21T09:30:00Z")
            own = try rig.record("BA 1 PA 1")
            let (store, clock, own) = (rig.store, rig.clock, own)
            rig.surroundings.onArrival = { now in
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
                try rig.store.passages.passage(clientID: own.clientID)?.serverID?.uuidString.lowercased() ?? ""
            }
        }
        var match: FindingState? { get throws { try rig.store.matches.match(ofPassage: own.clientID)?.state } }

        func addViolation(_ kind: String = "speeding") throws -> String {
            rig.server.insert(
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
        try example.rig.run()
        #expect(example.rig.server.requests("POST", "/functions/v1/match-passage").count == 1)
        #expect(try example.match == .confirmed)
        // The answer named no violation, so ours is none.
        #expect(try example.rig.store.violations.list().isEmpty)
        try example.rig.run(for: .minutes(2))
        #expect(example.rig.server.requests("POST", "/functions/v1/match-passage").count == 1)
    }

    @Test func `is asked for at the REST interface of a Supabase project that has no edge functions`() throws {
        let example = try Case()
        let server = example.rig.server
        server.isSupabase = true
        try example.rig.run()
        #expect(server.requests("POST", "/rest/v1/rpc/match_passage").count == 1)
        #expect(
            server.requests("POST", "/rest/v1/rpc/match_passage").first?.body
                == server.requests("POST", "/functions/v1/match-passage").first?.body)
        #expect(try example.match == .confirmed)
    }

    @Test func `is a refusal at the REST interface, too`() throws {
        let example = try Case()
        example.rig.server.isSupabase = true
        example.rig.server.fail(
            "/rest/v1/rpc/match_passage", .answer(.json(["code": "PT409", "message": "matched"], status: 409)))
        try example.rig.run()
        #expect(try example.match == nil)
        #expect(example.rig.server.requests("POST", "/rest/v1/rpc/match_passage").count == 1)
    }

    @Test func `says which passages came by a text`() throws {
        let rig = try Rig()
        rig.server.insertRemote("BA1PA1", at: "2026-11-21T09:30:00Z", source: "sms")
        rig.server.insertRemote("BA1PA1", at: "2026-11-21T09:40:00Z")
        try rig.run()
        let steps = try rig.store.matches.steps(
            of: Plate(canonical: "BA 1 PA 1"), around: try #require(Instant(iso8601: "2026-11-21T09:35:00.000Z")))
        #expect(steps.map(\.passage.isOfText) == [true, false])
    }

    @Test func `confirms a match and a violation that the server made as well`() throws {
        let example = try Case()
        example.rig.server.fail(
            "/functions/v1/match-passage", .answer(.json(["error": "later"], status: 503)), times: 1)
        try example.rig.run()
        #expect(try example.match == .provisional)
        example.rig.server.link(try example.ownID, example.remoteID)
        let id = try example.addViolation()
        try example.rig.run(for: .seconds(31))
        #expect(try example.match == .confirmed)
        let violations = try example.rig.store.violations.list()
        #expect(violations.map(\.violation.state) == [.confirmed])
        #expect(violations[0].violation.id.uuidString.lowercased() != id)
    }

    @Test func `leaves out a violation of passages that are not this box's, and takes the next`() throws {
        let example = try Case()
        try example.rig.run()
        // Of this post, recorded by another client or before the disk was new.
        let foreign = example.rig.server.insertRemote("BA7PA7", at: "2026-11-21T09:30:00Z")
        example.rig.server.change("vehicle_passages", id: foreign, ["checkpost_id": ParkServer.postA])
        example.rig.server.insert(
            "violations",
            [
                "segment_id": ParkServer.segment, "entry_passage_id": example.remoteID, "exit_passage_id": foreign,
                "violation_type": "speeding", "plate_number": "BA7PA7", "vehicle_type": "car",
                "entry_time": "2026-11-21T09:30:00+00:00", "exit_time": "2026-11-21T10:00:00+00:00",
                "calculated_speed_kmh": 90, "speed_limit_kmh": 40, "distance_km": 45,
            ])
        example.rig.server.link(try example.ownID, example.remoteID)
        _ = try example.addViolation()
        try example.rig.run(for: .minutes(2))
        #expect(try example.rig.store.violations.list().map(\.violation.plate.compact) == ["BA1PA1"])
        #expect(try example.rig.store.runs.list(limit: 1).first?.failure == nil)
    }

    @Test func `withdraws a match when the server gave the vehicle to another passage`() throws {
        let example = try Case()
        example.rig.server.fail(
            "/functions/v1/match-passage", .answer(.json(["error": "matched"], status: 409)))
        try example.rig.run()
        #expect(try example.match == nil)
        #expect(try example.rig.store.violations.list().isEmpty)
        try example.rig.run(for: .minutes(2))
        #expect(example.rig.server.requests("POST", "/functions/v1/match-passage").count == 1)
    }

    @Test func `keeps a match one of whose passages the server has lost, until it is there again`() throws {
        let example = try Case()
        example.rig.server.fail(
            "/functions/v1/match-passage", .answer(.json(["error": "no such passage"], status: 404)), times: 2)
        try example.rig.run()
        #expect(try example.match != nil)
        #expect(try example.rig.store.alerts.list().isEmpty)
        try example.rig.run(for: .minutes(2))
        #expect(example.rig.server.requests("POST", "/functions/v1/match-passage").count == 3)
        #expect(try example.match == .confirmed)
    }

    @Test func `fetches the other passage of a match that was made as it came`() throws {
        let rig = try Rig()
        let own = try rig.record("BA 1 PA 1")
        try rig.run()
        let ownID = try rig.store.passages.passage(clientID: own.clientID)?.serverID?.uuidString.lowercased() ?? ""
        let remoteID = rig.server.insertRemote("BA1PA1", at: "2026-11-21T09:30:00Z")
        rig.server.link(ownID, remoteID)
        rig.server.insert(
            "violations",
            [
                "segment_id": ParkServer.segment, "entry_passage_id": remoteID, "exit_passage_id": ownID,
                "violation_type": "speeding", "plate_number": "BA1PA1", "vehicle_type": "car",
                "entry_time": "2026-11-21T09:30:00+00:00", "exit_time": "2026-11-21T10:00:00+00:00",
                "calculated_speed_kmh": NSNull(), "speed_limit_kmh": 40, "distance_km": 45,
            ])
        try rig.run(for: .seconds(31))
        #expect(try rig.store.passages.passage(clientID: own.clientID)?.isMatched == true)
        let violation = try #require(try rig.store.violations.list().first?.violation)
        #expect(violation.state == .confirmed)
        #expect(violation.exitClientID == own.clientID)
        #expect(violation.calculatedSpeedKmh == nil)
        try rig.run(for: .seconds(31))
        #expect(try rig.store.violations.list().count == 1)
    }

    @Test func `sends an outcome after its violation, and a second one as a change`() throws {
        let example = try Case()
        example.rig.server.fail(
            "/functions/v1/match-passage", .answer(.json(["error": "later"], status: 503)), times: 1)
        try example.rig.run()
        let violation = try #require(try example.rig.store.violations.list().first?.violation)
        func record(_ kind: Outcome.Kind) throws {
            try example.rig.store.violations.record(
                Outcome(
                    kind: kind, fineAmount: nil, notes: nil, recordedBy: "Sita", recordedAt: example.rig.clock.now),
                ofViolation: violation.id)
        }
        try record(.warned)
        example.rig.server.link(try example.ownID, example.remoteID)
        try example.rig.run(for: .seconds(5))
        #expect(example.rig.server.rows("violation_outcomes").isEmpty)
        let id = try example.addViolation()
        try example.rig.run(for: .minutes(2))
        #expect(example.rig.server.texts("violation_outcomes", "violation_id") == [id])
        #expect(example.rig.server.texts("violation_outcomes", "acted_by") == ["Sita"])
        try record(.fined)
        try example.rig.run(for: .minutes(1))
        #expect(example.rig.server.texts("violation_outcomes", "outcome_type") == ["fined"])
        #expect(try example.rig.count(.pending) == 0)
    }

    @Test func `takes the server's overstay alert, and its end`() throws {
        let rig = try Rig()
        let own = try rig.record("BA 1 PA 1", minute: -300)
        try rig.run()
        let ownID = try rig.store.passages.passage(clientID: own.clientID)?.serverID?.uuidString.lowercased() ?? ""
        let alert = rig.server.insert(
            "proactive_overstay_alerts",
            [
                "segment_id": ParkServer.segment, "entry_passage_id": ownID, "plate_number": "BA1PA1",
                "vehicle_type": "car", "entry_time": "2026-11-21T05:00:00+00:00",
                "expected_exit_by": "2026-11-21T09:30:00+00:00", "resolved": false, "resolved_at": NSNull(),
            ])
        try rig.run(for: .seconds(31))
        #expect(try rig.store.alerts.list().map(\.alert.entryClientID) == [own.clientID])
        rig.server.change(
            "proactive_overstay_alerts", id: alert, ["resolved": true, "resolved_at": "2026-11-21T10:00:10+00:00"])
        try rig.run(for: .seconds(31))
        #expect(try rig.store.alerts.list().isEmpty)
    }
}
