import Foundation
import TestKit
import Testing

@testable import checkpost_server

/// Values that are well-formed and can't be true.
@Suite("Implausible values", .serialized, .timeLimit(.minutes(10)))
struct PlausibilityTests {
    @Test func `of a passage's time are refused`() async throws {
        try await TestServer.run { server, database in
            let path = "/rest/v1/vehicle_passages"
            for bad in ["1969-12-31T23:59:59Z", "200000-01-01", "2100-01-01T00:00:00Z"] {
                let answer = try await server.send("POST", path, json: TestServer.passage("A1", bad))
                #expect(answer.status == 400 && answer.code == "23514", "\(bad): \(answer.text)")
            }
            let words = [
                "now", "tomorrow", "yesterday", "epoch", "infinity", "-infinity", "now()", "2026-11-21 allballs",
                " today ",
            ]
            for word in words {
                let answer = try await server.send("POST", path, json: TestServer.passage("A1", word))
                #expect(answer.status == 400 && answer.code == "22007", "\(word): \(answer.text)")
            }
            for good in ["1970-01-01T00:00:00Z", "2099-12-31T23:59:59Z"] {
                #expect(try await server.send("POST", path, json: TestServer.passage("A1", good)).status == 201)
            }
            let change = try await server.send(
                "PATCH", path + "?plate_number=eq.A1", as: "admin", json: ["recorded_at": "1969-01-01T00:00:00Z"])
            #expect(change.status == 400 && change.code == "23514", "\(change.text)")
            #expect(try database.owner.value("select count(*) from vehicle_passages") == "2")
            let forms = ["2026-11-21 10:00:00.25+05:45", "2026-11-21T10:00:00.123456+00", "2026-11-21T10:00:00z"]
            for form in forms {
                #expect(
                    try await server.send("POST", path, json: TestServer.passage("A2", form)).status == 201, "\(form)")
            }
        }
    }

    @Test func `of every other time that a client sends are refused, and no page fails for them`() async throws {
        try await TestServer.run { server, database in
            let entry = try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
            try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T10:30:00Z")
            let open = try database.owner.record("A2", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
            func client(_ id: String?) throws -> String {
                try database.owner.value("select client_id from vehicle_passages where id = $1", [id]) ?? ""
            }
            let violation = try database.owner.value("select id from violations") ?? ""
            let (first, second) = (try client(entry), try client(open))
            for far in [
                "294276-12-31T00:00:00Z", "infinity", "-infinity", "1969-12-31T00:00:00Z", "2100-01-01T00:00:00Z",
            ] {
                let answers = [
                    try await server.send(
                        "POST", "/rest/v1/post_reviews?on_conflict=checkpost_id",
                        ["Prefer": "resolution=merge-duplicates"],
                        json: ["checkpost_id": TestDatabase.postA, "as_of": far, "waiting": [Any]()]),
                    try await server.send(
                        "POST", "/functions/v1/resolve-alert", json: ["client_id": second, "resolved_at": far]),
                    try await server.send(
                        "POST", "/functions/v1/change-passage",
                        json: [
                            "id": UUID().uuidString, "client_id": first, "plate_number": "A3", "reason": "misread",
                            "changed_at": far,
                        ]),
                    try await server.send(
                        "POST", "/rest/v1/violation_outcomes",
                        json: ["violation_id": violation, "outcome_type": "warned", "recorded_at": far]),
                    try await server.send(
                        "POST", "/rest/v1/sync_metadata", json: ["device_id": "box", "last_push_at": far]),
                    try await server.send(
                        "POST", "/rest/v1/sync_runs", json: ["device_id": "box", "kind": "cycle", "started_at": far]),
                ]
                for (index, answer) in answers.enumerated() {
                    #expect(answer.status == 400, "\(far), \(index): \(answer.status) \(answer.text)")
                }
            }
            #expect(
                try database.owner.value("select plate_number from vehicle_passages where id = $1", [entry]) == "A1")
            #expect(try database.owner.value("select count(*) from violation_outcomes") == "0")
        }
    }

    @Test func `more than a day ahead are kept, and known for a clock that is wrong`() throws {
        let database = try TestDatabase()
        func state(_ ahead: String) throws -> String? {
            let time = try database.owner.value("select now() + interval '\(ahead)'") ?? ""
            let id = try database.owner.record("A1", at: TestDatabase.postA, time, clockState: "synchronised")
            return try database.owner.value("select clock_state from vehicle_passages where id = $1", [id])
        }
        #expect(try state("23 hours") == "synchronised")
        #expect(try state("25 hours") == "untrusted")
        let later = try database.owner.value("select now() + interval '25 hours 5 minutes'") ?? ""
        try database.owner.record("A1", at: TestDatabase.postB, later, clockState: "synchronised")
        #expect(try database.owner.value("select count(*) from violations") == "0")
    }

    @Test func `of an SMS are kept as refused`() throws {
        let database = try TestDatabase()
        for (body, reason) in [
            ("V1|BNP-A|BA1PA1|CAR|4102444800|0000", "recorded_at"),
            ("V1|BNP-A|BA1PA1|CAR|99999999999|0000", "recorded_at"), ("V1|BNP-A|B|CAR|1795255200|0000", "plate_number"),
        ] {
            let outcome = try database.owner.value(
                "select checkpost.receive_sms($1, '+977', null) ->> 'result'", [body])
            #expect(outcome == "refused")
            #expect(
                try database.owner.run("select result, reason ~ $2 from sms_messages where body = $1", [body, reason])
                    .rows == [["refused", "t"]])
        }
        #expect(try database.owner.value("select count(*) from vehicle_passages") == "0")
        let good = try database.owner.value(
            "select checkpost.receive_sms('V1|BNP-A|BA1PA1|CAR|1795255200|0000', '+977', null) ->> 'result'")
        #expect(good == "inserted")
    }

    @Test func `of a number are refused`() async throws {
        try await TestServer.run { server, database in
            let segment = "/rest/v1/highway_segments?id=eq.\(TestDatabase.segment)"
            for column in ["distance_km", "max_speed_kmh", "min_speed_kmh"] {
                for bad: Any in ["NaN", 0, -1] {
                    let answer = try await server.send("PATCH", segment, as: "admin", json: [column: bad])
                    #expect(answer.status == 400 && answer.code == "23514", "\(column) \(bad): \(answer.text)")
                }
                // More digits than the column has.
                for bad in ["Infinity", "-Infinity", "1e30"] {
                    let answer = try await server.send("PATCH", segment, as: "admin", json: [column: bad])
                    #expect(answer.status == 400 && answer.code == "22003", "\(column) \(bad): \(answer.text)")
                }
            }
            for column in ["latitude", "longitude"] {
                let answer = try await server.send(
                    "PATCH", "/rest/v1/checkposts?code=eq.BNP-A", as: "admin", json: [column: "NaN"])
                #expect(answer.status == 400 && answer.code == "23514", "\(column): \(answer.text)")
            }
            for bad in ["NaN", "Infinity"] {
                let passage = TestServer.passage("A1", "2026-11-21T10:00:00Z").merging(["confidence": bad]) { $1 }
                let answer = try await server.send("POST", "/rest/v1/vehicle_passages", json: passage)
                #expect(answer.status == 400 && answer.code == "23514", "\(bad): \(answer.text)")
            }
            try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
            try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T10:10:00Z")
            let violation = try database.owner.value("select id from violations") ?? ""
            var outcome: [String: Any] = ["violation_id": violation, "outcome_type": "fined", "fine_amount": "NaN"]
            let refused = try await server.send("POST", "/rest/v1/violation_outcomes", json: outcome)
            #expect(refused.status == 400 && refused.code == "23514", "\(refused.text)")
            outcome["fine_amount"] = 500
            #expect(try await server.send("POST", "/rest/v1/violation_outcomes", json: outcome).status == 201)
        }
    }

    @Test func `of a plate are refused`() async throws {
        try await TestServer.run { server, _ in
            let path = "/rest/v1/vehicle_passages"
            for bad in ["A", "BA-1-PA-1", "<b>", "बा १ च १", "A1'", "ABCDEFGH123456789", "\u{202E}A1"] {
                let answer = try await server.send("POST", path, json: TestServer.passage(bad, "2026-11-21T10:00:00Z"))
                #expect(answer.status == 400 && answer.code == "23514", "\(bad): \(answer.text)")
            }
            for good in ["ba 1 pa 1234", "BA1PA??34", "A1", "ABCDEFGH12345678"] {
                let answer = try await server.send("POST", path, json: TestServer.passage(good, "2026-11-21T10:00:00Z"))
                #expect(answer.status == 201, "\(good): \(answer.text)")
            }
        }
    }

    @Test func `of a post's settings are refused`() async throws {
        try await TestServer.run { server, _ in
            func set(_ settings: Any) async throws -> TestServer.Answer {
                try await server.send(
                    "POST", "/rest/v1/device_settings", as: "admin", ["Prefer": "resolution=merge-duplicates"],
                    json: ["checkpost_id": TestDatabase.postA, "settings": settings])
            }
            let bad: [Any] = [
                ["sync.page_rows": "100"], ["sync.page_rows": NSNull()], ["sync.batch_size": [1]],
                ["matching.window_hours": "24"], ["sms.gateway_number": 9_800_000_000], [1], "x",
            ]
            for settings in bad {
                let answer = try await set(settings)
                #expect(answer.status == 400 && answer.code == "23514", "\(settings): \(answer.text)")
            }
            let good: [Any] = [
                ["sync.page_rows": 100, "matching.window_hours": 24.5, "sms.gateway_number": "+9779800000000"],
                ["another": "x"], [String: Any](),
            ]
            for settings in good {
                let answer = try await set(settings)
                #expect([200, 201].contains(answer.status), "\(settings): \(answer.text)")
            }
        }
    }

    @Test(arguments: ["ZZ\r\n", "-1\r\n", "\r\n", "5\r\n{}\r\n0\r\n\r\nxx\r\n\r\n"])
    func `of a chunk's length get 400`(chunk: String) async throws {
        try await TestServer.run { server, _ in
            for path in [
                "/rest/v1/vehicle_passages", "/functions/v1/match-passage", "/auth/v1/token?grant_type=password",
            ] {
                let request =
                    "POST \(path) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(try server.token("a"))\r\n"
                    + "apikey: \(server.anonKey)\r\nContent-Type: application/json\r\nConnection: close\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n\(chunk)"
                let answer = try await OtherProgram.run(
                    "/bin/bash",
                    ["-c", "exec 3<>/dev/tcp/127.0.0.1/$0; cat >&3; timeout 10 head -n 1 <&3", String(server.port)],
                    input: request)
                #expect(answer.output.hasPrefix("HTTP/1.1 400"), "\(path): \(answer.output)")
            }
            #expect(try await server.send("GET", "/health", as: nil).status == 200)
        }
    }
}
