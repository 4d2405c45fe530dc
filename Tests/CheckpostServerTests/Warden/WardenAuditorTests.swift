import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("An auditor at the park's server", .serialized, .timeLimit(.minutes(10)))
struct WardenAuditorTests {
    /// A server with a violation, a picture, a pair that looks alike and an overstay on one road, a passage on another, and an auditor.
    private static func audited(
        _ body:
            @Sendable @escaping (TestServer, TestDatabase, _ visitor: Visitor, _ passage: String) async throws -> Void
    ) async throws {
        try await TestServer.run { server, database in
            _ = try database.addUser("audit", role: "auditor")
            let speeding = try server.speeding("BA1PA1234", database)
            _ = try database.owner.record("BA2PA2222", at: TestDatabase.postC, TestDatabase.hoursAgo(1))
            _ = try database.owner.record("BA3PA3333", at: TestDatabase.postB, "2026-11-21T06:30:00Z")
            try database.owner.overstayRound()
            let photo = "/storage/v1/object/passage-photos/\(speeding.exit).jpg"
            #expect(try await server.send("POST", photo, as: "admin", body: PhotoTests.jpeg).status == 200)
            try await body(server, database, try await server.warden("audit"), speeding.exit)
        }
    }

    @Test func `sees every road, the pictures, the changes and the people`() async throws {
        try await Self.audited { _, _, visitor, passage in
            let passages = try await visitor.get("/warden/passages").text
            #expect(passages.contains("BA 1 PA 1234") && passages.contains("BA 2 PA 2222"))
            #expect(try await visitor.get("/warden/violations").text.contains("BA 1 PA 1234"))
            #expect(try await visitor.get("/warden/overstays").text.contains("BA 3 PA 3333"))
            #expect(try await visitor.get("/warden/photos/\(passage).jpg").status == 200)
            let people = try await visitor.get("/warden/people").text
            #expect(people.contains("a@bnp.local") && people.contains("auditor"))
            #expect(try await visitor.get("/warden/audit?subject=account&q=audit").text.contains("auditor"))
        }
    }

    @Test func `finds no form that changes anything, on any page`() async throws {
        try await Self.audited { server, _, visitor, passage in
            for path in [
                "", "/figures", "/work", "/passages", "/violations", "/overstays", "/lists", "/audit", "/people",
                "/passage?id=\(passage)",
            ] {
                let page = try await visitor.get("/warden\(path)")
                #expect(page.status == 200, "\(path)")
                // But those about the own account.
                let actions = page.text.matches(of: /action="\/warden\/do\/([^"]*)"/).map { String($0.output.1) }
                #expect(actions == (path == "/people" ? ["people/own-password"] : []), "\(path)")
            }
            // An admin's pages have them: else nothing would have been looked for.
            let admin = try await server.warden()
            for path in ["/lists", "/overstays", "/people", "/passage?id=\(passage)"] {
                #expect(try await admin.get("/warden\(path)").text.contains("/warden/do/"), "\(path)")
            }
        }
    }

    @Test func `is refused whatever is sent without a form`() async throws {
        try await Self.audited { server, database, visitor, passage in
            let (account, change) = (server.users["a"] ?? "", UUID().uuidString)
            for (path, fields) in [
                (
                    "correct",
                    ["change": change, "id": passage, "plate": "BA 9 PA 9999", "type": "car", "reason": "misread"]
                ),
                ("withdraw", ["change": change, "id": passage, "reason": "no vehicle"]),
                ("lists/add", ["kind": "exempt", "plate": "BA 1 PA 1234", "reason": "mine"]),
                (
                    "people/create",
                    ["username": "own", "full_name": "Own", "post": TestDatabase.postA, "password": "long-enough"]
                ),
                ("people/password", ["id": account, "password": "long-enough"]),
                ("people/deactivate", ["id": account]),
            ] {
                let answer = try await visitor.post("/warden/do/\(path)", fields)
                #expect(answer.status == 403, "\(path): \(answer.status)")
            }
            #expect(try database.owner.value("select count(*) from passage_changes") == "0")
            #expect(try database.owner.value("select count(*) from listed_plates") == "0")
        }
    }

    @Test func `signs out, and has the own password and a second factor in its own hands`() async throws {
        try await Self.audited { server, database, visitor, _ in
            #expect(try await visitor.get("/warden/second-factor").status == 200)
            let begun = try await visitor.post("/warden/do/second-factor/begin", [:])
            #expect(begun.status == 200 && begun.text.contains("otpauth://"))
            let wrong = try await visitor.post("/warden/do/second-factor/confirm", ["code": "000000"])
            #expect(wrong.status == 422, "\(wrong.status)")
            let changed = try await visitor.post(
                "/warden/do/people/own-password", ["former": "password-audit", "password": "another-long-one"])
            #expect(changed.location == "/warden/people?said=own_password", "\(changed.status) \(changed.text)")
            #expect(try database.owner.value("select count(*) from account_changes where kind = 'password'") == "1")
            let session = try await visitor.post("/warden/sign-out", [:])
            #expect(session.location == "/warden/sign-in", "\(session.status)")
            #expect(try database.owner.value("select count(*) from passage_changes") == "0")
            // A program of theirs, too.
            let signedIn = try await server.send(
                "POST", "/auth/v1/token?grant_type=password", as: "anon",
                json: ["email": "audit@bnp.local", "password": "another-long-one"])
            let token = signedIn.object["access_token"] as? String ?? ""
            let out = try await server.send("POST", "/auth/v1/logout", as: nil, ["Authorization": "Bearer \(token)"])
            #expect(out.status == 204, "\(out.text)")
            let after = try await server.send(
                "GET", "/rest/v1/parks", as: nil, ["Authorization": "Bearer \(token)"])
            #expect(after.status == 401)
        }
    }

    @Test func `reads the tables over the API and changes none, not even its own rows`() async throws {
        try await TestServer.run { server, database in
            _ = try database.addUser("audit", role: "auditor")
            let passage = try server.speeding("BA1PA1234", database).exit
            let photo = "/storage/v1/object/passage-photos/\(passage).jpg"
            #expect(try await server.send("POST", photo, as: "admin", body: PhotoTests.jpeg).status == 200)
            let signedIn = try await server.send(
                "POST", "/auth/v1/token?grant_type=password", as: "anon",
                json: ["email": "audit@bnp.local", "password": "password-audit"])
            let token = try #require(signedIn.object["access_token"] as? String)
            func ask(_ method: String, _ path: String, _ json: Any? = nil) async throws -> TestServer.Answer {
                try await server.send(method, path, as: nil, ["Authorization": "Bearer \(token)"], json: json)
            }
            let rows = try await ask("GET", "/rest/v1/vehicle_passages?select=id")
            #expect(rows.rows.count == 2)
            for (method, path, json) in [
                ("PATCH", "/rest/v1/vehicle_passages?id=eq.\(passage)", ["plate_number": "BA9PA9999"]),
                ("DELETE", "/rest/v1/vehicle_passages?id=eq.\(passage)", nil),
                ("POST", "/rest/v1/sync_metadata", ["device_id": "mine", "pending_count": 3]),
                ("POST", "/rest/v1/rpc/change_passage", ["passage": passage, "withdraw": true, "reason": "mine"]),
                ("DELETE", photo, nil),
            ] as [(String, String, [String: Any]?)] {
                let answer = try await ask(method, path, json)
                #expect((400..<500).contains(answer.status), "\(method) \(path): \(answer.status)")
            }
            #expect(try await ask("GET", photo).status == 200, "the picture is there, and shown")
            let own = try await ask("POST", "/rest/v1/sync_metadata", ["device_id": "mine", "pending_count": 3])
            #expect(own.status == 403, "what the rules of the rows would allow: \(own.status)")
            #expect(try database.owner.value("select count(*) from sync_metadata") == "0")
            #expect(
                try database.owner.value("select string_agg(distinct plate_number, '') from vehicle_passages")
                    == "BA1PA1234")
        }
    }

    @Test func `has no post, so that nothing takes it for a ranger`() throws {
        let database = try TestDatabase()
        let auditor = try database.addUser("audit", role: "auditor")
        #expect(throws: PostgresError.self) {
            try database.owner.run(
                "update user_profiles set assigned_checkpost_id = $1::uuid where id = $2::uuid",
                [TestDatabase.postA, auditor])
        }
    }
}
