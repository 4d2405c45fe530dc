import Foundation
import Testing

@testable import checkpost_server

@Suite("The gateway at its limits", .serialized, .timeLimit(.minutes(10)))
struct GatewayLimitTests {
    @Test func `limits bodies, rows and requests`() async throws {
        try await TestServer.run({
            $0.bodyBytes = 4096
            $0.rows = 2
            $0.requestsPerSecond = 5
        }) { server, _ in
            let large = try await server.send(
                "POST", "/rest/v1/vehicle_passages", body: Data(repeating: 32, count: 5000))
            #expect(large.status == 413)
            #expect(try await server.send("GET", "/rest/v1/checkposts?limit=100").rows.count == 2)
            var statuses: [Int] = []
            var wait: String?
            for _ in 0..<40 {
                let answer = try await server.send("GET", "/health", as: nil)
                statuses.append(answer.status)
                wait = wait ?? answer.headers["retry-after"]
            }
            #expect(statuses.contains(429))
            #expect(wait != nil)
        }
    }

    @Test func `answers 503 when a statement takes too long, and goes on`() async throws {
        try await TestServer.run({ $0.statementTimeoutSeconds = 0.3 }) { server, database in
            let holder = try database.connect()
            try holder.run("begin")
            try holder.run("lock table vehicle_passages in exclusive mode")
            let passage = TestServer.passage("A1", "2026-11-21T10:00:00Z")
            let late = try await server.send("POST", "/rest/v1/vehicle_passages", json: passage)
            #expect(late.status == 503)
            #expect(late.headers["retry-after"] != nil)
            try holder.run("rollback")
            #expect(try await server.send("POST", "/rest/v1/vehicle_passages", json: passage).status == 201)
        }
    }

    @Test func `reconnects when PostgreSQL dropped its connections`() async throws {
        try await TestServer.run { server, database in
            #expect(try await server.send("GET", "/rest/v1/checkposts").status == 200)
            try database.owner.run(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
            )
            while try database.owner.value(
                "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()")
                != "0"
            {
                try await Task.sleep(for: .milliseconds(10))
            }
            for _ in 0..<8 { #expect(try await server.send("GET", "/rest/v1/checkposts").status == 200) }
        }
    }
}
