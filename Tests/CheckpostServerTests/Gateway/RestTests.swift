import Foundation
import ParkAPI
import Testing

@testable import checkpost_server

@Suite("The REST interface", .serialized, .timeLimit(.minutes(10)))
struct RestTests {
    private static func fill(_ database: TestDatabase) throws {
        for (index, plate) in ["BA 1 PA 1", "BA 1 PA 2", "LU 2 CHA 3"].enumerated() {
            try database.owner.record(plate, at: TestDatabase.postA, "2026-11-21T1\(index):00:00.250Z")
        }
        try database.owner.record("BA 1 PA 1", at: TestDatabase.postB, "2026-11-21T10:30:00Z")
    }

    private static let selections: [(query: String, count: Int)] = [
        ("plate_number=eq.BA%201%20PA%202", 1), ("plate_number=neq.BA%201%20PA%201", 2),
        ("recorded_at=gt.2026-11-21T10:30:00Z", 2), ("recorded_at=gte.2026-11-21T10:30:00Z", 3),
        ("recorded_at=lt.2026-11-21T10:30:00Z", 1), ("recorded_at=lte.2026-11-21T10:30:00Z", 2),
        ("recorded_at=gte.2026-11-21T16:15:00%2B05:45", 3), ("plate_number=like.BA*", 3),
        ("plate_number=ilike.*cha*", 1),
        ("matched_passage_id=is.null", 2), ("matched_passage_id=not.is.null", 2), ("is_entry=is.true", 1),
        ("plate_number=in.(%22LU%202%20CHA%203%22,nothing)", 1), ("plate_number=not.in.(x,y)", 4),
        ("plate_number=in.()", 0), ("or=(plate_number.like.LU*,is_entry.is.true)", 2),
        ("and=(plate_number.like.BA*,not.or(is_entry.is.true,is_entry.is.false))", 1),
        ("plate_number=not.like.BA*&source=eq.app", 1), ("checkpost_id=neq.\(TestDatabase.postA)", 1),
        ("plate_number=eq.x'%20or%20'1'='1", 0), ("plate_number=in.(%22a%5C%22%7D%22)", 0), ("server_seq=gt.0", 4),
    ]

    @Test func `selects by every operator`() async throws {
        try await TestServer.run { server, database in
            try Self.fill(database)
            for (query, count) in Self.selections {
                let answer = try await server.send("GET", "/rest/v1/vehicle_passages?\(query)")
                #expect(answer.status == 200, "\(query): \(answer.text)")
                #expect(answer.rows.count == count, "\(query)")
            }
        }
    }

    @Test func `chooses and renames columns, orders, limits and counts`() async throws {
        try await TestServer.run { server, database in
            try Self.fill(database)
            let path =
                "/rest/v1/vehicle_passages?select=number:plate_number,recorded_at&order=recorded_at.desc&limit=2&offset=1"
            let answer = try await server.send("GET", path, ["Prefer": "count=exact"])
            #expect(
                answer.text.replacing(" ", with: "")
                    == #"[{"number":"BA1PA2","recorded_at":"2026-11-21T11:00:00.25+00:00"},"#
                    + #"{"number":"BA1PA1","recorded_at":"2026-11-21T10:30:00+00:00"}]"#)
            #expect(answer.status == 206)
            #expect(answer.headers["content-range"] == "1-2/4")
            let range = try await server.send("GET", "/rest/v1/vehicle_passages", ["Range": "2-9"])
            #expect(range.headers["content-range"] == "2-3/*")
            let both = try await server.send("GET", "/rest/v1/vehicle_passages?limit=3&offset=2&offset=0&limit=2")
            #expect(both.headers["content-range"] == "0-1/*")
            let beyond = try await server.send(
                "GET", "/rest/v1/vehicle_passages?offset=9", ["Prefer": "count=exact"])
            #expect(beyond.status == 416)
            let head = try await server.send("HEAD", "/rest/v1/vehicle_passages", ["Prefer": "count=exact"])
            #expect(head.headers["content-range"] == "0-3/4")
            #expect(head.data.isEmpty)
        }
    }

    @Test func `embeds two levels in both directions`() async throws {
        try await TestServer.run { server, database in
            try Self.fill(database)
            let up = try await server.send(
                "GET",
                "/rest/v1/vehicle_passages?select=plate_number,post:checkposts!inner(code)&checkposts.code=eq.x"
            )
            #expect(up.status == 400)
            let filtered = try await server.send(
                "GET",
                "/rest/v1/vehicle_passages?select=plate_number,post:checkposts!inner(code,highway_segments(distance_km))&post.code=eq.BNP-B"
            )
            #expect(
                filtered.text.replacing(" ", with: "")
                    == #"[{"plate_number":"BA1PA1","post":{"code":"BNP-B","highway_segments":{"distance_km":45.00}}}]"#)
            let down = try await server.send(
                "GET",
                "/rest/v1/violations?select=violation_type,violation_outcomes(id),"
                    + "entry:vehicle_passages!entry_passage_id(plate_number,checkposts(code))"
            )
            #expect(
                down.text.replacing(" ", with: "")
                    == #"[{"violation_type":"speeding","violation_outcomes":null,"#
                    + #""entry":{"plate_number":"BA1PA1","checkposts":{"code":"BNP-A"}}}]"#
            )
            let many = try await server.send(
                "GET",
                "/rest/v1/highway_segments?select=checkposts(code)&checkposts.order=code.desc&id=eq.\(TestDatabase.segment)"
            )
            #expect(many.text.replacing(" ", with: "") == #"[{"checkposts":[{"code":"BNP-B"},{"code":"BNP-A"}]}]"#)
            let twoWays = try await server.send("GET", "/rest/v1/violations?select=vehicle_passages(id)")
            #expect(twoWays.status == 300)
            #expect(twoWays.code == "PGRST201")
            let own = try await server.send(
                "GET",
                "/rest/v1/vehicle_passages?select=plate_number,other:matched_passage_id(is_entry)&is_entry=is.true")
            #expect(own.text.replacing(" ", with: "") == #"[{"plate_number":"BA1PA1","other":{"is_entry":false}}]"#)
        }
    }

    private static let nonsense = [
        "vehicle_passages?nothing=eq.1", "vehicle_passages?select=nothing", "vehicle_passages?select=id%22",
        "vehicle_passages?order=nothing", "vehicle_passages?plate_number=eq", "vehicle_passages?plate_number=regex.x",
        "vehicle_passages?recorded_at=gt.yesterday%20or%20so", "vehicle_passages?id=eq.x", "vehicle_passages?limit=-1",
        "vehicle_passages?select=id&select=id", "vehicle_passages?or=(a", "vehicle_passages?or=(plate_number.eq.1",
        "vehicle_passages?select=a(b(c(d(e))))", "vehicle_passages?recorded_at=like.2*",
        "vehicle_passages?plate_number=is.true",
        "vehicle_passages?plate_number=in.x", "vehicle_passages?plate_number=eq.%FF",
        "vehicle_passages?plate_number=eq.%00",
        "vehicle_passages?server_seq=eq.99999999999999999999", "vehicle_passages?select=*,nothing(id)",
        "vehicle_passages?order=id.up", "vehicle_passages?confidence=eq.1e999",
        "vehicle_passages?select=;drop%20table%20parks", "vehicle_passages?select=id::text",
    ]

    @Test func `answers 400 to a query that makes no sense`() async throws {
        try await TestServer.run { server, _ in
            for path in Self.nonsense {
                let answer = try await server.send("GET", "/rest/v1/\(path)")
                #expect(answer.status == 400, "\(path): \(answer.text)")
                #expect(answer.object["message"] is String)
                #expect(Set(answer.object.keys) == ["code", "message", "details", "hint"])
            }
        }
    }

    @Test func `knows neither other tables nor other schemas`() async throws {
        try await TestServer.run { (server, _) async throws -> Void in
            for name in ["nothing", "pg_class", "refresh_tokens", "users", "auth.users", "vehicle_passages%22"] {
                #expect(try await server.send("GET", "/rest/v1/\(name)", as: "service").status == 404)
            }
            #expect(try await server.send("GET", "/rest/v1/parks", ["Accept-Profile": "auth"]).status == 406)
            #expect(try await server.send("GET", "/rest/v1/parks", ["Accept": "text/csv"]).status == 406)
        }
    }

    @Test func `inserts one and many and returns them as the triggers left them`() async throws {
        try await TestServer.run { server, database in
            try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T10:30:00Z")
            let one = try await server.send(
                "POST", "/rest/v1/vehicle_passages?select=plate_number,is_entry,checkposts(code)",
                ["Prefer": "return=representation"], json: TestServer.passage("A1", "2026-11-21T10:00:00Z"))
            #expect(one.status == 201)
            #expect(
                one.text.replacing(" ", with: "")
                    == #"[{"plate_number":"A1","is_entry":true,"checkposts":{"code":"BNP-A"}}]"#)
            let many = try await server.send(
                "POST", "/rest/v1/vehicle_passages", ["Prefer": "return=minimal,count=exact"],
                json: (2..<52).map { TestServer.passage("A\($0)", "2026-11-21T10:00:00Z") })
            #expect(many.status == 201)
            #expect(many.data.isEmpty)
            #expect(many.headers["content-range"] == "*/50")
            let defaults = try await server.send(
                "POST", "/rest/v1/sync_metadata?columns=%22device_id%22,%22pending_count%22",
                ["Prefer": "return=representation,missing=default"], json: [["device_id": "box"]])
            #expect(defaults.status == 201, "\(defaults.text)")
            #expect(defaults.rows.first?["pending_count"] as? Int == 0)
            #expect(defaults.rows.first?["user_id"] as? String == server.users["a"])
        }
    }

    @Test func `tells a duplicate, a failed check, a missing right and a missing sign-in apart`() async throws {
        try await TestServer.run { server, _ in
            let path = "/rest/v1/vehicle_passages"
            var passage = TestServer.passage("A1", "2026-11-21T10:00:00Z")
            #expect(try await server.send("POST", path, json: passage).status == 201)
            let again = try await server.send("POST", path, json: passage)
            #expect(again.status == 409)
            #expect(again.code == "23505")
            #expect(again.text.contains("client_id"))
            let merged = try await server.send(
                "POST", "\(path)?on_conflict=client_id", ["Prefer": "resolution=ignore-duplicates"],
                json: [passage, TestServer.passage("A2", "2026-11-21T10:00:00Z")])
            #expect(merged.status == 201)
            passage["client_id"] = UUID().uuidString
            passage["vehicle_type"] = "boat"
            let check = try await server.send("POST", path, json: passage)
            #expect(check.status == 400)
            #expect(check.code == "23514")
            let other = try await server.send(
                "POST", path, json: TestServer.passage("A1", at: TestDatabase.postB, "2026-11-21T10:00:00Z"))
            #expect(other.status == 403)
            #expect(other.code == "42501")
            for user in ["anon", nil] {
                let anonymous = try await server.send("POST", path, as: user, json: passage)
                #expect(anonymous.status == 401)
                #expect(anonymous.code == "42501")
            }
            let unknown = try await server.send("POST", path, json: ["client_id": UUID().uuidString, "wings": 2])
            #expect(unknown.code == "PGRST204")
        }
    }

    @Test func `completes the row of an SMS and returns it`() async throws {
        try await TestServer.run { server, database in
            let text = "V1|BNP-A|A1|CAR|1795255200|0000"
            try database.owner.run("select checkpost.receive_sms($1, '', '')", [text])
            let identity = SMSEncoder.clientID(of: text).uuidString.lowercased()
            var passage = TestServer.passage("A1", "2026-11-21T10:00:00.5Z")
            passage["sms_client_id"] = identity
            for status in [201, 409] {
                let answer = try await server.send(
                    "POST", "/rest/v1/vehicle_passages?select=id,client_id,source",
                    ["Prefer": "return=representation", "Accept": "application/vnd.pgrst.object+json"], json: passage)
                #expect(answer.status == status, "\(answer.text)")
                guard status == 201 else { continue }
                #expect(answer.object["id"] as? String == identity)
                #expect(answer.object["client_id"] as? String == passage["client_id"] as? String)
                #expect(answer.object["source"] as? String == "sms")
            }
            #expect(try database.owner.value("select count(*) from vehicle_passages") == "1")
        }
    }

    @Test func `updates, upserts and deletes`() async throws {
        try await TestServer.run { server, database in
            let insert = try await server.send(
                "POST", "/rest/v1/vehicle_passages", ["Prefer": "return=representation"],
                json: TestServer.passage("A1", "2026-11-21T10:00:00Z"))
            let id = insert.rows.first?["id"] as? String ?? ""
            let patch = try await server.send(
                "PATCH", "/rest/v1/vehicle_passages?id=eq.\(id)&select=photo_path", ["Prefer": "return=representation"],
                json: ["photo_path": "passage-photos/\(id).jpg"])
            #expect(patch.text.replacing(" ", with: "") == #"[{"photo_path":"passage-photos/\#(id).jpg"}]"#)
            let quiet = try await server.send(
                "PATCH", "/rest/v1/vehicle_passages?id=eq.\(id)", json: ["photo_path": "\(id).png"])
            #expect(quiet.status == 204)
            for column in ["matched_passage_id", "is_entry", "server_seq", "plate_number"] {
                let forbidden = try await server.send(
                    "PATCH", "/rest/v1/vehicle_passages?id=eq.\(id)", json: [column: NSNull()])
                #expect(forbidden.status == 403, "\(column)")
            }
            let all = try await server.send("PATCH", "/rest/v1/vehicle_passages", as: "admin", json: ["photo_path": ""])
            #expect(all.code == "21000")
            for count in [3, 4] {
                let upsert = try await server.send(
                    "POST", "/rest/v1/sync_metadata?on_conflict=user_id,device_id",
                    ["Prefer": "resolution=merge-duplicates,return=representation"],
                    json: ["user_id": server.users["a"] ?? "", "device_id": "box", "pending_count": count])
                #expect(upsert.status == 201, "\(upsert.text)")
                #expect(upsert.rows.first?["pending_count"] as? Int == count)
            }
            #expect(try database.owner.value("select count(*) from sync_metadata") == "1")
            let gone = try await server.send(
                "DELETE", "/rest/v1/sync_metadata?device_id=eq.box&select=device_id",
                ["Prefer": "return=representation"],
                json: [String: Any]())
            #expect(gone.text.replacing(" ", with: "") == #"[{"device_id":"box"}]"#)
            #expect(try await server.send("DELETE", "/rest/v1/sync_metadata?device_id=eq.box").status == 204)
            #expect(try await server.send("DELETE", "/rest/v1/sync_metadata").status == 400)
        }
    }

    @Test func `returns one object when asked for one, and changes nothing when there isn't one`() async throws {
        try await TestServer.run { server, database in
            let single = ["Accept": "application/vnd.pgrst.object+json"]
            let one = try await server.send("GET", "/rest/v1/checkposts?code=eq.BNP-A&select=code", single)
            #expect(one.object["code"] as? String == "BNP-A")
            let many = try await server.send("GET", "/rest/v1/checkposts", single)
            #expect(many.status == 406)
            #expect(many.code == "PGRST116")
            let patch = try await server.send(
                "PATCH", "/rest/v1/checkposts?name=like.*", as: "admin",
                single.merging(["Prefer": "return=representation"]) { $1 }, json: ["name": "x"])
            #expect(patch.status == 406)
            #expect(try database.owner.value("select count(*) from checkposts where name = 'x'") == "0")
        }
    }

    private static let brokenBodies = [
        "", "{", "[1]", "1", "\"x\"", "[[]]", "{\"client_id\": \"x\"}", "[{\"a\":1},{\"b\":2}]",
        "{\"plate_number\":\"a\\u0000b\"}",
        "null", String(repeating: "[", count: 100_000), "{\"recorded_at\": {}}", "\u{fffd}",
    ]

    @Test func `answers 400 to a body that makes no sense`() async throws {
        try await TestServer.run { server, _ in
            for body in Self.brokenBodies {
                let answer = try await server.send("POST", "/rest/v1/vehicle_passages", body: Data(body.utf8))
                #expect(answer.status == 400, "\(body.prefix(20)): \(answer.text)")
            }
        }
    }

    @Test func `shows a ranger of another segment nothing`() async throws {
        try await TestServer.run { server, database in
            try Self.fill(database)
            for table in ["vehicle_passages", "violations", "proactive_overstay_alerts", "violation_outcomes"] {
                #expect(try await server.send("GET", "/rest/v1/\(table)", as: "c").text == "[]")
                #expect(try await server.send("GET", "/rest/v1/\(table)", as: "anon").status == 401)
            }
            #expect(try await server.send("GET", "/rest/v1/vehicle_passages", as: "b").rows.count == 4)
            #expect(try await server.send("GET", "/rest/v1/vehicle_passages", as: "service").rows.count == 4)
        }
    }
}
