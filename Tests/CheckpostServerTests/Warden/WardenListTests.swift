import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("The warden's lists of passages", .serialized, .timeLimit(.minutes(10)))
struct WardenListTests {
    /// The plates on a page, in its order.
    private func plates(_ answer: Visitor.Answer) -> [String] {
        answer.text.matches(of: /<span class="plate">([^<]+)<\/span>/).map { String($0.output.1) }
    }

    @Test func `go on where they ended, whatever came meanwhile`() async throws {
        try await TestServer.run { server, database in
            // All of one moment: the id alone tells them apart.
            try database.owner.run(
                """
                insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at)
                select gen_random_uuid(), 'BA1PA' || (1000 + g), 'car', $1, now() - interval '1 hour'
                from generate_series(1, 120) g
                """, [TestDatabase.postA])
            let visitor = try await server.warden()
            var page = try await visitor.get("/warden/passages?type=car")
            var all = plates(page)
            #expect(all.count == 50)
            try database.owner.record("NEW1", at: TestDatabase.postA, TestDatabase.hoursAgo(0.1))
            while let more = page.text.firstMatch(of: /href="([^"]+)" data-more="([^"]+)"/) {
                #expect(all.count < 200)
                page = try await visitor.get(String(more.output.2).replacing("&amp;", with: "&"))
                all += plates(page)
            }
            #expect(all.count == 120 && Set(all).count == 120)
            #expect(!page.text.contains("<html"))
        }
    }

    @Test func `are narrowed by day, post, type, state and any part of a plate`() async throws {
        try await TestServer.run { server, database in
            _ = try server.speeding("BA1PA1234", database)
            try database.owner.record("GA2KHA9", at: TestDatabase.postC, "2026-11-20T18:14:59Z")
            try database.owner.record("GA3KHA9", at: TestDatabase.postC, "2026-11-20T18:15:00Z")
            let visitor = try await server.warden()
            func found(_ query: String) async throws -> Set<String> {
                Set(plates(try await visitor.get("/warden/passages?\(query)")))
            }
            #expect(try await found("plate=a12") == ["BA 1 PA 1234"])
            #expect(try await found("plate=\("बा १ प".encoded)") == ["BA 1 PA 1234"])
            #expect(try await found("plate=%25").isEmpty, "what no plate holds finds none, and not all")
            #expect(try await found("plate=12345").isEmpty)
            #expect(try await found("post=\(TestDatabase.postC)") == ["GA 2 KHA 9", "GA 3 KHA 9"])
            #expect(try await found("type=bus").isEmpty)
            #expect(try await found("state=violation") == ["BA 1 PA 1234"])
            #expect(try await found("state=unmatched") == ["GA 2 KHA 9", "GA 3 KHA 9"])
            #expect(try await found("state=inside").isEmpty, "both are over their longest time")
            // A day of Nepal begins at 18:15 of the day before.
            #expect(try await found("from=2026-11-21&to=2026-11-21&state=unmatched") == ["GA 3 KHA 9"])
            #expect(try await found("to=2026-11-20&state=unmatched") == ["GA 2 KHA 9"])
            for nonsense in [
                "from=x", "before=1", "before=1_2_3", "before=99999999999999999999_1", "state=x", "post='",
                "before=-9223372036854775808_b0000000-0000-4000-8000-00000000000a",
            ] {
                #expect(try await found(nonsense) == found(""), "\(nonsense)")
            }
        }
    }

    @Test func `show a ranger the own segment and nothing else`() async throws {
        try await TestServer.run { server, database in
            let passages = try server.speeding("BA1PA1234", database)
            let other = try database.owner.record("GA3KHA9", at: TestDatabase.postC, TestDatabase.hoursAgo(3)) ?? ""
            let visitor = try await server.warden("a")
            #expect(Set(plates(try await visitor.get("/warden/passages"))) == ["BA 1 PA 1234"])
            #expect(plates(try await visitor.get("/warden/passages?plate=GA3")).isEmpty)
            #expect(plates(try await visitor.get("/warden/passages?post=\(TestDatabase.postC)")).isEmpty)
            #expect(try await visitor.get("/warden/passage?id=\(other)").status == 404)
            let today = try await visitor.get("/warden").text
            #expect(today.contains("BNP-A") && !today.contains("BNP-C") && !today.contains("GA 3 KHA 9"))
            #expect(try await visitor.get("/warden/passage?id=\(passages.exit)").status == 200)
            // Nothing looks around the corner of the function that searches.
            let search = "select count(*) from checkpost.find_passages('{\"limit\": 100}')"
            #expect(try database.asUser(server.users["a"]) { try $0.value(search) } == "2")
            #expect(try database.asUser(server.users["c"]) { try $0.value(search) } == "1")
            #expect(try database.asUser(nil) { try $0.value(search) } == "0")
        }
    }

    @Test func `search parts of plates with an index, where the database has one`() async throws {
        let database = try TestDatabase()
        try #require(
            try database.owner.value("select count(*) from pg_available_extensions where name = 'pg_trgm'") == "1",
            "install postgresql-contrib")
        try database.owner.run(
            """
            insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at)
            select gen_random_uuid(), 'BA' || g % 90 || 'PA' || g, 'car', $1, now() - g * interval '1 second'
            from generate_series(1, 20000) g
            """, [TestDatabase.postA])
        try database.owner.run("analyze vehicle_passages")
        try database.owner.run(
            "update user_profiles set role = 'admin' where id = $1", [try database.addUser("w", role: "admin")])
        let id = try database.owner.value("select id from user_profiles where full_name = 'w'")
        let read = try database.asUser(id) { connection in
            try connection.run("select count(*) from checkpost.find_passages('{\"part\": \"PA19999\", \"limit\": 51}')")
            return try connection.value(
                """
                select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables where relid = 'public.vehicle_passages'::regclass
                """)
        }
        #expect((Int(read ?? "") ?? .max) < 500, "read \(read ?? "nothing")")
    }
}
