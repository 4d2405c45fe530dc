import Foundation
import Testing

@testable import checkpost_server

@Suite("The server's log", .serialized, .timeLimit(.minutes(10)))
struct JournalTests {
    @Test func `names who was refused and who changed what`() async throws {
        let log = LogLines()
        try await TestServer.run(log: log) { server, database in
            let park = "b0000000-0000-4000-8000-000000000001"
            _ = try await server.send(
                "POST", "/auth/v1/token?grant_type=password", as: nil,
                json: ["email": "a@bnp.local", "password": "typed-wrongly"])
            #expect(log.lines(with: "sign-in refused").count == 1)
            #expect(log.lines(with: "sign-in refused").first?.contains("a@bnp.local") == true)
            #expect(log.lines(with: "invalid_credentials").count == 1)

            let elsewhere = TestServer.passage("A1", at: TestDatabase.postB, "2026-11-21T10:00:00Z")
            #expect(try await server.send("POST", "/rest/v1/vehicle_passages", json: elsewhere).status == 403)
            let denied = try #require(log.lines(with: "denied").first)
            #expect(denied.contains(server.users["a"] ?? "?"))
            #expect(denied.contains("vehicle_passages") && denied.contains("403"))

            let long = String(repeating: "x", count: 20_000)
            #expect(try await server.send("GET", "/rest/v1/parks?name=eq.\(long)").status == 414)
            #expect(log.lines(with: "turned away").contains { $0.contains("414") })

            let forged = try await server.send("GET", "/auth/v1/admin/users%20who=admin", as: "a")
            #expect(forged.status >= 400)
            #expect(!log.all.contains { $0.contains(" who=admin ") || $0.hasSuffix(" who=admin") }, "\(log.all)")

            let answer = try await server.send(
                "PATCH", "/rest/v1/parks?id=eq.\(park)", as: "admin", json: ["name": "Banke\u{1b}[31m"])
            #expect(answer.status == 204)
            let changed = try #require(log.lines(with: "notice: changed").first)
            #expect(changed.contains("update parks name") && changed.contains(park))
            #expect(changed.contains(server.users["admin"] ?? "?"))

            let made = try await server.send(
                "POST", "/rest/v1/parks", as: "admin", json: ["name": "Chitwan", "code": "CNP"])
            #expect(made.status == 201)
            #expect(log.lines(with: "insert parks").first?.contains("CNP") == true)
            #expect(try await server.send("DELETE", "/rest/v1/parks?code=eq.CNP", as: "admin").status == 204)
            #expect(log.lines(with: "delete parks").count == 1)
            // A post's own records are no news.
            let passage = TestServer.passage("A1", "2026-11-21T10:00:00Z")
            #expect(try await server.send("POST", "/rest/v1/vehicle_passages", json: passage).status == 201)
            #expect(log.lines(with: "insert vehicle_passages").isEmpty)
        }
    }

    @Test func `says no secret at any level, and nothing in more than a line`() async throws {
        let log = LogLines()
        try await TestServer.run(log: log) { server, _ in
            let session = try await server.send(
                "POST", "/auth/v1/token?grant_type=password", as: nil,
                json: ["email": "a@bnp.local", "password": "password-a"])
            #expect(session.status == 200)
            _ = try await server.send(
                "POST", "/auth/v1/token?grant_type=password", as: nil,
                json: [
                    "email": "x\r\nforged: \u{1b}[31m\u{202e}" + String(repeating: "y", count: 5000),
                    "password": "secret-word",
                ])
            _ = try await server.send("GET", "/rest/v1/parks%0Aforged%1B", as: nil)
            _ = try await server.send("GET", "/auth/v1/admin/users", as: "a")
            let secrets =
                [server.settings.jwtSecret.revealed, "twilio-token", "secret-word", "password-a", server.serviceKey]
                + ["access_token", "refresh_token"].compactMap { session.object[$0] as? String }
            #expect(secrets.count == 7)
            #expect(log.all.count > 3)
            for line in log.all {
                #expect(!secrets.contains(where: line.contains), "\(line)")
                #expect(line.allSatisfy { $0.isASCII ? ($0 >= " ") : true } && !line.contains("\u{202e}"), "\(line)")
                #expect(line.count < 2000)
            }
        }
    }

    @Test func `isn't flooded by refusals`() async throws {
        let log = LogLines()
        try await TestServer.run(log: log) { server, _ in
            for _ in 0..<150 { _ = try await server.send("GET", "/auth/v1/admin/users", as: "a") }
            #expect((40..<140).contains(log.lines(with: "denied").count))
            // Of another address a line comes all the same.
            server.gateway?.journal.refusedSignIn("sita@bnp.local", because: "x", address: "192.0.2.7")
            #expect(log.lines(with: "192.0.2.7").count == 1)
        }
    }
}
