import Foundation
import Testing

@testable import checkpost_server

@Suite("The functions", .serialized, .timeLimit(.minutes(10)))
struct FunctionTests {
    private static func sendSMS(
        _ server: TestServer, _ body: String, sid: String = UUID().uuidString, signature: String? = nil,
        url: String? = nil
    ) async throws -> TestServer.Answer {
        let fields = [("From", "+9779800000000"), ("Body", body), ("MessageSid", sid), ("AccountSid", "AC 1+1")]
        let form = fields.map { "\($0.0.encoded)=\($0.1.encoded)" }.joined(separator: "&")
        let path = "/functions/v1/sms-webhook"
        let signed = TwilioSignature(authToken: "twilio-token").sign(
            url: url ?? "http://127.0.0.1:\(server.port)\(path)",
            fields: fields.map { QueryString.Item(name: $0.0, value: $0.1) })
        return try await server.send(
            "POST", path, as: nil,
            [
                "Content-Type": "application/x-www-form-urlencoded", "X-Twilio-Signature": signature ?? signed,
            ], body: Data(form.utf8))
    }

    @Test func `sign as Twilio's libraries do`() {
        // The published example of Twilio's own validators, with its result.
        let fields = [
            ("To", "+18005551212"), ("From", "+14158675309"), ("Digits", "1234"), ("Caller", "+14158675309"),
            ("CallSid", "CA1234567890ABCDE"),
        ].map { QueryString.Item(name: $0.0, value: $0.1) }
        let signature = TwilioSignature(authToken: "12345")
        let url = "https://mycompany.com/myapp.php?foo=1&bar=2"
        #expect(signature.sign(url: url, fields: fields) == "RSOYDt4T1cUTdK1PDd93/VVr8B8=")
        #expect(signature.isValid("RSOYDt4T1cUTdK1PDd93/VVr8B8=", url: url, fields: fields))
        #expect(!signature.isValid("RSOYDt4T1cUTdK1PDd93/VVr8B8=", url: url + "3", fields: fields))
        #expect(!signature.isValid("", url: url, fields: fields))
    }

    @Test func `take a signed SMS and answer TwiML`() async throws {
        try await TestServer.run { server, database in
            let text = "V1|BNP-A|BA1PA1|TRK|1795255200|0000"
            let answer = try await Self.sendSMS(server, text, sid: "SM1")
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.text.contains("<Response>"))
            #expect(answer.headers["content-type"]?.hasPrefix("text/xml") == true)
            #expect(try await Self.sendSMS(server, text, sid: "SM1").status == 200)
            #expect(try await Self.sendSMS(server, "nonsense नमस्ते", sid: "SM2").status == 200)
            #expect(
                try database.owner.run("select source, vehicle_type, ranger_id, id from vehicle_passages").rows
                    == [["sms", "truck", server.users["a"], SMSIdentity.uuid(ofText: text).uuidString.lowercased()]])
            let log = try await server.send(
                "GET", "/rest/v1/sms_messages?select=body,reason&result=eq.refused", as: "admin")
            #expect(log.rows.first?["body"] as? String == "nonsense नमस्ते")
            #expect(log.rows.first?["reason"] as? String == "not a V1 message")
            #expect(try await server.send("GET", "/rest/v1/sms_messages").text == "[]")
        }
    }

    @Test func `refuse an SMS that Twilio didn't sign`() async throws {
        try await TestServer.run { server, database in
            for signature in ["", "x", Data(count: 20).base64EncodedString()] {
                let answer = try await Self.sendSMS(server, "V1|BNP-A|BA1PA1|TRK|1795255200|0000", signature: signature)
                #expect(answer.status == 403)
                #expect(answer.object["error"] is String)
            }
            #expect(try database.owner.value("select count(*) from vehicle_passages") == "0")
            #expect(try database.owner.value("select count(*) from sms_messages") == "0")
        }
    }

    @Test func `check the signature over the public URL when there is one`() async throws {
        try await TestServer.run({ $0.smsPublicURL = "https://park.example/sms" }) { (server, _) async throws -> Void in
            let text = "V1|BNP-A|BA1PA1|TRK|1795255200|0000"
            #expect(try await Self.sendSMS(server, text).status == 403)
            #expect(try await Self.sendSMS(server, text, url: "https://park.example/sms").status == 200)
        }
    }

    @Test func `refuse every SMS without a token`() async throws {
        try await TestServer.run({ $0.smsAuthToken = nil }) { (server, _) async throws -> Void in
            #expect(try await Self.sendSMS(server, "V1|BNP-A|BA1PA1|TRK|1795255200|0000").status == 403)
        }
    }

    @Test func `match two passages`() async throws {
        try await TestServer.run { server, database in
            try database.owner.run("update server_settings set value = '0.001' where key = 'matching.window_hours'")
            let entry = try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z") ?? ""
            let exit = try database.owner.record("A1", at: TestDatabase.postB, "2026-11-21T10:30:00Z") ?? ""
            try database.owner.run("update server_settings set value = '24' where key = 'matching.window_hours'")
            let pair = ["entry_passage_id": entry, "exit_passage_id": exit]
            let path = "/functions/v1/match-passage"
            #expect(try await server.send("POST", path, as: "c", json: pair).status == 403)
            #expect(try await server.send("POST", path, as: "anon", json: pair).status == 401)
            let answer = try await server.send("POST", path, json: pair)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.object["matched"] as? Bool == true)
            #expect((answer.object["violation"] as? [String: Any])?["violation_type"] as? String == "speeding")
            let again = try await server.send("POST", path, json: pair)
            #expect(again.status == 409)
            #expect(Set(again.object.keys) == ["error"])
            for bad in [["entry_passage_id": entry], ["entry_passage_id": "x", "exit_passage_id": exit]] {
                #expect(try await server.send("POST", path, json: bad).status == 400)
            }
            #expect(try await server.send("POST", path, body: Data("{".utf8)).status == 400)
        }
    }

    @Test func `check for overstay for the service role`() async throws {
        try await TestServer.run { server, database in
            try database.owner.record("A1", at: TestDatabase.postA, TestDatabase.hoursAgo(30))
            let path = "/functions/v1/check-overstay"
            #expect(try await server.send("POST", path, as: "admin").status == 403)
            #expect([401, 403].contains(try await server.send("POST", path, as: nil).status))
            #expect(try await server.send("POST", path, as: "service").object["alerts_created"] as? Int == 1)
            #expect(try await server.send("POST", path, as: "service").object["alerts_created"] as? Int == 0)
        }
    }

    @Test func `create rangers for an admin`() async throws {
        try await TestServer.run { server, database in
            let path = "/functions/v1/create-ranger"
            let fields: [String: Any] = [
                "username": "ram", "password": "password-ram", "full_name": "Ram", "phone_number": "+977 9801234567",
                "assigned_checkpost_id": TestDatabase.postA,
                "assigned_park_id": "b0000000-0000-4000-8000-000000000001",
            ]
            #expect(try await server.send("POST", path, json: fields).status == 403)
            #expect(try await server.send("POST", path, as: "anon", json: fields).status == 401)
            let made = try await server.send("POST", path, as: "admin", json: fields)
            #expect(made.status == 201, "\(made.text)")
            #expect((made.object["user"] as? [String: Any])?["role"] as? String == "ranger")
            #expect(try await server.send("POST", path, as: "admin", json: fields).status == 400)
            let signIn = try await server.send(
                "POST", "/auth/v1/token?grant_type=password", as: "anon",
                json: ["email": "ram@bnp.local", "password": "password-ram"])
            #expect(signIn.status == 200)
            let changes: [[String: Any]] = [
                ["username": "x"], ["username": "a b"], ["password": "short"], ["full_name": " "],
                ["phone_number": "call me"],
                ["assigned_checkpost_id": "x"], ["assigned_park_id": UUID().uuidString], ["username": 7],
                ["password": NSNull()],
            ]
            for change in changes {
                let bad = fields.merging(["username": "hari"]) { $1 }.merging(change) { $1 }
                let answer = try await server.send("POST", path, as: "admin", json: bad)
                #expect(answer.status == 400, "\(change)")
                #expect(answer.object["error"] is String)
            }
            #expect(try await server.send("POST", path, as: "admin", body: Data("{".utf8)).status == 400)
            #expect(try database.owner.value("select count(*) from auth.users where email ~ 'hari'") == "0")
        }
    }

    @Test func `are no others`() async throws {
        try await TestServer.run { server, _ in
            let answer = try await server.send("POST", "/functions/v1/other", json: [String: Any]())
            #expect(answer.status == 404)
            #expect(answer.object["error"] is String)
        }
    }
}
