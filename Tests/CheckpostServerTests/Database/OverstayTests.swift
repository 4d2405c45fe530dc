import Enforcement
import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("The server's overstay round", .timeLimit(.minutes(10)))
struct OverstayTests {
    let database: TestDatabase

    init() throws {
        database = try TestDatabase()
    }

    private func tell(
        _ waiting: String = "[]", of post: String = TestDatabase.postB, asOf: String = "now()"
    ) throws {
        try database.owner.run(
            """
            insert into post_reviews (checkpost_id, as_of, waiting) values ($1, \(asOf), $2::jsonb)
            on conflict (checkpost_id) do update set as_of = excluded.as_of, waiting = excluded.waiting
            """, [post, waiting])
    }

    private func record(_ plate: String, at post: String = TestDatabase.postA, hoursAgo: Double) throws {
        let time = try #require(
            try database.owner.value("select now() - make_interval(secs => $1::float8)", [String(hoursAgo * 3600)]))
        try database.owner.record(plate, at: post, time)
    }

    private func round() throws -> String? { try database.owner.value("select checkpost.check_overstay()") }

    private func doubts(_ plate: String) throws -> String? {
        try database.owner.value("select doubts from proactive_overstay_alerts where plate_number = $1", [plate])
    }

    @Test func `judges like the box`() throws {
        let overstays = try Contract.overstays()
        let numbers = overstays.segment
        let segment = "c0000000-0000-4000-8000-000000000001"
        try database.owner.runScript(
            """
            insert into highway_segments (id, park_id, name, distance_km, max_speed_kmh, min_speed_kmh)
            values ('\(segment)', 'b0000000-0000-4000-8000-000000000001', 'contract', \(numbers.distance_km),
                \(numbers.max_speed_kmh), \(numbers.min_speed_kmh));
            insert into checkposts (segment_id, name, code, position_index)
            values ('\(segment)', 'A', 'J-A', 1), ('\(segment)', 'B', 'J-B', 0);
            """)
        let insert = """
            insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at, clock_state, travel)
            select gen_random_uuid(), $1, 'car', c.id, $2::timestamptz, $3, $5 from checkposts c where c.code = $4
            """
        for example in overstays.cases {
            try database.owner.run("begin")
            try database.owner.run(insert, [example.plate, example.at, example.clock, "J-A", example.travel])
            if let known = example.known {
                try database.owner.run(insert, ["KO9PA777", known, "synchronised", "J-B", nil])
            }
            if let asOf = example.as_of {
                let waiting = String(decoding: try JSONEncoder().encode(example.waiting), as: UTF8.self)
                try database.owner.run(
                    """
                    insert into post_reviews (checkpost_id, as_of, waiting)
                    select c.id, $1::timestamptz, $2::jsonb from checkposts c where c.code = 'J-B'
                    """, [asOf, waiting])
            }
            try database.owner.run("select checkpost.raise_overstay_alerts(500, $1::timestamptz)", [example.now])
            let rows = try database.owner.run(
                """
                select coalesce(string_agg(coalesce(d ->> 'from' || ' to ', '') || coalesce(d ->> 'at', d ->> 'kind'), ','
                    order by d ->> 'at'), ''), a.is_doubtful
                from proactive_overstay_alerts a left join lateral jsonb_array_elements(a.doubts) d on true
                where a.plate_number = $1 group by a.id
                """, [example.plate]
            ).rows
            let doubts = rows.first.map { ($0[0] ?? "").split(separator: ",").map(String.init) }
            #expect(doubts == example.doubts, "\(example.name)")
            #expect(rows.first?[1] == example.doubts.map { $0.isEmpty ? "f" : "t" }, "\(example.name)")
            try database.owner.run("rollback")
        }
    }

    @Test
    func `raises an alert as the published schema has it where the other post never told its reviews, as doubtful`()
        throws
    {
        try record("BA1PA1", hoursAgo: 6)
        #expect(try round() == "1")
        let unknown = #"[{"kind": "reviews_unknown", "checkpost": "BNP-B"}]"#
        #expect(try doubts("BA1PA1") == unknown)
        // Its first word doesn't make the alert sure: nobody knows what it saw until the deadline.
        try tell()
        #expect(try round() == "0")
        #expect(try doubts("BA1PA1") == unknown)
        try record("KO9PA777", at: TestDatabase.postB, hoursAgo: 0)
        #expect(try round() == "0")
        #expect(try doubts("BA1PA1") == "[]")
    }

    @Test func `waits for the other post's ranger, and raises the alert when he has decided`() throws {
        try record("KO9PA777", at: TestDatabase.postB, hoursAgo: 0)
        try record("BA1PA1234", hoursAgo: 6)
        let at = try #require(try database.owner.value("select (now() - interval '4 hours')::text"))
        try tell(#"[{"at": "\#(at)", "plate": "BA 1 PA 12?4"}]"#)
        #expect(try round() == "0")
        try tell()
        #expect(try round() == "1")
        #expect(try doubts("BA1PA1234") == "[]")
    }

    @Test func `is doubtful while a text that nobody has proven tells of an exit`() throws {
        try record("KO9PA777", at: TestDatabase.postB, hoursAgo: 0)
        try record("BA1PA1234", hoursAgo: 6)
        try tell()
        let at = Int(Date().timeIntervalSince1970) - 3600
        // Of another vehicle, and of one that came in later.
        for (plate, seconds) in [("BA1PA1234", at), ("BA1PA9", at), ("BA1PA1234", at - 18_001)] {
            let text = "V1|BNP-B|\(plate)|CAR|\(seconds)|0000"
            let result = "select checkpost.receive_sms($1, '+9779811111111', null) ->> 'result'"
            #expect(try database.owner.value(result, [text]) == "inserted")
        }
        #expect(try round() == "1")
        let time = Instant(milliseconds: Int64(at) * 1000).iso8601
        let said = #"[{"at": "\#(time)", "kind": "told_by_text", "checkpost": "BNP-B"}]"#
        #expect(try doubts("BA1PA1234") == said)
        #expect(try database.owner.value("select is_doubtful from proactive_overstay_alerts") == "t")
        // The next round asks again.
        #expect(try round() == "0")
        #expect(try doubts("BA1PA1234") == said)
        try database.owner.run("delete from vehicle_passages where plate_number = 'BA1PA1234' and source = 'sms'")
        #expect(try round() == "0")
        #expect(try doubts("BA1PA1234") == "[]")
    }

    @Test func `says what an open alert waits for, as long as it does`() throws {
        try record("KO9PA777", at: TestDatabase.postB, hoursAgo: 0)
        try record("BA1PA1234", hoursAgo: 6)
        try tell()
        #expect(try round() == "1")
        // It came late, and a ranger has to read its plate.
        try tell(#"[{"at": "2099-01-01T00:00:00.500Z", "plate": ""}]"#)
        #expect(try round() == "0")
        #expect(
            try doubts("BA1PA1234")
                == #"[{"at": "2099-01-01T00:00:00.500Z", "kind": "waits_for_review", "checkpost": "BNP-B"}]"#)
        try tell()
        #expect(try round() == "0")
        #expect(try doubts("BA1PA1234") == "[]")
    }

    @Test(arguments: [
        #"[{"at": "no time", "plate": "BA1PA1234"}, 7, null, "x", {}, {"at": "2026-13-45T99:00:00Z"}]"#,
        #"[{"at": "infinity", "plate": null}, {"at": {"a": 1}, "plate": [1]}, {"at": "9999999-01-01"}]"#,
    ]) func `is not ended by what a post tells`(waiting: String) throws {
        try record("KO9PA777", at: TestDatabase.postB, hoursAgo: 0)
        try record("BA1PA1234", hoursAgo: 6)
        try tell(waiting)
        #expect(try round() == "1")
        #expect(try doubts("BA1PA1234") == "[]")
    }
}
