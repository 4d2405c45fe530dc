import Foundation
import ParkAPI
import Testing

@testable import checkpost_server

@Suite("Twenty connections at once", .serialized, .timeLimit(.minutes(10)))
struct ConcurrencyTests {
    let database: TestDatabase

    init() throws {
        database = try TestDatabase()
    }

    @Test func `match an entry and its exit once, never twice`() async throws {
        let url = database.ownerURL
        let rounds = 15
        _ = try await together(20) { index in
            let connection = try PostgresConnection(url: url)
            for round in 0..<rounds {
                // Ten vehicles a round; two threads are the two posts of each.
                let post = index % 2 == 0 ? TestDatabase.postA : TestDatabase.postB
                let minute = index % 2 == 0 ? "00" : "30"
                // The other thread inserts while this transaction is still open.
                try connection.transaction { connection in
                    try connection.record("R\(round)V\(index / 2)", at: post, "2026-11-21T10:\(minute):00Z")
                    if round == 0 { try connection.run("select pg_sleep(0.02)") }
                }
            }
        }
        #expect(try database.owner.value("select count(*) from vehicle_passages") == "300")
        #expect(try database.owner.value("select count(*) from violations") == "150")
        let broken = try database.owner.value(
            """
            select count(*) from vehicle_passages p left join vehicle_passages o on o.id = p.matched_passage_id
            where o.matched_passage_id is distinct from p.id or o.is_entry = p.is_entry
                or o.checkpost_id = p.checkpost_id or o.plate_number <> p.plate_number
            """)
        #expect(broken == "0")
    }

    @Test func `match each of many exits of one plate with an entry of its own`() async throws {
        let url = database.ownerURL
        _ = try await together(20) { index in
            let connection = try PostgresConnection(url: url)
            try connection.record(
                "SAME1", at: index % 2 == 0 ? TestDatabase.postA : TestDatabase.postB,
                "2026-11-21T10:\(10 + index):00Z")
        }
        #expect(
            try database.owner.value(
                "select count(distinct matched_passage_id) || ' ' || count(*) from vehicle_passages") == "20 20")
    }

    @Test func `match batches whose plates come in opposite orders, without a deadlock`() async throws {
        let url = database.ownerURL
        _ = try await together(20) { index in
            let connection = try PostgresConnection(url: url)
            let plates = index % 2 == 0 ? "generate_series(1, 30)" : "generate_series(30, 1, -1)"
            try connection.run(
                """
                insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at)
                select gen_random_uuid(), 'B' || $2 || 'N' || n, 'bus', $1::uuid, '2026-11-21T10:00:00Z'::timestamptz
                    + make_interval(mins => $3::int)
                from \(plates) n
                """,
                [
                    index % 2 == 0 ? TestDatabase.postA : TestDatabase.postB, String(index / 2),
                    index % 2 == 0 ? "0" : "60",
                ])
        }
        #expect(try database.owner.value("select count(*) from violations") == "300")
    }

    @Test func `take an outcome or the withdrawal of its passage, never both`() async throws {
        let (ownerURL, gatewayURL) = (database.ownerURL, database.gatewayURL)
        let hari = try database.addUser("hari", post: TestDatabase.postA)
        for round in 0..<12 {
            let entry = UUID().uuidString
            try database.owner.record("O\(round)", at: TestDatabase.postA, "2026-11-21T10:00:00Z", clientID: entry)
            try database.owner.record("O\(round)", at: TestDatabase.postB, "2026-11-21T10:30:00Z")
            let change = """
                {"id": "\(UUID().uuidString)", "client_id": "\(entry)", "plate_number": null, "reason": "no vehicle",
                "acted_by": "Hari", "changed_at": "2026-11-21T12:00:00Z"}
                """
            let isOutcomeFirst = round % 2 == 0
            let states = try await together(2) { index in
                do {
                    // The one that is first holds its transaction open until the other has begun.
                    try PostgresConnection(url: index == 0 ? ownerURL : gatewayURL).transaction { connection in
                        if (index == 0) != isOutcomeFirst { try connection.run("select pg_sleep(0.03)") }
                        if index == 0 {
                            let made = try connection.run(
                                "insert into violation_outcomes (violation_id, outcome_type) "
                                    + "select id, 'fined' from violations where plate_number = $1 returning id",
                                ["O\(round)"])
                            if made.rows.isEmpty { throw Gone() }
                        } else {
                            let claims = #"{"sub": "\#(hari)", "role": "authenticated"}"#
                            try connection.run(
                                "select set_config('role', 'authenticated', true), "
                                    + "set_config('request.jwt.claims', $1, true)", [claims])
                            try connection.run("select checkpost.change_passage($1::jsonb)", [change])
                        }
                        try connection.run("select pg_sleep(0.06)")
                    }
                    return true
                } catch is PostgresError {
                    return false
                } catch is Gone {
                    return false
                }
            }
            #expect(states.filter(\.self).count == 1, "round \(round)")
            let violations = try database.owner.value(
                "select count(*) from violations where plate_number = $1", ["O\(round)"])
            let outcomes = try database.owner.value(
                "select count(*) from violation_outcomes o join violations v on v.id = o.violation_id "
                    + "where v.plate_number = $1", ["O\(round)"])
            #expect(violations == outcomes, "round \(round): both of them or neither")
        }
    }

    /// The violation was withdrawn before its outcome came.
    private struct Gone: Error {}

    @Test func `record one upload once, whichever of twenty copies wins`() async throws {
        let url = database.ownerURL
        let client = UUID().uuidString
        let states = try await together(20) { _ in
            let connection = try PostgresConnection(url: url)
            do {
                try connection.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z", clientID: client)
                return "stored"
            } catch let error as PostgresError {
                return error.sqlState ?? ""
            }
        }
        #expect(states.filter { $0 == "stored" }.count == 1)
        #expect(states.filter { $0 == "23505" }.count == 19)
    }

    @Test func `merge an SMS and its upload that arrive together`() async throws {
        let url = database.ownerURL
        for round in 0..<10 {
            let text = "V1|BNP-A|BA1PA\(round)|CAR|1795255200|1234"
            let client = UUID().uuidString
            _ = try await together(20) { index in
                let connection = try PostgresConnection(url: url)
                if index % 2 == 0 {
                    try connection.run("select checkpost.receive_sms($1, '+977', $2)", [text, UUID().uuidString])
                } else {
                    do {
                        try connection.record(
                            "BA 1 PA \(round)", at: TestDatabase.postA, "2026-11-21T10:00:00.400Z", clientID: client,
                            smsClientID: SMSEncoder.clientID(of: text).uuidString)
                    } catch let error as PostgresError where error.sqlState == "23505" {
                        // Another of the ten was first.
                    }
                }
            }
            let rows = try database.owner.run(
                "select client_id, sms_client_id from vehicle_passages where plate_number ~ $1", ["\(round)$"]
            ).rows
            #expect(rows == [[client.lowercased(), SMSEncoder.clientID(of: text).uuidString.lowercased()]])
        }
    }

    @Test func `show a reader their rows in the order of their numbers, so that it misses none`() async throws {
        let url = database.ownerURL
        let gatewayURL = database.gatewayURL
        let ranger = try database.addUser("reader", post: TestDatabase.postB)
        let reader = Task {
            let connection = try PostgresConnection(url: gatewayURL)
            try connection.run(
                "select set_config('role', 'authenticated', false), set_config('request.jwt.claims', $1, false)",
                [#"{"sub": "\#(ranger)", "role": "authenticated"}"#])
            var seen: Set<Int> = []
            var last = 0
            let end = Date(timeIntervalSinceNow: 60)
            while seen.count < 400, Date() < end {
                let rows = try connection.run(
                    "select server_seq from vehicle_passages where server_seq > $1 order by server_seq limit 50",
                    [String(last)]
                ).rows
                for case let sequence?? in rows.map({ $0[0].flatMap(Int.init) as Int?? }) {
                    last = sequence
                    seen.insert(sequence)
                }
                await Task.yield()
            }
            return seen.count
        }
        _ = try await together(20) { index in
            let connection = try PostgresConnection(url: url)
            for round in 0..<20 {
                // Transactions of different lengths commit in another order than they begin.
                try connection.transaction { connection in
                    if index % 7 == 0 {
                        try connection.record("U\(index)R\(round)", at: TestDatabase.postC, "2026-11-21T10:00:00Z")
                    }
                    try connection.record("T\(index)R\(round)", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
                    if index % 5 == 0 { try connection.run("select pg_sleep(0.003)") }
                }
            }
        }
        #expect(try await reader.value == 400)
    }

    @Test func `hold a reader back only from numbers that an older one may still precede`() throws {
        let ranger = try database.addUser("reader", post: TestDatabase.postB)
        func seen() throws -> String? {
            try database.asUser(ranger) {
                try $0.value("select string_agg(plate_number, ' ' order by server_seq) from vehicle_passages")
            }
        }
        let (slow, fast) = (try database.connect(), try database.connect())
        try fast.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        try slow.run("begin")
        try slow.record("A2", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        // Nobody waits for the slow one, and the fast one sees and changes what it wrote.
        try fast.record("A3", at: TestDatabase.postA, "2026-11-21T10:00:05Z")
        #expect(try seen() == "A1")
        let hari = try database.addUser("hari", post: TestDatabase.postA)
        let written = try database.asUser(hari) { connection in
            try connection.run(
                """
                insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at)
                values (gen_random_uuid(), 'A4', 'car', $1::uuid, now()) returning plate_number
                """, [TestDatabase.postA]
            ).scalar
        }
        #expect(written == "A4")
        let patch = "update vehicle_passages set photo_path = id || '.jpg' where plate_number = 'A4'"
        #expect(try database.asUser(hari) { try $0.run(patch).affected } == 1)
        #expect(try seen() == "A1")
        try slow.run("rollback")
        #expect(try seen() == "A1 A3 A4")
    }

    @Test func `record although a large import holds more names than there are locks for`() throws {
        let importer = try database.connect()
        try importer.run(
            """
            insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at)
            select gen_random_uuid(), 'I' || n, 'car', $1::uuid, now() - make_interval(secs => n) from generate_series(1, 5000) n
            """, [TestDatabase.postA])
        #expect(try database.owner.value("select count(*) from vehicle_passages") == "5000")
    }
}
