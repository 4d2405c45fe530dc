import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("A warden who is no admin", .serialized, .timeLimit(.minutes(10)))
struct WardenRoleTests {
    private static func visited(
        _ body: @Sendable @escaping (TestServer, TestDatabase, _ visitor: Visitor) async throws -> Void
    ) async throws {
        try await TestServer.run { server, database in
            _ = try database.addUser("office", role: "warden")
            try await body(server, database, try await server.warden("office"))
        }
    }

    private static func change(_ passage: String, _ more: [String: String]) -> [String: String] {
        let change = ["change": UUID().uuidString.lowercased(), "id": passage, "reason": "Looked at the picture"]
        return change.merging(more) { $1 }
    }

    @Test func `corrects, withdraws, pairs, answers an overstay and lists a plate, each with the name in the audit`()
        async throws
    {
        try await Self.visited { server, database, visitor in
            let speeding = try server.speeding("BA1PA1234", database)
            let entry = try database.owner.record("BA3PA1234", at: TestDatabase.postA, TestDatabase.hoursAgo(1.7)) ?? ""
            let exit = try database.owner.record("BA3PHA1234", at: TestDatabase.postB, TestDatabase.hoursAgo(1)) ?? ""
            _ = try database.owner.record("BA4PA4444", at: TestDatabase.postB, "2026-11-21T06:30:00Z")
            try database.owner.overstayRound()
            let page = try await visitor.get("/warden/passage?id=\(speeding.exit)").text
            #expect(page.contains("/warden/do/correct") && page.contains("/warden/do/withdraw"))
            #expect(try await visitor.get("/warden").text.contains("BNP-A"), "the posts of all roads")
            let corrected = try await visitor.post(
                "/warden/do/correct", Self.change(speeding.exit, ["plate": "BA 1 PA 9999", "type": "car"]))
            #expect(corrected.location?.contains("said=corrected") == true, "\(corrected.status) \(corrected.text)")
            let withdrawn = try await visitor.post("/warden/do/withdraw", Self.change(speeding.entry, [:]))
            #expect(withdrawn.location?.contains("said=withdrawn") == true, "\(withdrawn.status)")
            let paired = try await visitor.post(
                "/warden/do/pair",
                Self.change("", ["one": entry, "other": exit, "verdict": "one", "plate": "BA3PA1234"]))
            #expect(paired.location?.contains("said=joined") == true, "\(paired.status) \(paired.text)")
            let waits = visitor.hidden("client_id", in: try await visitor.get("/warden/overstays"))
            let answered = try await visitor.post(
                "/warden/do/resolve", ["client_id": waits, "reason": "It broke down"])
            #expect(answered.location?.contains("said=resolved") == true, "\(answered.status) \(answered.text)")
            let listed = try await visitor.post(
                "/warden/do/lists/add", ["kind": "exempt", "plate": "BA 5 PA 5555", "reason": "Park vehicle"])
            #expect(listed.location?.contains("said=listed") == true, "\(listed.status) \(listed.text)")
            #expect(
                try database.owner.value(
                    "select string_agg(distinct acted_by, ',') from passage_changes") == "office")
            #expect(try database.owner.value("select count(*) from listed_plates") == "1")
        }
    }

    @Test func `finds the own password and second factor at People, and no other account's form`() async throws {
        try await Self.visited { server, database, visitor in
            let page = try await visitor.get("/warden/people").text
            #expect(page.contains("a@bnp.local") && page.contains("warden"))
            let actions = page.matches(of: /action="(\/warden\/do\/people[^"]*)"/).map { String($0.output.1) }
            #expect(actions == ["/warden/do/people/own-password"])
            #expect(try await visitor.get("/warden/second-factor").status == 200)
            let begun = try await visitor.post("/warden/do/second-factor/begin", [:])
            #expect(begun.status == 200 && begun.text.contains("otpauth://"))
            let changed = try await visitor.post(
                "/warden/do/people/own-password", ["former": "password-office", "password": "another-long-one"])
            #expect(changed.location?.contains("said=own_password") == true, "\(changed.status)")
        }
    }

    @Test func `is refused accounts, whatever is sent without a form`() async throws {
        try await Self.visited { server, database, visitor in
            let (account, admin) = (server.users["a"] ?? "", server.users["admin"] ?? "")
            let before = try database.owner.value("select json_agg(u order by id)::text from user_profiles u")
            for (path, fields) in [
                (
                    "create",
                    ["username": "own", "full_name": "Own", "post": TestDatabase.postA, "password": "long-enough"]
                ),
                ("password", ["id": admin, "password": "long-enough"]), ("deactivate", ["id": account]),
                ("activate", ["id": account]), ("move", ["id": account, "post": TestDatabase.postC]),
                ("end-session", ["id": admin, "session": UUID().uuidString]), ("end-second-factor", ["id": admin]),
            ] {
                let answer = try await visitor.post("/warden/do/people/\(path)", fields)
                #expect(answer.status == 403, "\(path): \(answer.status)")
            }
            #expect(try database.owner.value("select json_agg(u order by id)::text from user_profiles u") == before)
        }
    }

    @Test func `changes no table by itself, only by the functions that judge anew`() async throws {
        try await TestServer.run { server, database in
            _ = try database.addUser("office", role: "warden")
            let passage = try server.speeding("BA1PA1234", database).exit
            let signedIn = try await server.send(
                "POST", "/auth/v1/token?grant_type=password", as: "anon",
                json: ["email": "office@bnp.local", "password": "password-office"])
            let token = try #require(signedIn.object["access_token"] as? String)
            func ask(_ method: String, _ path: String, _ json: Any? = nil) async throws -> TestServer.Answer {
                try await server.send(method, path, as: nil, ["Authorization": "Bearer \(token)"], json: json)
            }
            let facts = """
                select concat((select json_agg(p order by id) from vehicle_passages p),
                    (select json_agg(s order by id) from highway_segments s),
                    (select json_agg(u order by id) from user_profiles u), (select count(*) from violations),
                    (select count(*) from device_settings))
                """
            let before = try database.owner.value(facts)
            for (method, path, json) in [
                ("PATCH", "vehicle_passages?id=eq.\(passage)", ["plate_number": "BA9PA9999"]),
                ("DELETE", "vehicle_passages?id=eq.\(passage)", nil),
                ("POST", "vehicle_passages", TestServer.passage("A1", "2026-11-21T10:00:00Z")),
                ("PATCH", "highway_segments?id=not.is.null", ["max_speed_kmh": 200]),
                ("PATCH", "user_profiles?full_name=eq.office", ["role": "admin"]),
                ("POST", "device_settings", ["checkpost_id": TestDatabase.postA, "settings": ["recording": [:]]]),
                ("DELETE", "violations?id=not.is.null", nil),
            ] as [(String, String, [String: Any]?)] {
                _ = try await ask(method, "/rest/v1/" + path, json)
                #expect(try database.owner.value(facts) == before, "\(method) \(path)")
            }
            let moved = try await ask("POST", "/functions/v1/create-ranger", ["username": "own"])
            #expect(moved.status == 403 || moved.status == 400, "\(moved.status)")
            let corrected = try await ask(
                "POST", "/rest/v1/rpc/change_passage",
                [
                    "id": UUID().uuidString, "reason": "misread", "plate_number": "BA9PA9999",
                    "changed_at": "2026-11-21T12:00:00Z",
                    "client_id": try #require(
                        try database.owner.value(
                            "select client_id from vehicle_passages where id = $1::uuid", [passage])),
                ])
            #expect(corrected.object["changed"] as? Bool == true, "\(corrected.status) \(corrected.text)")
        }
    }

    @Test func `has no post, so that nothing takes it for a ranger`() async throws {
        try await Self.visited { server, database, _ in
            let office = try database.owner.value("select id from user_profiles where full_name = 'office'")
            #expect(throws: PostgresError.self) {
                try database.owner.run(
                    "update user_profiles set assigned_checkpost_id = $1::uuid where id = $2::uuid",
                    [TestDatabase.postA, office])
            }
            let admin = try await server.warden()
            let moved = try await admin.post(
                "/warden/do/people/move", ["id": office ?? "", "post": TestDatabase.postA])
            #expect(moved.status == 409 && moved.text.contains("account has a post."), "\(moved.status)")
        }
    }
}
