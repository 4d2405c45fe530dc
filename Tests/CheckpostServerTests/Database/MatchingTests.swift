import Foundation
import Testing

@testable import checkpost_server

@Suite("The server's match", .timeLimit(.minutes(10)))
struct MatchingTests {
    let database: TestDatabase

    init() throws {
        database = try TestDatabase()
    }

    private func violation() throws -> [String?] {
        try database.owner.run(
            """
            select violation_type, round(travel_time_minutes, 2), round(calculated_speed_kmh, 2), speed_limit_kmh,
                distance_km from violations
            """
        ).rows.first ?? []
    }

    @Test func `links entry and exit and finds speeding`() throws {
        let entry = try database.owner.record("BA 1 PA 1234", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        let exit = try database.owner.record("ba1pa1234", at: TestDatabase.postB, "2026-11-21T11:00:00Z")
        let links = try database.owner.run(
            "select id, matched_passage_id, is_entry from vehicle_passages order by recorded_at"
        ).rows
        #expect(links == [[entry, exit, "t"], [exit, entry, "f"]])
        #expect(try violation() == ["speeding", "60.00", "45.00", "40.00", "45.00"])
    }

    @Test func `takes the earlier passage as the entry, whichever arrives first`() throws {
        let exit = try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T11:00:00Z")
        try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T10:00:00Z")
        #expect(try database.owner.value("select exit_passage_id from violations") == exit)
    }

    @Test func `finds overstay`() throws {
        try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T15:00:00Z")
        #expect(try violation() == ["overstay", "300.00", "9.00", "10.00", "45.00"])
    }

    @Test(arguments: [
        ("2026-11-21T11:07:30Z", nil), ("2026-11-21T11:07:29.999Z", "speeding"), ("2026-11-21T14:30:00Z", nil),
        ("2026-11-21T14:30:00.001Z", "overstay"),
    ])
    func `finds nothing exactly on a limit`(exit: String, kind: String?) throws {
        try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        try database.owner.record("A1", at: TestDatabase.postB, exit)
        #expect(try database.owner.value("select violation_type from violations") == kind)
        #expect(try database.owner.value("select count(*) from vehicle_passages where is_entry") == "1")
    }

    @Test func `judges unrounded where the generated minutes would judge otherwise`() throws {
        // 10 km at 37 km/h take 972.97 s. The rounded 16.22 minutes are 973.2 s, which would blame 973.1 s.
        try database.owner.run(
            "update highway_segments set distance_km = 10, max_speed_kmh = 37 where id = $1", [TestDatabase.segment])
        try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T10:16:13.100Z")
        #expect(try database.owner.value("select count(*) from violations") == "0")
        #expect(
            try database.owner.value(
                "select min_travel_time_minutes from highway_segments where distance_km = 10 and max_speed_kmh = 37")
                == "16.22")
    }

    @Test func `stores no speed when no time passed`() throws {
        try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T10:00:00Z")
        try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        #expect(try violation() == ["speeding", "0.00", nil, "40.00", "45.00"])
    }

    @Test func `takes the nearest in time and leaves the others open`() throws {
        try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T08:00:00Z")
        let near = try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        let exit = try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T12:00:00Z")
        #expect(
            try database.owner.value("select matched_passage_id from vehicle_passages where id = $1", [exit]) == near)
        #expect(
            try database.owner.value("select count(*) from vehicle_passages where matched_passage_id is null") == "1")
    }

    @Test(arguments: [
        ("A1", TestDatabase.postA, "2026-11-21T11:00:00Z"), ("A2", TestDatabase.postB, "2026-11-21T11:00:00Z"),
        ("A1", TestDatabase.postC, "2026-11-21T11:00:00Z"), ("A1", TestDatabase.postB, "2026-11-22T10:00:01Z"),
    ])
    func `leaves alone another post of its own, plate, segment and day`(plate: String, post: String, time: String)
        throws
    {
        try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        try database.owner.record(plate, at: post, time)
        #expect(try database.owner.value("select count(matched_passage_id) from vehicle_passages") == "0")
    }

    @Test func `follows the setting of the window`() throws {
        try database.owner.run("update server_settings set value = '48' where key = 'matching.window_hours'")
        try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        try database.owner.record("A1", at: TestDatabase.postB, "2026-11-22T10:00:01Z")
        #expect(try violation().first == "overstay")
    }

    @Test func `links on an untrusted clock but blames nobody`() throws {
        try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z", clockState: "untrusted")
        try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T10:10:00Z", clockState: "synchronised")
        #expect(try database.owner.value("select count(matched_passage_id) from vehicle_passages") == "2")
        #expect(try database.owner.value("select count(*) from violations") == "0")
    }

    @Test func `keeps the limits of the moment in the violation`() throws {
        try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T11:00:00Z")
        try database.owner.run("update highway_segments set max_speed_kmh = 90, distance_km = 50")
        #expect(try violation() == ["speeding", "60.00", "45.00", "40.00", "45.00"])
    }

    @Test func `answers the alert of a vehicle that came out after all`() throws {
        try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        #expect(try database.owner.overstayRound() == "1")
        #expect(try database.owner.overstayRound() == "0")
        let exit = try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T20:00:00Z")
        #expect(
            try database.owner.run(
                "select resolved, resolved_at is not null, resolved_by_passage_id from proactive_overstay_alerts"
            ).rows == [["t", "t", exit]])
    }

    @Test func `raises no alert before the longest time is over`() throws {
        for minutes in [269, 271] {
            try database.owner.run(
                """
                insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at)
                values (gen_random_uuid(), 'A' || $1, 'car', $2::uuid, now() - make_interval(mins => $1::int))
                """, [String(minutes), TestDatabase.postA])
        }
        try database.owner.run("select checkpost.check_overstay()")
        #expect(try database.owner.run("select plate_number from proactive_overstay_alerts").rows == [["A271"]])
    }

    @Test func `raises alerts in small steps, none twice, none older than its look-back, and holds up nobody`() throws {
        try database.owner.run(
            """
            insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at)
            select gen_random_uuid(), 'A' || n, 'car', $1::uuid, now() - make_interval(hours => 5 + n) from generate_series(1, 25) n
            union all select gen_random_uuid(), 'OLD', 'car', $1::uuid, now() - interval '40 days'
            """, [TestDatabase.postA])
        let round = try database.connect()
        try round.run("begin")
        #expect(try round.value("select checkpost.raise_overstay_alerts(10, now())") == "10")
        // The step is still open: others record all the same.
        try database.owner.record("B1", at: TestDatabase.postB, "2026-11-21T10:00:00Z")
        try round.run("commit")
        #expect(try database.owner.value("select checkpost.raise_overstay_alerts(10, now())") == "10")
        #expect(try database.owner.value("select checkpost.raise_overstay_alerts(10, now())") == "6")
        #expect(try database.owner.value("select checkpost.raise_overstay_alerts(10, now())") == "0")
        #expect(
            try database.owner.value("select count(*) from proactive_overstay_alerts where plate_number = 'OLD'") == "0"
        )
    }

    @Test func `opens the other passage again when one is deleted`() throws {
        try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        let exit = try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T12:00:00Z")
        try database.owner.run("delete from vehicle_passages where id = $1", [exit])
        #expect(
            try database.owner.run("select matched_passage_id, is_entry from vehicle_passages").rows == [[nil, nil]])
    }

    @Test func `keeps a passage that is evidence`() throws {
        try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T10:30:00Z")
        #expect(throws: PostgresError.self) { try database.owner.run("delete from vehicle_passages") }
    }

    @Test func `matches once when the plate was corrected`() throws {
        try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        let wrong = try database.owner.record("AI", at: TestDatabase.postB, "2026-11-21T11:00:00Z")
        try database.owner.run("update vehicle_passages set plate_number = 'A1' where id = $1", [wrong])
        #expect(try violation().first == "speeding")
    }

    @Test func `records a passage although somebody holds its partner, and matches later`() throws {
        let entry = try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        let holder = try database.connect()
        try holder.run("begin")
        try holder.run("select 1 from vehicle_passages where id = $1 for update", [entry])
        #expect(try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T11:00:00Z") != nil)
        #expect(try database.owner.value("select count(*) from violations") == "0")
        try holder.run("rollback")
        #expect(try database.owner.value("select checkpost.match_leftovers()") == "1")
        #expect(try violation().first == "speeding")
    }
}
