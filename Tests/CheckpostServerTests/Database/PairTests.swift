import Foundation
import Testing

@testable import checkpost_server

/// What the cases of `Tests/Contract/judging.json` don't say: alerts, what falls away, who holds what, and what it costs.
@Suite("The pairs of a vehicle", .timeLimit(.minutes(10)))
struct PairTests {
    let database: TestDatabase

    init() throws {
        database = try TestDatabase()
    }

    @discardableResult
    private func record(_ post: String, _ time: String, _ plate: String = "A1") throws -> String {
        try database.owner.record(
            plate, at: post == "A" ? TestDatabase.postA : TestDatabase.postB, "2026-11-21T\(time)Z") ?? ""
    }

    /// `A10:00-B11:30 B12:00`: pairs by their entry, and who is alone.
    private func pairs() throws -> String? {
        try database.owner.value(
            """
            select string_agg(right(c.code, 1) || to_char(p.recorded_at at time zone 'UTC', 'HH24:MI')
                || coalesce('-' || right(d.code, 1) || to_char(q.recorded_at at time zone 'UTC', 'HH24:MI'), ''), ' ' order by p.recorded_at)
            from vehicle_passages p join checkposts c on c.id = p.checkpost_id
            left join vehicle_passages q on q.id = p.matched_passage_id left join checkposts d on d.id = q.checkpost_id
            where p.is_entry is not false
            """)
    }

    @Test func `that falls away leaves its violation readable, with the reason`() throws {
        for (post, time) in [("A", "04:00:00"), ("A", "10:00:00"), ("B", "08:45:00")] { try record(post, time) }
        #expect(try database.owner.value("select violation_type from violations") == "overstay")
        try record("B", "08:00:00")
        #expect(try pairs() == "A04:00-B08:00 B08:45-A10:00")
        #expect(try database.owner.value("select count(*) from violations") == "0")
        #expect(
            try database.owner.run("select violation ->> 'violation_type', reason from withdrawn_violations").rows
                == [["overstay", "other passages of the vehicle came, and its pairs were worked out anew"]])
    }

    @Test func `that falls away opens the alert again that it had answered`() throws {
        let entry = try record("A", "04:00:00")
        #expect(try database.owner.overstayRound() == "1")
        let exit = try record("B", "14:00:00")
        let open = "select entry_passage_id, resolved_by_passage_id from proactive_overstay_alerts order by entry_time"
        #expect(try database.owner.run(open).rows == [[entry, exit]])
        let between = try record("A", "12:00:00")
        #expect(try pairs() == "A04:00 A12:00-B14:00")
        #expect(try database.owner.run(open).rows == [[entry, nil]])
        // The passage in between was never there: the alert is answered once more.
        try database.owner.run("delete from vehicle_passages where id = $1", [between])
        #expect(try database.owner.run(open).rows == [[entry, exit]])
    }

    @Test func `follow a passage whose time or plate is put right`() throws {
        try record("A", "04:00:00")
        try record("A", "10:00:00")
        let wrong = try record("B", "20:00:00")
        try record("B", "08:45:00")
        #expect(try pairs() == "A04:00-B08:45 A10:00-B20:00")
        try database.owner.run(
            "update vehicle_passages set recorded_at = '2026-11-21T08:00:00Z' where id = $1", [wrong])
        #expect(try pairs() == "A04:00-B08:00 B08:45-A10:00")
        try database.owner.run("update vehicle_passages set plate_number = 'A2' where id = $1", [wrong])
        #expect(try pairs() == "A04:00-B08:45 B08:00 A10:00")
        try database.owner.run("update vehicle_passages set plate_number = 'A1' where id = $1", [wrong])
        #expect(try pairs() == "A04:00-B08:00 B08:45-A10:00")
    }

    @Test func `are worked out anew when a warden deletes one, who excuses nobody that has another partner`() throws {
        try record("A", "10:00:00")
        let first = try record("B", "11:30:00")
        let second = try record("B", "12:00:00")
        try database.owner.run("delete from vehicle_passages where id = $1", [first])
        #expect(try pairs() == "A10:00-B12:00")
        #expect(try database.owner.value("select count(*) from proactive_overstay_alerts") == "0")
        try database.owner.run("delete from vehicle_passages where id = $1", [second])
        #expect(try database.owner.value("select count(*) from proactive_overstay_alerts where resolved") == "1")
    }

    @Test func `that were made by nearness are put right when a passage comes beside them`() throws {
        for (post, time) in [("A", "04:00:00"), ("B", "08:00:00"), ("B", "08:45:00"), ("A", "10:00:00")] {
            try record(post, time)
        }
        // As they stood before: by the order of arrival.
        try database.owner.runScript(
            """
            update vehicle_passages set matched_passage_id = null;
            update vehicle_passages p set matched_passage_id = q.id, is_entry = p.recorded_at < q.recorded_at from vehicle_passages q
                where extract(epoch from p.recorded_at - q.recorded_at) / 60 in (-285, 285, -120, 120)
            """)
        #expect(try pairs() == "A04:00-B08:45 B08:00-A10:00")
        try record("B", "11:30:00")
        #expect(try pairs() == "A04:00-B08:00 B08:45-A10:00 B11:30")
    }

    @Test func `are refused to a device where the vehicle was seen in between`() throws {
        let hari = try database.addUser("hari", post: TestDatabase.postA)
        try database.owner.run("update server_settings set value = '0.001' where key = 'matching.window_hours'")
        let (first, second, exit) = (
            try record("A", "04:00:00"), try record("A", "10:00:00"), try record("B", "12:00:00")
        )
        try database.owner.run("update server_settings set value = '24' where key = 'matching.window_hours'")
        func propose(_ entry: String) -> String? {
            do {
                return try database.asUser(hari) {
                    try $0.value("select checkpost.match_passage($1::uuid, $2::uuid) ->> 'matched'", [entry, exit])
                }
            } catch {
                return (error as? PostgresError)?.sqlState
            }
        }
        #expect(propose(first) == "PT422")
        #expect(propose(second) == "true")
        #expect(try pairs() == "A04:00 A10:00-B12:00")
    }

    @Test func `of a violation whose outcome is being recorded stay as they are`() throws {
        try record("A", "04:00:00")
        try record("B", "08:45:00")
        let ranger = try database.connect()
        try ranger.run("begin")
        try ranger.run(
            "insert into violation_outcomes (violation_id, outcome_type) select id, 'warned' from violations")
        // The passage is recorded all the same, and nobody waits.
        try record("B", "08:00:00")
        #expect(try pairs() == "A04:00-B08:45 B08:00")
        try ranger.run("commit")
        #expect(try database.owner.value("select checkpost.match_leftovers()") == "0")
        #expect(try pairs() == "A04:00-B08:45 B08:00")
        #expect(try database.owner.value("select count(*) from checkpost.skipped_matches") == "0")
    }

    @Test func `are worked out later where somebody holds one of them`() throws {
        let entry = try record("A", "04:00:00")
        try record("B", "08:45:00")
        let holder = try database.connect()
        try holder.run("begin")
        try holder.run("select 1 from vehicle_passages where id = $1 for update", [entry])
        try record("B", "08:00:00")
        #expect(try pairs() == "A04:00-B08:45 B08:00")
        try holder.run("rollback")
        _ = try database.owner.value("select checkpost.match_leftovers()")
        #expect(try pairs() == "A04:00-B08:00 B08:45")
    }

    @Test func `are the same whoever of many comes first`() async throws {
        let url = database.ownerURL
        let times = [("A", "04:00:00"), ("A", "10:00:00"), ("B", "08:00:00"), ("B", "08:45:00")]
        for round in 0..<8 {
            _ = try await together(20) { index in
                let connection = try PostgresConnection(url: url)
                let (post, time) = times[index % 4]
                try connection.record(
                    "R\(round)V\(index / 4)", at: post == "A" ? TestDatabase.postA : TestDatabase.postB,
                    "2026-11-21T\(time)Z")
            }
        }
        #expect(try database.owner.value("select count(*) from violations") == "0")
        #expect(
            try database.owner.run(
                """
                select distinct extract(hour from e.recorded_at)::int, extract(epoch from x.recorded_at - e.recorded_at)::int / 60
                from vehicle_passages e join vehicle_passages x on x.id = e.matched_passage_id and x.matched_passage_id = e.id
                where e.is_entry order by 1
                """
            ).rows == [["4", "240"], ["8", "75"]])
        #expect(try database.owner.value("select count(matched_passage_id) from vehicle_passages") == "160")
    }

    /// A plate that one camera of each post sees the same way for months: a run without an end.
    @Test func `cost the same however long a plate is known, and stay whole where a run has no end`() throws {
        try database.owner.run(
            """
            insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at)
            select gen_random_uuid(), 'A1', 'bus', (array[$1, $2])[g % 2 + 1]::uuid, '2026-01-01'::timestamptz + g * interval '2 hours'
            from generate_series(0, 1999) g
            """, [TestDatabase.postA, TestDatabase.postB])
        #expect(try database.owner.value("select count(matched_passage_id) from vehicle_passages") == "2000")
        // Of a table this small that was never analysed, reading all of it looks as cheap as an index.
        try database.owner.run("analyze vehicle_passages")
        // What an earlier transaction read may still be counted with this one's.
        let count =
            "select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables where relid = 'public.vehicle_passages'::regclass"
        func reads(_ hours: Int) throws -> Int {
            try database.owner.run("begin")
            let before = try database.owner.value(count).flatMap { Int($0) } ?? 0
            try database.owner.run(
                """
                insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at)
                values (gen_random_uuid(), 'A1', 'bus', $1::uuid, '2026-01-01'::timestamptz + $2::int * interval '1 hour')
                """, [TestDatabase.postA, String(hours)])
            let after = try database.owner.value(count).flatMap { Int($0) } ?? .max
            try database.owner.run("commit")
            return after - before
        }
        let (atTheEnd, inTheMiddle) = (try reads(4000), try reads(2001))
        #expect(atTheEnd < 200)
        // In the middle it moves the pairs behind it, as far as the walk reaches.
        #expect(inTheMiddle < 1000)
        let broken = try database.owner.value(
            """
            select count(*) from vehicle_passages p left join vehicle_passages o on o.id = p.matched_passage_id
            where p.matched_passage_id is not null and (o.matched_passage_id is distinct from p.id or o.checkpost_id = p.checkpost_id)
            """)
        #expect(broken == "0")
        #expect(try database.owner.value("select count(*) from checkpost.skipped_matches") == "0")
    }
}
