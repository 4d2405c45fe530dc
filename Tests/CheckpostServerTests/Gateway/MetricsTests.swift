import Foundation
import Testing

@testable import checkpost_server

@Suite("The server seen from outside", .serialized, .timeLimit(.minutes(10)))
struct MetricsTests {
    /// The value of a sample, by its name with its labels.
    private static func value(_ sample: String, in text: String) -> Double? {
        text.components(separatedBy: "\n").first { $0.hasPrefix(sample + " ") }
            .flatMap { Double($0.dropFirst(sample.count + 1)) }
    }

    @Test func `figures say what was asked, how the posts do and what today was, and no plate and no name`()
        async throws
    {
        try await TestServer.run { server, database in
            _ = try server.speeding("BA1PA1234", database)
            try database.owner.run(
                """
                insert into sync_metadata (user_id, device_id, pending_count, app_version, updated_at)
                values ($1, 'box', 17, '9.8.7', now())
                """, [server.users["a"]])
            for _ in 1...3 { _ = try await server.send("GET", "/rest/v1/checkposts") }
            _ = try await server.send("GET", "/rest/v1/nothing")
            let answer = try await server.send("GET", "/metrics", as: nil)
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            let text = answer.text
            #expect(Self.value(#"checkpost_server_requests_total{part="rest",status="2xx"}"#, in: text) == 3)
            #expect(Self.value(#"checkpost_server_requests_total{part="rest",status="4xx"}"#, in: text) == 1)
            #expect(Self.value(#"checkpost_server_request_seconds_total{part="rest"}"#, in: text) ?? 0 > 0)
            #expect(Self.value("checkpost_server_database_up", in: text) == 1)
            #expect(Self.value(#"checkpost_server_post_queue{post="BNP-A"}"#, in: text) == 17)
            let seen = Self.value(#"checkpost_server_post_last_seen_timestamp_seconds{post="BNP-A"}"#, in: text)
            #expect(abs((seen ?? 0) - Date().timeIntervalSince1970) < 120)
            #expect(text.contains(#"checkpost_server_info{version=""#))
            for word in ["BA1", "1234", "bnp.local", "admin"] { #expect(!text.contains(word), "\(word)") }
            // Each line is a comment, or a name with its labels and a number.
            for line in text.split(separator: "\n") where !line.hasPrefix("#") {
                #expect(
                    line.wholeMatch(of: /[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? -?[0-9.e+-]+/) != nil,
                    "\(line)")
            }
        }
    }

    @Test func `figures are for this machine and for those who are named, through no proxy that is not`() async throws {
        try await TestServer.run { server, _ in
            #expect(try await server.send("GET", "/metrics", as: nil).status == 200)
            // A proxy on this machine, and nobody said so: everybody would be this machine.
            let other = try await server.send("GET", "/metrics", as: nil, ["X-Forwarded-For": "203.0.113.9"])
            #expect(other.status == 404)
        }
        try await TestServer.run({
            $0.trustedProxies = ["127.0.0.1"]
            $0.metricsFrom = ["10.0.0.0/8"]
        }) { server, _ in
            for (address, status) in [("10.9.8.7", 200), ("203.0.113.9", 404), ("127.0.0.1", 404), ("x", 404)] {
                let answer = try await server.send("GET", "/metrics", as: nil, ["X-Forwarded-For": address])
                #expect(answer.status == status, "\(address)")
            }
        }
    }

    @Test func `it lives without PostgreSQL, and is not ready`() async throws {
        try await TestServer.run { server, database in
            for path in ["/health", "/health/live", "/health/ready"] {
                #expect(try await server.send("GET", path, as: nil).status == 200, "\(path)")
            }
            // Nobody gets a connection any more.
            let maintenance = try PostgresConnection(
                url: PostgresCluster.shared.get().url(database: "postgres", user: "postgres"))
            try maintenance.run("alter database \(database.name) with allow_connections false")
            defer { _ = try? maintenance.run("alter database \(database.name) with allow_connections true") }
            try maintenance.run(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [database.name])
            #expect(try await server.send("GET", "/health/live", as: nil).status == 200)
            #expect(try await server.send("GET", "/health/ready", as: nil).status == 503)
            let text = try await server.send("GET", "/metrics", as: nil).text
            #expect(Self.value("checkpost_server_database_up", in: text) == 0)
            #expect(text.contains("checkpost_server_requests_total"))
        }
    }

    @Test func `each answer has a number, by which the log finds what was refused and what was changed`() async throws {
        let lines = LogLines()
        try await TestServer.run(log: lines) { server, _ in
            let refused = try await server.send("GET", "/rest/v1/vehicle_passages", as: nil)
            #expect(refused.status == 401 || refused.status == 403)
            let id = try #require(refused.headers["x-request-id"])
            #expect(id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}/) != nil)
            #expect(lines.all.contains { $0.contains("request=\(id)") }, "\(lines.all)")
            let changed = try await server.send(
                "PATCH", "/rest/v1/parks?id=not.is.null", as: "admin", json: ["name": "N"])
            let other = try #require(changed.headers["x-request-id"])
            #expect(other != id && lines.all.contains { $0.contains("changed") && $0.contains("request=\(other)") })
            let page = try await server.send("GET", "/warden/sign-in", as: nil)
            #expect(page.headers["x-request-id"] != nil)
        }
    }
}
