import Foundation
import ParkAPI
import Testing

@testable import checkpost_server

@Suite("What the server does not let pass", .serialized, .timeLimit(.minutes(10)))
struct StricterTests {
    private static func insert(
        _ server: TestServer, _ plate: String, at post: String = TestDatabase.postA, _ time: String
    ) async throws -> String {
        let answer = try await server.send(
            "POST", "/rest/v1/vehicle_passages?select=id", as: post == TestDatabase.postA ? "a" : "b",
            ["Prefer": "return=representation"], json: TestServer.passage(plate, at: post, time))
        return answer.rows.first?["id"] as? String ?? ""
    }

    @Test func `a photo_path that is another's`() async throws {
        try await TestServer.run { server, _ in
            let id = try await Self.insert(server, "A1", "2026-11-21T10:00:00Z")
            let other = try await Self.insert(server, "A2", "2026-11-21T10:00:00Z")
            func patch(_ path: Any, as user: String = "a") async throws -> TestServer.Answer {
                try await server.send(
                    "PATCH", "/rest/v1/vehicle_passages?id=eq.\(id)", as: user, json: ["photo_path": path])
            }
            for path in ["passage-photos/\(id).jpg", "\(id).png", "BNP-A/\(id).jpeg"] {
                #expect(try await patch(path).status == 204, "\(path)")
            }
            for path in [
                "passage-photos/\(other).jpg", "x.jpg", "../\(id).jpg", "/\(id).jpg", "http://elsewhere/\(id).jpg",
                "\(id).jpg ", "\(id).exe", "",
            ] {
                let answer = try await patch(path)
                #expect(answer.status == 400, "\(path)")
                #expect(answer.code == "23514", "\(path)")
            }
            #expect(try await patch(NSNull()).status == 204)
            #expect(try await patch("archive/1.jpg", as: "admin").status == 204)
        }
    }

    @Test func `a passage with the id of one that is gone, whose picture and history are kept`() async throws {
        try await TestServer.run { server, database in
            let gone = try await Self.insert(server, "A1", at: TestDatabase.postB, "2026-11-21T10:00:00Z")
            try database.owner.run("delete from vehicle_passages where id = $1", [gone])
            var passage = TestServer.passage("A2", "2026-11-21T10:00:00Z")
            passage["id"] = gone
            let taken = try await server.send("POST", "/rest/v1/vehicle_passages", json: passage)
            #expect(taken.status == 400 && taken.code == "23514", "\(taken.text)")
            passage["id"] = UUID().uuidString
            #expect(try await server.send("POST", "/rest/v1/vehicle_passages", json: passage).status == 201)
            #expect(try database.owner.value("select plate_number from deleted_passages where id = $1", [gone]) == "A1")
        }
    }

    @Test func `another photo_path of a passage that is evidence`() async throws {
        try await TestServer.run { server, database in
            let id = try await Self.insert(server, "A1", "2026-11-21T10:00:00Z")
            func patch(_ path: Any) async throws -> Int {
                try await server.send(
                    "PATCH", "/rest/v1/vehicle_passages?id=eq.\(id)", json: ["photo_path": path]
                ).status
            }
            #expect(try await patch("passage-photos/\(id).jpg") == 204)
            _ = try await Self.insert(server, "A1", at: TestDatabase.postB, "2026-11-21T10:20:00Z")
            #expect(try database.owner.value("select count(*) from violations") == "1")
            for path in ["passage-photos/\(id).png", NSNull()] as [Any] { #expect(try await patch(path) == 403) }
            // A box that lost the answer says the same once more.
            #expect(try await patch("passage-photos/\(id).jpg") == 204)
        }
    }

    @Test func `an upload that calls itself an SMS`() async throws {
        try await TestServer.run { server, _ in
            var passage = TestServer.passage("A1", "2026-11-21T10:00:00Z")
            passage["source"] = "sms"
            let answer = try await server.send("POST", "/rest/v1/vehicle_passages", json: passage)
            #expect(answer.status == 403)
            #expect(answer.code == "42501")
        }
    }

    @Test func `a proposed match beyond the window`() async throws {
        try await TestServer.run { server, database in
            let entry = try await Self.insert(server, "A1", "2026-11-19T10:00:00Z")
            let exit = try await Self.insert(server, "A1", at: TestDatabase.postB, "2026-11-20T10:00:01Z")
            let ids = ["entry_passage_id": entry, "exit_passage_id": exit]
            let answer = try await server.send("POST", "/functions/v1/match-passage", json: ids)
            #expect(answer.status == 422)
            #expect(
                try database.owner.value("select count(*) from vehicle_passages where matched_passage_id is not null")
                    == "0")
            #expect(try database.owner.value("select count(*) from violations") == "0")
            try database.owner.run(
                "insert into server_settings (key, value) values ('matching.window_hours', '25') on conflict (key) do update set value = '25'"
            )
            #expect(try await server.send("POST", "/functions/v1/match-passage", json: ids).status == 200)
        }
    }

    /// Lawful pairs of yesterday, one of which the warden deletes, one withdraws, and one the post withdraws.
    @Test func `an overstay of a vehicle whose other passage the warden took away`() async throws {
        try await TestServer.run { server, database in
            var pairs: [(entry: String, exit: String)] = []
            for plate in ["A1", "A2", "A3"] {
                pairs.append(
                    (
                        try await Self.insert(server, plate, "2026-11-01T10:00:00Z"),
                        try await Self.insert(server, plate, at: TestDatabase.postB, "2026-11-01T12:00:00Z")
                    ))
            }
            let deleted = try await server.send(
                "DELETE", "/rest/v1/vehicle_passages?id=eq.\(pairs[0].entry)", as: "admin")
            #expect(deleted.status == 204)
            for (pair, user) in [(pairs[1], "admin"), (pairs[2], "a")] {
                let client = try database.owner.value(
                    "select client_id from vehicle_passages where id = $1", [pair.entry])
                let answer = try await server.send(
                    "POST", "/functions/v1/change-passage", as: user,
                    json: [
                        "id": UUID().uuidString, "client_id": client ?? "", "plate_number": NSNull(),
                        "reason": "a test",
                        "changed_at": "2026-11-01T13:00:00Z",
                    ])
                #expect(answer.object["changed"] as? Bool == true)
            }
            let round = try await server.send("POST", "/functions/v1/check-overstay", as: "service", json: [:])
            #expect(round.object["alerts_created"] as? Int == 1)
            #expect(
                try database.owner.value("select entry_passage_id from proactive_overstay_alerts where not resolved")
                    == pairs[2].exit)
            #expect(
                try database.owner.value(
                    "select resolved_reason from proactive_overstay_alerts where entry_passage_id = $1", [pairs[0].exit]
                )
                    == "the passage that it was matched with was deleted")
        }
    }

    @Test func `tokens without an end, and of accounts that are gone`() async throws {
        try await TestServer.run { server, database in
            func status(sub: String, exp: JSONValue) async throws -> Int {
                let token = try server.signer.sign(["role": .text("authenticated"), "sub": .text(sub), "exp": exp])
                return try await server.send(
                    "GET", "/rest/v1/checkposts", as: nil, ["Authorization": "Bearer \(token)"]
                ).status
            }
            let id = server.users["a"] ?? ""
            let soon = JSONValue.integer(Int64(Date().timeIntervalSince1970) + 600)
            #expect(try await status(sub: id, exp: soon) == 200)
            #expect(try await status(sub: id, exp: .number(1e300)) == 401)
            let stranger = UUID().uuidString
            #expect(try await status(sub: stranger, exp: soon) == 401)
            let removed = try await server.send("DELETE", "/auth/v1/admin/users/\(id)", as: "service")
            #expect(removed.status == 200)
            #expect(try await status(sub: id, exp: soon) == 401)
        }
    }

    @Test func `methods that a path does not have`() async throws {
        try await TestServer.run { server, _ in
            for (method, path, allowed) in [
                ("PUT", "/rest/v1/vehicle_passages", "DELETE, GET, HEAD, PATCH, POST"),
                ("GET", "/auth/v1/token", "POST"), ("POST", "/auth/v1/user", "GET"),
                ("GET", "/functions/v1/match-passage", "POST"),
                ("PATCH", "/storage/v1/object/passage-photos/x.jpg", "DELETE, GET, HEAD, POST, PUT"),
                ("PATCH", "/auth/v1/admin/users/x", "DELETE, GET, PUT"), ("OPTIONS", "/health", "GET"),
            ] {
                let answer = try await server.send(method, path)
                #expect(answer.status == 405, "\(method) \(path)")
                #expect(answer.headers["allow"] == allowed, "\(method) \(path)")
            }
            #expect(try await server.send("PUT", "/rest/v1/vehicle_passages").code == "PGRST117")
            #expect(try await server.send("GET", "/functions/v1/nothing").status == 404)
            #expect(try await server.send("PUT", "/elsewhere").status == 404)
        }
    }

    @Test func `CSV, which it neither reads nor writes`() async throws {
        try await TestServer.run { server, _ in
            let rows = Data("client_id,plate_number\n1,A1\n".utf8)
            for method in ["POST", "PATCH"] {
                let answer = try await server.send(
                    method, "/rest/v1/vehicle_passages?id=eq.x", ["Content-Type": "text/csv"], body: rows)
                #expect(answer.status == 415)
                #expect(answer.code == "PGRST102")
            }
            let answer = try await server.send("GET", "/rest/v1/checkposts", ["Accept": "text/csv"])
            #expect(answer.status == 406)
            #expect(answer.code == "PGRST107")
            let plain = try JSONSerialization.data(withJSONObject: TestServer.passage("A1", "2026-11-21T10:00:00Z"))
            for type in ["application/json; charset=utf-8", "application/x-www-form-urlencoded"] {
                let status = try await server.send(
                    "POST", "/rest/v1/vehicle_passages?on_conflict=client_id",
                    ["Content-Type": type, "Prefer": "resolution=ignore-duplicates"], body: plain
                ).status
                #expect([200, 201].contains(status), "\(type)")
            }
        }
    }
}
