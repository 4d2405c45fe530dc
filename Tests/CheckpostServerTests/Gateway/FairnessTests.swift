import Foundation
import Testing

@testable import checkpost_server

@Suite("Many who ask at once", .serialized, .timeLimit(.minutes(10)))
struct FairnessTests {
    /// A lock on a table that one caller reads makes its questions slow, as long as the test wants.
    @Test func `one's slow questions hold up neither another's nor any insert`() async throws {
        try await TestServer.run({ ($0.poolSize, $0.readPoolSize, $0.statementTimeoutSeconds) = (2, 2, 20) }) {
            server, database in
            let holder = try database.connect()
            try holder.run("begin")
            try holder.run("lock table sync_runs in access exclusive mode")
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await server.send("GET", "/rest/v1/sync_runs", as: "b").status }
                }
                let waiting =
                    "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
                while try database.owner.value(waiting) != "1" { try await Task.sleep(for: .milliseconds(20)) }
                let start = ContinuousClock.now
                for index in 0..<10 {
                    let passage = TestServer.passage("A\(index)", "2026-11-21T10:00:00Z")
                    #expect(try await server.send("POST", "/rest/v1/vehicle_passages", json: passage).status == 201)
                    #expect(try await server.send("GET", "/rest/v1/vehicle_passages").rows.count == index + 1)
                }
                #expect(try database.owner.value(waiting) == "1")
                #expect(ContinuousClock.now - start < .seconds(4))
                try holder.run("rollback")
                // Those that had waited for more than five seconds were told so; the others were answered.
                for try await status in group { #expect([200, 503].contains(status)) }
            }
        }
    }

    /// A lock on the accounts makes signing in slow, as many passwords that are tried at once do.
    @Test func `who tries passwords holds up no reader and no insert`() async throws {
        try await TestServer.run({
            ($0.poolSize, $0.readPoolSize, $0.statementTimeoutSeconds) = (1, 1, 20)
            $0.signInPerMinute = 100
        }) { server, database in
            let credentials = ["email": "b@bnp.local", "password": "password-b"]
            let holder = try database.connect()
            try holder.run("begin")
            try holder.run("select from auth.users for update")
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await server.send(
                            "POST", "/auth/v1/token?grant_type=password", as: nil, json: credentials
                        ).status
                    }
                }
                let waiting =
                    "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
                let start = ContinuousClock.now
                while try database.owner.value(waiting) != "1", ContinuousClock.now - start < .seconds(10) {
                    try await Task.sleep(for: .milliseconds(20))
                }
                #expect(try database.owner.value(waiting) == "1")
                #expect(try await server.send("GET", "/rest/v1/parks").status == 200)
                let passage = TestServer.passage("A1", "2026-11-21T10:00:00Z")
                #expect(try await server.send("POST", "/rest/v1/vehicle_passages", json: passage).status == 201)
                #expect(try database.owner.value(waiting) == "1")
                try holder.run("rollback")
                for try await status in group { #expect([200, 503].contains(status), "\(status)") }
            }
        }
    }

    @Test func `reading can't write`() async throws {
        try await TestServer.run { server, _ in
            let gateway = try #require(server.gateway)
            let admin = Caller(
                role: .authenticated, claims: #"{"sub":"\#(server.users["admin"] ?? "")","role":"authenticated"}"#,
                user: UUID(uuidString: server.users["admin"] ?? ""))
            await #expect(throws: APIError.self) {
                try await gateway.transaction(as: admin, readsOnly: true) {
                    _ = try $0.run("update parks set name = 'x'")
                }
            }
        }
    }

    @Test func `the newest of many rows are taken by an index before they become JSON`() async throws {
        let database = try TestDatabase()
        try database.owner.runScript(
            """
            set session_replication_role = replica;
            insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, segment_id, recorded_at, server_seq)
            select gen_random_uuid(), 'BA1PA' || n % 9999, 'car', '\(TestDatabase.postA)', '\(TestDatabase.segment)',
                now() - make_interval(secs => n), nextval('server_seq') from generate_series(1, 20000) n;
            analyze vehicle_passages;
            """)
        let ranger = try database.addUser("hari", post: TestDatabase.postA)
        let catalog = try Catalog(database.owner)
        let table = try catalog.table("vehicle_passages")
        for order in [
            "recorded_at.desc", "server_seq.desc", "server_seq.asc", "recorded_at.asc,id.asc", "plate_number.asc",
        ] {
            for filter in ["", "&segment_id=eq.\(TestDatabase.segment)"] {
                let query = try ReadQuery(QueryString("order=\(order)&limit=50\(filter)"))
                let statement = try ReadCompiler(catalog: catalog, rowLimit: 1000).rows(of: table, query)
                let plan = try database.asUser(ranger) {
                    try $0.run("explain " + statement.sql, statement.parameters).rows.compactMap(\.[0]).joined(
                        separator: "\n")
                }
                #expect(plan.contains("Limit") && plan.contains("Index Scan"), "\(order)\(filter): \(plan)")
                #expect(!plan.contains("Seq Scan on vehicle_passages"), "\(order)\(filter): \(plan)")
            }
        }
    }
}
