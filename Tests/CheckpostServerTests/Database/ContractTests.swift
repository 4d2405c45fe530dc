import Enforcement
import Foundation
import ParkAPI
import TestKit
import Testing

@testable import checkpost_server

@Suite("The server, by the cases that the box is held to as well", .timeLimit(.minutes(10)))
struct ContractTests {
    let database: TestDatabase
    private let segment = "c0000000-0000-4000-8000-000000000001"

    /// The post whose code sorts first lies at the far end, so that position and code decide differently.
    init() throws {
        database = try TestDatabase()
        try database.owner.runScript(
            """
            insert into highway_segments (id, park_id, name, distance_km, max_speed_kmh, min_speed_kmh)
            values ('\(segment)', 'b0000000-0000-4000-8000-000000000001', 'contract', 45, 40, 10);
            insert into checkposts (segment_id, name, code, position_index)
            values ('\(segment)', 'A', 'J-A', 1), ('\(segment)', 'B', 'J-B', 0);
            """)
    }

    private func record(_ passage: Contract.Passage) throws {
        try database.owner.run(
            """
            insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at, clock_state, source,
                travel)
            select $1::uuid, $2, $3, c.id, $4::timestamptz, $5, $7, $8 from checkposts c where c.code = $6
            """,
            [
                passage.clientID, passage.plate, passage.type, passage.at, passage.clock, passage.post,
                passage.isOfText ? "sms" : "app", passage.travel,
            ])
    }

    @Test func `judges passages alike`() throws {
        let judging = try Contract.judging()
        for example in judging.cases {
            let numbers = try #require(judging.segments[example.segment])
            try database.owner.run("begin")
            try set(numbers)
            for passage in example.before { try record(passage) }
            try record(example.passage)
            let pair = try database.owner.run(
                """
                select right(e.client_id::text, 12)::int, right(x.client_id::text, 12)::int from vehicle_passages e
                join vehicle_passages x on x.id = e.matched_passage_id and x.matched_passage_id = e.id where e.is_entry
                """
            ).rows.first?.compactMap { $0.flatMap { Int($0) } }
            #expect(pair == example.match, "\(example.name)")
            let row = try database.owner.run(
                """
                select violation_type, plate_number, vehicle_type, speed_limit_kmh, threshold_minutes,
                    calculated_speed_kmh, tolerance_kmh, tolerance_percent from violations
                """
            ).rows.first
            let violation = row.map { row in
                Contract.Violation(
                    kind: row[0] ?? "", plate: row[1] ?? "", type: row[2] ?? "", limit: number(row[3]) ?? 0,
                    threshold: number(row[4]) ?? 0, speed: number(row[5]))
            }
            #expect(violation == example.violation, "\(example.name)")
            if let row {
                #expect(number(row[6]) == numbers.tolerance_kmh && number(row[7]) == numbers.tolerance_percent)
            }
            try database.owner.run("rollback")
        }
    }

    private func set(_ numbers: Contract.Segment) throws {
        let values = [
            numbers.distance_km, numbers.max_speed_kmh, numbers.min_speed_kmh, numbers.tolerance_kmh,
            numbers.tolerance_percent,
        ]
        try database.owner.run(
            """
            update highway_segments set distance_km = $2, max_speed_kmh = $3, min_speed_kmh = $4, tolerance_kmh = $5,
                tolerance_percent = $6, type_speeds_kmh = $7::jsonb, hour_limits = $8::jsonb where id = $1::uuid
            """,
            [segment] + values.map { String($0) } + [
                try TypeSpeeds(told: numbers.type_speeds_kmh ?? [:]).json,
                try numbers.hours,
            ])
    }

    /// Every pair, and every violation by its entry.
    private func findings() throws -> (pairs: Set<[Int]>, violations: Set<Contract.Finding>) {
        let pairs = try database.owner.run(
            """
            select right(e.client_id::text, 12)::int, right(x.client_id::text, 12)::int, v.violation_type from vehicle_passages e
            join vehicle_passages x on x.id = e.matched_passage_id and x.matched_passage_id = e.id
            left join violations v on v.entry_passage_id = e.id and v.exit_passage_id = x.id where e.is_entry
            """
        ).rows.map { (Int($0[0] ?? "") ?? 0, Int($0[1] ?? "") ?? 0, $0[2]) }
        return (
            Set(pairs.map { [$0.0, $0.1] }),
            Set(pairs.compactMap { pair in pair.2.map { Contract.Finding(entry: pair.0, kind: $0) } })
        )
    }

    @Test func `pairs the passages of a vehicle alike, whatever order they come in`() throws {
        let judging = try Contract.judging()
        for example in judging.walks {
            for order in example.orders {
                try database.owner.run("begin")
                try set(try #require(judging.segments[example.segment]))
                for (index, passage) in order.enumerated() {
                    try record(passage)
                    guard index + 1 == example.keptPassages.count else { continue }
                    try database.owner.run(
                        "insert into violation_outcomes (violation_id, outcome_type) select id, 'warned' from violations"
                    )
                }
                for number in example.withdrawn ?? [] {
                    let passage = try #require(example.passages.first { $0.id == number })
                    try database.owner.run(
                        """
                        select checkpost.change_passage(jsonb_build_object('id', gen_random_uuid(), 'client_id', $1::text,
                            'reason', 'misread', 'changed_at', now()))
                        """, [passage.clientID])
                }
                let found = try findings()
                let name = "\(example.name), in the order \(order.map(\.id))"
                #expect(found.pairs == Set(example.pairs), "\(name)")
                #expect(found.violations == Set(example.violations), "\(name)")
                #expect(
                    try database.owner.value("select count(*) from violations") == String(example.violations.count),
                    "\(name)")
                try database.owner.run("rollback")
            }
        }
    }

    private func number(_ text: String?) -> Double? { text.flatMap { Double($0) } }

    @Test func `reads texts alike`() throws {
        for example in try Contract.texts().cases {
            try database.owner.run("begin")
            let result = try database.owner.value(
                "select checkpost.receive_sms($1, '+977', null) ->> 'result'", [example.text])
            #expect(result == (example.read == nil ? "refused" : "inserted"), "\(example.name)")
            let reading = try database.owner.run(
                "select plate_number, vehicle_type, extract(epoch from recorded_at)::bigint from vehicle_passages"
            ).rows.first.map {
                Contract.Reading(plate: $0[0] ?? "", type: $0[1] ?? "", seconds: Int64($0[2] ?? "") ?? 0)
            }
            #expect(reading == example.read, "\(example.name)")
            try database.owner.run("rollback")
        }
    }

    @Test func `reads signed texts alike`() throws {
        let contract = try Contract.signedTexts()
        for example in contract.cases {
            try database.owner.run("begin")
            try database.owner.run(
                """
                insert into checkpost.text_keys (checkpost_id, number, secret)
                select id, 1, decode($1, 'hex') from checkposts where code = 'J-A'
                """, [contract.key])
            let result = try database.owner.value(
                "select checkpost.receive_sms($1, '+977', null) ->> 'result'", [example.text])
            #expect(result == (example.read == nil ? "refused" : "inserted"), "\(example.name)")
            let ids = try database.owner.run("select id from vehicle_passages").rows.compactMap { $0[0] }
            let wanted = (example.read ?? []).map { SMSEncoder.clientID(of: $0.v1).sent }
            #expect(Set(ids) == Set(wanted) && ids.count == wanted.count, "\(example.name)")
            if let read = example.read {
                let told = try database.owner.run(
                    "select body, clock_state from checkpost.signed_passages(checkpost.sms_text($1)) order by place",
                    [example.text]
                ).rows.map { Contract.SignedReading(v1: $0[0] ?? "", clock: $0[1] ?? "") }
                #expect(told == read, "\(example.name)")
            }
            try database.owner.run("rollback")
        }
    }

    @Test func `reads a post's answers by SMS alike`() throws {
        let contract = try Contract.questions()
        for example in contract.answers {
            try database.owner.run("begin")
            try database.owner.run(
                """
                insert into checkpost.text_keys (checkpost_id, number, secret)
                select id, 1, decode($1, 'hex') from checkposts where code = 'J-A'
                """, [contract.key])
            try database.owner.run(
                """
                insert into checkpost.post_questions (checkpost_id, number, wish, body)
                select id, 1795255530, 'status', 'Q2' from checkposts where code = 'J-A'
                """)
            let result = try database.owner.value(
                "select checkpost.receive_sms($1, '+977', null) ->> 'result'", [example.text])
            #expect(result == (example.read == nil ? "refused" : "answered"), "\(example.name)")
            try database.owner.run("rollback")
        }
    }

    @Test func `keeps the same telephone numbers of accounts`() throws {
        for example in try Contract.phones().cases {
            let kept = try database.owner.value("select checkpost.account_phone($1)", [example.typed])
            #expect(kept == example.kept, "\(example.typed)")
        }
    }

    @Test func `computes the same ids`() throws {
        let ids = try Contract.ids()
        for example in ids.texts {
            let id = try database.owner.value(
                "select checkpost.uuid_v5(checkpost.sms_namespace(), checkpost.sms_text($1))", [example.sent])
            #expect(id == example.id, "\(example.text)")
        }
        for example in ids.names {
            let id = try database.owner.value(
                "select checkpost.uuid_v5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', $1)", [example.name])
            #expect(id == example.id, "\(example.name)")
        }
    }

    /// The checks of a column, as PostgreSQL writes them.
    private func checks(_ table: String, _ column: String) throws -> String {
        try database.owner.run(
            """
            select pg_get_constraintdef(c.oid) from pg_constraint c
            join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
            where c.contype = 'c' and c.conrelid = ('public.' || $1)::regclass and a.attname = $2
            """, [table, column]
        ).rows.compactMap(\.[0]).joined(separator: "\n")
    }

    @Test func `has the box's words and no others`() throws {
        for example in try Contract.columns().words {
            // A check on two columns, of a kind and what goes with it, names some of the words only.
            let lists = try checks(example.table, example.column).split(separator: "\n").map {
                Set($0.matches(of: #/'([a-z_]+)'::text/#).map { String($0.1) })
            }
            #expect(lists.contains(Set(example.words)), "\(example.table).\(example.column): \(lists)")
        }
    }

    @Test func `ends texts where the box cuts them`() throws {
        for example in try Contract.columns().lengths {
            let checks = try checks(example.table, example.column)
            let most = try Regex("length\\(\(example.column)\\) <= ([0-9]+)", as: (Substring, Substring).self)
            // `between 1 and 1000` is written as two comparisons.
            #expect(checks.matches(of: most).map { String($0.1) } == [String(example.most)], "\(example): \(checks)")
        }
    }

    @Test func `takes and refuses plates alike`() throws {
        for example in try Contract.columns().plates {
            try database.owner.run("begin")
            var refusal: PostgresError?
            do {
                try database.owner.run(
                    """
                    insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at)
                    select gen_random_uuid(), $1, 'car', id, '2026-11-21T10:00:00Z' from checkposts where code = 'J-A'
                    """, [example.sent])
            } catch {
                refusal = error
            }
            // Refused for the plate, and for nothing else.
            #expect(refusal?.sqlState == (example.is_taken ? nil : "23514"), "\(example.sent)")
            try database.owner.run("rollback")
        }
    }
}
