import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Synchronizer

@Suite(
    "What others did, and what a new disk gets back", .enabled(if: RealPark.isPossible), .serialized,
    .timeLimit(.minutes(10)))
struct OthersTests {
    @Test func `an overstay alert that the warden answered for is closed here, with the reason`() throws {
        let park = try RealPark()
        let a = try Post("a", park)
        let entry = try a.record("BA 9 PA 9", minute: -600)
        try a.run()
        // As on the same day: the server's clock goes on, and a round looks back for a month only.
        _ = try park.query("select checkpost.raise_overstay_alerts(500, '2026-11-21T12:00:00Z')")
        try a.run(seconds: 31)
        #expect(try a.store.alerts.list().map(\.alert.entryClientID) == [entry.clientID])
        let id = entry.clientID.uuidString.lowercased()
        _ = try park.query(
            """
            select checkpost.resolve_alert('{"client_id": "\(id)", "resolved_at": "2026-11-21T10:00:10Z",
                "reason": "a park vehicle", "acted_by": "Gita"}')
            """)
        try a.run(seconds: 31)
        #expect(try a.store.alerts.list().isEmpty)
        let closed = try #require(try a.store.alerts.list(onlyOpen: false).first)
        #expect(closed.dismissedReason == "a park vehicle")
        #expect(closed.dismissedBy == "Gita")
        #expect(try a.store.queue.counts()[.pending] == 0)
    }

    @Test func `the warden's correction and withdrawal of this post's own passages show here, and go back to nobody`()
        throws
    {
        let park = try RealPark()
        let a = try Post("a", park)
        let misread = try a.record("BA 1 PA 1234", minute: -30)
        let sign = try a.record("BA 5 PA 5555", minute: -25)
        try a.run()
        _ = try park.query("update vehicle_passages set plate_number = 'BA1PA1284' where plate_number = 'BA1PA1234'")
        _ = try park.query(
            """
            select checkpost.change_passage('{"id": "\(UUID())", "client_id": "\(sign.clientID)",
                "reason": "a sign", "acted_by": "Gita", "changed_at": "2026-11-21T10:00:10Z"}')
            """)
        try a.run(seconds: 62)
        #expect(try a.store.passages.passage(clientID: misread.clientID)?.passage.plate.compact == "BA1PA1284")
        #expect(try a.store.passages.corrections(ofPassage: misread.clientID).map(\.oldPlate.compact) == ["BA1PA1234"])
        #expect(try a.store.passages.passage(clientID: sign.clientID)?.withdrawnAt != nil)
        // What he withdrew rests, until somebody here asks for it.
        #expect(try a.store.queue.counts() == [.pending: 0, .inFlight: 0, .failed: 1, .synced: 1])
        #expect(try a.store.queue.entries(status: .failed).map(\.setAside) == [.deletedThere])
        // The warden's own two, and none of this post's.
        #expect(try park.query("select count(*) from passage_changes") == ["2"])
        // Told once: nothing more happens in the next round.
        try a.run(seconds: 62)
        #expect(try a.store.passages.corrections(ofPassage: misread.clientID).count == 1)
        #expect(try a.store.passages.corrections(ofPassage: sign.clientID).count == 1)
    }

    @Test func `what a ranger corrected here is not undone by the older plate at the server`() throws {
        let park = try RealPark()
        let a = try Post("a", park)
        let passage = try a.record("BA 1 PA 1234", minute: -30)
        try a.run()
        // The server says something of the row that still has the old plate, while the correction waits.
        _ = try park.query("update vehicle_passages set vehicle_type = 'jeep_suv'")
        try a.store.passages.correct(
            clientID: passage.clientID, to: Plate(canonical: "BA 1 PA 1284"), reason: "misread", by: "Hari",
            at: a.clock.now)
        let row = OwnServerRow(
            clientID: passage.clientID,
            serverID: try #require(try a.store.passages.passage(clientID: passage.clientID)?.serverID),
            plate: Plate(canonical: "BA 1 PA 1234"))
        try a.store.reconciliation.learn([row], at: a.clock.now)
        #expect(try a.store.passages.passage(clientID: passage.clientID)?.passage.plate.compact == "BA1PA1284")
        try a.run(seconds: 62)
        #expect(try park.query("select plate_number from vehicle_passages") == ["BA1PA1284"])
        #expect(try a.store.passages.corrections(ofPassage: passage.clientID).count == 1)
    }

    @Test func `the first deletion is not passed over because the post had no link for a week after it`() throws {
        let rig = try Rig()
        let passage = try rig.record("BA 1 PA 1")
        try rig.run(for: .minutes(1))
        rig.server.delete(passage: try #require(rig.server.rows("vehicle_passages").first?["id"] as? String))
        rig.clock.advance(.hours(7 * 24))
        try rig.run(for: .minutes(1))
        #expect(try rig.store.passages.passage(clientID: passage.clientID)?.withdrawnAt != nil)
    }

    @Test func `a post that had no link since it was set up gets what the server judged of its first day`() throws {
        let rig = try Rig()
        let own = try rig.record("BA 1 PA 1", minute: 30)
        rig.server.onPassage = { row in
            guard let id = row["id"] as? String else { return }
            let entry = rig.server.insertRemote("BA1PA1", at: "2026-11-21T10:00:00+00:00")
            rig.server.link(id, entry)
            rig.server.insert(
                "violations",
                [
                    "segment_id": ParkServer.segment, "entry_passage_id": entry, "exit_passage_id": id,
                    "violation_type": "speeding", "plate_number": "BA1PA1", "vehicle_type": "car",
                    "entry_time": "2026-11-21T10:00:00+00:00", "exit_time": "2026-11-21T10:30:00+00:00",
                    "calculated_speed_kmh": 90, "speed_limit_kmh": 40, "distance_km": 45,
                ])
        }
        rig.clock.advance(.hours(7 * 24))
        try rig.run(for: .minutes(1))
        #expect(try rig.store.violations.list().map(\.violation.exitClientID) == [own.clientID])
    }

    @Test func `after weeks without a link the published columns alone are read from where they ended`()
        throws
    {
        let rig = try Rig()
        rig.server.isExtended = false
        try rig.run(for: .minutes(1))
        func row(_ table: String) -> String? {
            rig.server.requests("GET", "/rest/v1/\(table)").last { $0.first("limit") == "500" }?
                .first(table == "violation_outcomes" ? "recorded_at" : "created_at")
        }
        let violation = UUID().uuidString.lowercased()
        rig.server.insert(
            "violation_outcomes",
            [
                "violation_id": violation, "outcome_type": "warned", "fine_amount": NSNull(), "notes": NSNull(),
                "recorded_by": ParkServer.ranger, "recorded_at": "2026-11-21T09:00:00+00:00",
            ])
        try rig.run(for: .minutes(1))
        rig.clock.advance(.hours(21 * 24))
        try rig.run(for: .minutes(1))
        #expect(row("violation_outcomes")?.hasPrefix("gte.2026-11-21T08:59:50") == true)
    }

    @Test func `the server learns when a screen first showed an alert, once`() throws {
        let park = try RealPark()
        let (a, b) = (try Post("a", park), try Post("b", park))
        try a.record("BA 1 PA 1234", minute: -30)
        try a.run()
        try b.record("BA 1 PA 1234", minute: 0)
        try b.run(seconds: 62)
        let found = try #require(try b.store.violations.list().first)
        try b.store.deliveries.note(violation: found.id, shownAt: b.clock.now)
        try b.run(seconds: 62)
        func told() throws -> [String] {
            try park.query(
                "select (extract(epoch from alert_delivered_at) * 1000)::bigint, server_seq from violations")
        }
        let first = try told()
        let shownAt = try #require(try b.store.deliveries.shownAt(violation: found.id))
        #expect(first.first?.hasPrefix("\(shownAt.milliseconds)|") == true)
        #expect(try b.store.deliveries.toTell(limit: 9).isEmpty)
        try b.run(seconds: 62)
        #expect(try told() == first, "it is told once")
        // The other post's screen shows it later; the earlier time stays.
        try a.run(seconds: 62)
        let there = try #require(try a.store.violations.list().first)
        try a.store.deliveries.note(violation: there.id, shownAt: a.clock.now + .minutes(10))
        try a.run(seconds: 62)
        #expect(try a.store.deliveries.toTell(limit: 9).isEmpty)
        #expect(try told().first?.split(separator: "|").first == first.first?.split(separator: "|").first)
    }

    @Test func `a new disk whose camera gives the same pictures once more adds no row`() throws {
        let park = try RealPark()
        let old = try Post("a", park)
        let first = try old.record("BA 1 PA 1234", minute: -30)
        try old.record("BA 2 PA 2222", minute: -20)
        try old.run()
        let rows = try park.query("select id, client_id from vehicle_passages order by id")

        let new = try Post("a", park)
        new.clock.advance(.minutes(2))
        // One before the first cycle, one after it.
        try new.record("BA 1 PA 1234", minute: -30)
        try new.run(seconds: 35)
        var commit = FrameCommit(camera: "gate", at: new.clock.now)
        var again = first
        again = Passage(
            clientID: UUID(), plate: Plate(canonical: "BA 2 PA 2222"), plateRaw: "BA 2 PA 2222", vehicleType: .car,
            checkpostCode: "BNP-A", recordedAt: again.recordedAt + .minutes(10), clockState: .synchronised,
            origin: .camera)
        commit.recordings = [.init(passage: again, sighting: nil)]
        #expect(try new.store.frames.commit(commit).isEmpty)
        try new.run(seconds: 62)
        #expect(try park.query("select id, client_id from vehicle_passages order by id") == rows)
        #expect(try new.store.passages.list().count == 2)
        #expect(try new.store.queue.counts() == [.pending: 0, .inFlight: 0, .failed: 0, .synced: 2])
        #expect(try new.store.passages.passage(clientID: first.clientID)?.queueStatus == .synced)
    }

    @Test func `a new disk gets this post's last days back, and goes on where the old one ended`() throws {
        let park = try RealPark()
        let (old, b) = (try Post("a", park), try Post("b", park))
        let caught = try old.record("BA 1 PA 1234", minute: -30)
        let open = try old.record("BA 2 PA 2222", minute: -20)
        let ancient = try old.record("BA 3 PA 3333", minute: -5 * 24 * 60)
        try old.run()
        try b.record("BA 1 PA 1234", minute: 0)
        try b.run()
        try old.run(seconds: 31)
        try old.store.violations.record(
            Outcome(kind: .fined, recordedBy: "Hari", recordedAt: old.clock.now),
            ofViolation: try #require(old.store.violations.list().first).id)
        try old.run(seconds: 31)
        let rows = try park.query("select id, server_seq from vehicle_passages order by id")

        let new = try Post("a", park)
        new.clock.advance(.minutes(2))
        try new.run(seconds: 35)
        let passages = try new.store.passages.list()
        #expect(Set(passages.map(\.passage.clientID)) == [caught.clientID, open.clientID])
        #expect(passages.allSatisfy { $0.serverID != nil && $0.queueStatus == .synced })
        #expect(passages.first { $0.id == caught.clientID }?.passage.plate.canonical == "BA 1 PA 1234")
        #expect(passages.first { $0.id == caught.clientID }?.passage.recordedAt == caught.recordedAt)
        let violation = try #require(try new.store.violations.list().first)
        #expect(violation.violation.state == .confirmed)
        #expect(violation.outcome?.recordedBy == "Hari")
        #expect(try new.store.passages.passage(clientID: ancient.clientID) == nil)
        // Nothing went to the server again.
        #expect(try park.query("select id, server_seq from vehicle_passages order by id") == rows)
        #expect(
            try new.store.alerts.openEntries(from: open.recordedAt, until: new.clock.now).map(\.passage.clientID) == [
                open.clientID
            ])

        try b.record("BA 2 PA 2222", minute: 60)
        try b.run(seconds: 31)
        try new.run(seconds: 31)
        #expect(try new.store.passages.passage(clientID: open.clientID)?.isMatched == true)
        try new.store.passages.withdraw(clientID: open.clientID, reason: "a test", by: "Hari", at: new.clock.now)
        try new.run(seconds: 31)
        #expect(
            try park.query("select count(*) from vehicle_passages where client_id = '\(open.clientID)'") == ["0"])
        #expect(try new.store.passages.list().count == passages.count)
    }
}
