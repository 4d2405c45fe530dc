import Enforcement
import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("What a warden says of two passages", .timeLimit(.minutes(10)))
struct PairWordTests: WardensDesk {
    let database: TestDatabase
    let hari: String
    let warden: String

    private func record(_ plate: String, _ post: String, _ time: String) throws -> String {
        try database.owner.record(
            plate, at: post == "A" ? TestDatabase.postA : post == "B" ? TestDatabase.postB : TestDatabase.postC,
            "2026-11-21T\(time):00Z") ?? ""
    }

    /// The answer; of a refusal what the page says of it, or its SQLSTATE.
    private func tell(_ function: String, _ word: [String: String], as user: String? = nil) throws -> String? {
        let all = ["id": UUID().uuidString, "reason": "looked"].merging(word) { $1 }
        let json = String(decoding: try JSONSerialization.data(withJSONObject: all), as: UTF8.self)
        do {
            return try database.asUser(user ?? warden) {
                try $0.value("select a ->> 'changed' from checkpost.\(function)($1::jsonb) a", [json])
            }
        } catch let error as PostgresError {
            return error.detail ?? error.sqlState
        }
    }

    private func judge(
        _ one: String, _ other: String, _ verdict: String, plate: String? = nil, id: String? = nil,
        as user: String? = nil
    ) throws -> String? {
        var word = ["one": one, "other": other, "verdict": verdict]
        word["plate"] = plate
        word["id"] = id
        return try tell("judge_vehicles", word, as: user)
    }

    private func undo(id: String? = nil, as user: String? = nil) throws -> String? {
        let newest =
            try database.owner.value(
                "select id from pair_changes where kind <> 'undone' order by created_at desc limit 1")
        var word = ["of": newest ?? ""]
        word["id"] = id
        return try tell("undo_pair_change", word, as: user)
    }

    /// `BA1PA1234-BA1PA1234`, or each alone.
    private func pairs() throws -> String? {
        try database.owner.value(
            """
            select string_agg(p.plate_number || coalesce('-' || q.plate_number, ''), ' ' order by p.recorded_at) from vehicle_passages p
            left join vehicle_passages q on q.id = p.matched_passage_id where p.is_entry is not false
            """)
    }

    private func doubtful(as user: String? = nil) throws -> [[String]] {
        let text = try database.asUser(user ?? warden) {
            try $0.value("select checkpost.doubtful_pairs(null) ->> 'pairs'")
        }
        return try JSONDecoder().decode([[String]].self, from: Data((text ?? "[]").utf8))
    }

    @Test func `makes one vehicle of plates that look alike, judged, and takes it back`() throws {
        let (entry, exit) = (try record("BA1PA1234", "A", "10:00"), try record("BA1PHA1234", "B", "10:30"))
        #expect(try doubtful() == [[entry, exit]])
        let id = UUID().uuidString
        #expect(try judge(exit, entry, "one", plate: "ba 1 pa 1234", id: id) == "true")
        #expect(try judge(exit, entry, "one", plate: "BA1PA1234", id: id) == "false", "once, however often it is sent")
        #expect(try pairs() == "BA1PA1234-BA1PA1234")
        #expect(try count("violations", "violation_type = 'speeding'") == "1")
        #expect(try doubtful() == [])
        let kept = try database.owner.run(
            """
            select c.kind, c.entry_plate, c.exit_plate, c.reason, c.changed_by, p.old_plate_number, p.new_plate_number, p.changed_by
            from pair_changes c join passage_changes p on p.id = c.passage_change_id
            """
        ).rows
        #expect(
            kept == [["joined", "BA1PA1234", "BA1PHA1234", "looked", warden, "BA1PHA1234", "BA1PA1234", warden]])

        #expect(try undo() == "true")
        #expect(try pairs() == "BA1PA1234 BA1PHA1234")
        #expect(try count("violations") == "0")
        #expect(try count("withdrawn_violations", "reason = 'looked'") == "1")
        #expect(try undo() == "error_gone")
        #expect(try doubtful() == [[entry, exit]])
    }

    @Test func `ends the doubt of an alert where it says that they are two, and begins it again`() throws {
        let (entry, exit) = (try record("BA1PA1234", "A", "04:00"), try record("BA1PHA1234", "B", "05:30"))
        _ = try database.owner.overstayRound()
        let doubtsNow = "select is_doubtful from proactive_overstay_alerts where entry_passage_id = $1"
        let doubts =
            "select doubts @> '[{\"kind\": \"looks_alike\"}]' from proactive_overstay_alerts where entry_passage_id = $1"
        #expect(try database.owner.value(doubts, [entry]) == "t")
        #expect(try judge(entry, exit, "two") == "true")
        #expect(try database.owner.value(doubts, [entry]) == "f")
        #expect(try database.owner.value(doubtsNow, [entry]) != nil)
        #expect(try doubtful() == [])
        #expect(try judge(entry, exit, "two") == "error_gone")
        #expect(try judge(entry, exit, "part") == "error_gone")
        #expect(try judge(entry, exit, "one", plate: "BA1PA1234") == "error_gone", "take that word back first")
        #expect(try undo() == "true")
        #expect(try database.owner.value(doubts, [entry]) == "t")
        #expect(try doubtful() == [[entry, exit]])
    }

    @Test func `takes a match back with its violation and its outcome, and it stays back whatever comes`() throws {
        let (entry, exit) = (try record("A1", "A", "10:00"), try record("A1", "B", "10:30"))
        try database.owner.run(
            "insert into violation_outcomes (violation_id, outcome_type) select id, 'warned' from violations")
        #expect(try judge(entry, exit, "two") == "error_gone", "whoever saw them open saw something else")
        #expect(try judge(entry, exit, "part") == "true")
        #expect(try pairs() == "A1 A1")
        #expect(try count("withdrawn_violations", "outcome ->> 'outcome_type' = 'warned' and reason = 'looked'") == "1")
        #expect(try count("pair_changes", "kind = 'parted' and old_violation ->> 'violation_type' = 'speeding'") == "1")
        // A post that proposes it again is refused, and another passage of the plate pairs as the walk says.
        let refused = state {
            try database.asUser(hari) {
                _ = try $0.run("select checkpost.match_passage($1::uuid, $2::uuid)", [entry, exit])
            }
        }
        #expect(refused == "PT422")
        let back = try record("A1", "A", "12:30")
        #expect(try pairs() == "A1 A1-A1")
        #expect(try count("vehicle_passages", "id = '\(exit)' and matched_passage_id = '\(back)' and is_entry") == "1")
        // Taken back, the walk says what it says without the word.
        #expect(try undo() == "true")
        #expect(try count("vehicle_passages", "id = '\(exit)' and matched_passage_id = '\(entry)'") == "1")
        #expect(try count("violations") == "1")
    }

    @Test func `makes no pair that the passages contradict, and corrects nothing then`() throws {
        let (entry, exit) = (try record("BA1PA1234", "A", "04:00"), try record("GA9KHA77", "B", "12:00"))
        let between = try record("BA1PA1234", "A", "11:00")
        #expect(try judge(entry, exit, "one", plate: "BA1PA1234") == "error_pair_walk")
        #expect(try count("passage_changes") == "0")
        #expect(try judge(between, exit, "one", plate: "BA1PA1234") == "true", "whatever the plates are")
        #expect(try pairs() == "BA1PA1234 BA1PA1234-BA1PA1234")

        let (part, whole) = (try record("DA1PA12?4", "A", "14:00"), try record("DA1PA1234", "B", "15:30"))
        #expect(try judge(part, whole, "one", plate: "DA1PA12?4") == "error_pair_partial")
        #expect(try judge(part, whole, "one", plate: "DA1PA9999") == "error_gone", "neither has that plate")
        #expect(try judge(part, entry, "one", plate: "DA1PA1234") == "error_pair_posts")
        #expect(try judge(part, exit, "one", plate: "BA1PA1234") == "error_gone", "it has a partner by now")
        #expect(try judge(part, try record("DA1PA1234", "C", "15:30"), "two") == "error_pair_posts")
        for other in [part, UUID().uuidString] { #expect(try judge(part, other, "two") == "PT404") }
        #expect(try judge(part, whole, "three") == "PT400")
        #expect(try tell("judge_vehicles", ["one": part, "other": whole, "verdict": "two", "reason": " "]) == "PT400")
        #expect(try count("pair_changes") == "1")
    }

    @Test func `is not taken back over somebody's later word`() throws {
        let (entry, exit) = (try record("BA1PA1234", "A", "10:00"), try record("BA1PHA1234", "B", "11:30"))
        #expect(try judge(entry, exit, "one", plate: "BA1PA1234") == "true")
        let word = try #require(try database.owner.value("select id from pair_changes"))
        #expect(try tell("undo_pair_change", ["of": word, "reason": " "]) == "PT400")
        try patch("plate_number = 'BA1PA9999'", exit)
        #expect(try undo() == "error_gone")
        #expect(try count("vehicle_passages", "plate_number = 'BA1PA9999'") == "1")
        #expect(try tell("undo_pair_change", ["of": UUID().uuidString]) == "PT404")
        try database.owner.run("delete from vehicle_passages where id = $1", [exit])
        #expect(try undo() == "error_gone")
    }

    @Test func `is an admin's, and nobody changes what was said`() throws {
        let (entry, exit) = (try record("BA1PA1234", "A", "10:00"), try record("BA1PHA1234", "B", "11:30"))
        #expect(try judge(entry, exit, "two", as: hari) == "PT403")
        #expect(try judge(entry, exit, "two") == "true")
        #expect(try undo(as: hari) == "PT403")
        let far = try database.addUser("far", post: TestDatabase.postC)
        for (user, seen) in [(hari, "1"), (warden, "1"), (far, "0")] {
            #expect(try database.asUser(user) { try $0.value("select count(*) from pair_changes") } == seen)
            for statement in [
                "delete from pair_changes", "update pair_changes set reason = 'x'",
                "select from checkpost.parted_pairs",
            ] {
                #expect(state { try database.asUser(user) { _ = try $0.run(statement) } } == "42501", "\(statement)")
            }
        }
        let open = try record("BA1PHA1235", "B", "11:40")
        let candidates = "select count(*) from checkpost.match_candidates($1::uuid)"
        // Told apart from the one, it still may belong to the other.
        #expect(try database.asUser(warden) { try $0.value(candidates, [entry]) } == "1")
        #expect(try database.asUser(hari) { try $0.value(candidates, [open]) } == "1")
        #expect(try database.asUser(far) { try $0.value(candidates, [open]) } == "0")
        #expect(try database.asUser(nil) { try $0.value(candidates, [open]) } == "0")
        _ = try undo()
        #expect(try doubtful(as: hari).count == 1)
        #expect(try doubtful(as: far) == [])
    }

    @Test func `is said once where two say it at the same moment`() async throws {
        let url = database.ownerURL
        for round in 0..<4 {
            let plate = "BA1PA100\(round)"
            let entry = try database.owner.record(plate, at: TestDatabase.postA, "2026-11-21T10:00:00Z") ?? ""
            let exit =
                try database.owner.record(
                    plate.replacing("PA", with: "PHA"), at: TestDatabase.postB, "2026-11-21T11:30:00Z") ?? ""
            let answers = try await together(6) { index in
                let connection = try PostgresConnection(url: url)
                let words = index % 2 == 0 ? "'verdict', 'two'" : "'verdict', 'one', 'plate', '\(plate)'"
                do {
                    return try connection.value(
                        """
                        select checkpost.judge_vehicles(jsonb_build_object('id', gen_random_uuid(), 'one', $1::text, 'other', $2::text,
                            'reason', 'x', \(words))) ->> 'changed'
                        """, index < 3 ? [entry, exit] : [exit, entry])
                } catch let error as PostgresError { return error.detail ?? error.sqlState ?? "?" }
            }
            #expect(answers.compactMap(\.self).sorted() == Array(repeating: "error_gone", count: 5) + ["true"])
        }
        #expect(try count("pair_changes") == "4")
    }

    /// A page of it ends after a third of a second, so where a page ends is the machine's.
    @Test func `is gone through to its end, page by page, with each pair in it`() throws {
        try database.owner.run(
            """
            insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at)
            select gen_random_uuid(), 'BA1' || case when post = $1 then 'PA' else 'PHA' end || 1000 + g, 'car', post::uuid,
                '2026-11-21T11:00:00Z'::timestamptz - g / 4 * interval '10 seconds' + case when post = $1 then 0 else 1 end * interval '1 hour'
            from generate_series(1, 230) g, (values ($1), ($2)) v (post) where post = $1 or g % 7 = 0
            """, [TestDatabase.postA, TestDatabase.postB])
        func page(_ before: Int64?) throws -> (pairs: [[String]], until: Int64?) {
            let text = try database.asUser(warden) {
                try $0.value("select checkpost.doubtful_pairs($1::bigint)::text", [before.map { "\($0)" }])
            }
            let answer = try JSONSerialization.jsonObject(with: Data((text ?? "").utf8)) as? [String: Any]
            return (answer?["pairs"] as? [[String]] ?? [], (answer?["until"] as? NSNumber)?.int64Value)
        }
        var (found, pages, before): (Set<[String]>, Int, Int64?) = ([], 0, nil)
        repeat {
            let (pairs, until) = try page(before)
            if let until, let before { #expect(until < before) }
            found.formUnion(pairs)
            (pages, before) = (pages + 1, until)
        } while before != nil && pages < 50
        #expect(before == nil && pages > 1)
        #expect(Set(found.map { $0[0] }).count == 32, "each vehicle that was seen at the other post as another")
    }

    /// Rows read are counted, not seconds.
    @Test func `waits in a list that costs the same however much was recorded before`() throws {
        try database.owner.run(
            """
            insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at)
            select gen_random_uuid(), 'LU2CHA' || g, 'car', (array[$1, $2])[g % 2 + 1]::uuid,
                '2026-11-21T11:00:00Z'::timestamptz - g * interval '10 seconds'
            from generate_series(1, 6000) g
            """, [TestDatabase.postA, TestDatabase.postB])
        let read = try database.asUser(warden) { connection in
            try connection.run("select checkpost.doubtful_pairs(null)")
            return try connection.value(
                """
                select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables where relid = 'public.vehicle_passages'::regclass
                """)
        }
        #expect((Int(read ?? "") ?? .max) < 10_000, "read \(read ?? "nothing")")
    }
}

@Suite("A search for what looks alike", .timeLimit(.minutes(10)))
struct AlikePatternTests {
    @Test func `takes the characters for each other that the box takes`() throws {
        let database = try TestDatabase()
        let all = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        for wanted in all {
            let found = try database.owner.run(
                "select c from regexp_split_to_table($1, '') c where c ~ checkpost.alike_pattern($2)",
                [String(all), String(wanted)]
            ).rows.compactMap { $0[0] }
            #expect(found == all.filter { LookAlike.areAlike($0, wanted) }.map(String.init), "\(wanted)")
        }
        for (part, pattern) in [("[^", nil), ("a\\", "[A4]"), (" 4 ", "[45A]")] {
            #expect(try database.owner.value("select checkpost.alike_pattern($1)", [part]) == pattern, "\(part)")
        }
    }
}
