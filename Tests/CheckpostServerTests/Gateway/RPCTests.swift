import Foundation
import Testing

@testable import checkpost_server

@Suite("The functions under /rest/v1/rpc", .timeLimit(.minutes(10)), .serialized)
struct RPCTests {
    private static let rpc = "/rest/v1/rpc/"

    @Test func `are all that stand in the schema that PostgREST shows`() throws {
        let database = try TestDatabase()
        let shown = try database.owner.run(
            """
            select p.proname from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
            order by 1
            """
        ).rows.compactMap { $0[0] }
        #expect(shown == RPCHandler.functions.keys.sorted())
    }

    @Test func `do what their twins under /functions/v1 do, with the same rights`() async throws {
        try await TestServer.run { server, database in
            let entry = try database.owner.record("A1", at: TestDatabase.postA, TestDatabase.hoursAgo(20)) ?? ""
            let exit = try database.owner.record("A2", at: TestDatabase.postB, TestDatabase.hoursAgo(19)) ?? ""
            try database.owner.run(
                "update vehicle_passages set plate_number = 'A1', recorded_at = recorded_at - interval '2 days'"
                    + " where id = $1", [exit])
            let pair = ["entry_passage_id": entry, "exit_passage_id": exit]
            // Further apart than the window: both doors say the same.
            for path in ["/functions/v1/match-passage", Self.rpc + "match_passage"] {
                #expect(try await server.send("POST", path, json: pair).status == 422)
                #expect(try await server.send("POST", path, as: "anon", json: pair).status == 401)
                #expect(try await server.send("POST", path, as: "c", json: pair).status == 403)
            }
            let client = try database.owner.value("select client_id from vehicle_passages where id = $1", [entry]) ?? ""
            let change = [
                "id": UUID().uuidString.lowercased(), "client_id": client, "plate_number": "A7", "reason": "misread",
                "changed_at": "2026-11-21T12:00:00Z", "acted_by": "Hari",
            ]
            #expect(try await server.send("POST", Self.rpc + "change_passage", as: "b", json: change).status == 403)
            let changed = try await server.send("POST", Self.rpc + "change_passage", json: change)
            #expect(changed.status == 200 && changed.object["changed"] as? Bool == true, "\(changed.text)")
            #expect(
                try database.owner.value("select plate_number from vehicle_passages where id = $1", [entry]) == "A7")
            let overdue = try await server.send("POST", Self.rpc + "check_overstay", as: "service", json: [:])
            #expect(overdue.status == 200 && overdue.object["alerts_created"] as? Int == 2, "\(overdue.text)")
            let resolved = try await server.send(
                "POST", Self.rpc + "resolve_alert",
                json: [
                    "client_id": client, "resolved_at": "2026-11-21T20:00:00Z", "reason": "left", "acted_by": "Hari",
                ])
            #expect(resolved.status == 200, "\(resolved.text)")
            #expect(
                try database.owner.value("select count(*) from proactive_overstay_alerts where resolved_by = 'Hari'")
                    == "1")
        }
    }

    @Test func `that are the administrator's or the service's are nobody else's`() async throws {
        try await TestServer.run { server, database in
            let ranger = [
                "username": "hari", "password": "a-good-password-1", "full_name": "Hari",
                "assigned_checkpost_id": TestDatabase.postA,
                "assigned_park_id": "b0000000-0000-4000-8000-000000000001",
            ]
            #expect(try await server.send("POST", Self.rpc + "create_ranger", json: ranger).status == 403)
            let made = try await server.send("POST", Self.rpc + "create_ranger", as: "admin", json: ranger)
            #expect(made.status == 200 && (made.object["user"] as? [String: Any])?["id"] != nil, "\(made.text)")
            let text = ["message": "V1|BNP-A|BA1PA1|TRK|1795255200|0000", "sender": "+977", "message_sid": "S1"]
            for user in ["a", "admin"] {
                #expect(try await server.send("POST", Self.rpc + "receive_sms", as: user, json: text).status == 403)
                #expect(try await server.send("POST", Self.rpc + "check_overstay", as: user, json: [:]).status == 403)
            }
            let taken = try await server.send("POST", Self.rpc + "receive_sms", as: "service", json: text)
            #expect(taken.object["result"] as? String == "inserted", "\(taken.text)")
        }
    }

    @Test func `say who may use the console of the caller's post, and nothing of others`() async throws {
        try await TestServer.run { server, database in
            func open(as user: String = "a") async throws -> String {
                let names = ["a@bnp.local", "b@bnp.local", "admin@bnp.local", "nobody@bnp.local"]
                let answer = try await server.send("POST", Self.rpc + "accounts_open", as: user, json: ["names": names])
                return answer.text.replacing(" ", with: "")
            }
            #expect(try await open() == #"["a@bnp.local","admin@bnp.local"]"#)
            #expect(try await open(as: "b") == #"["admin@bnp.local","b@bnp.local"]"#)
            #expect(try await open(as: "admin") == "[]")
            try database.owner.run("update user_profiles set is_active = false where role = 'admin'")
            #expect(try await open() == #"["a@bnp.local"]"#)
            for names in [Array(repeating: "a@bnp.local", count: 101) as Any, "a@bnp.local", 7] {
                let strange = try await server.send(
                    "POST", Self.rpc + "accounts_open", as: "a", json: ["names": names])
                #expect(strange.status == 200 && strange.text == "[]", "\(strange.text)")
            }
        }
    }

    @Test(arguments: [
        ("match_passage", "{}"), ("match_passage", #"{"entry_passage_id": null}"#),
        ("receive_sms", #"{"message": "x"}"#),
        ("check_overstay", #"{"at_most": 1}"#), ("passage_days", "{}"), ("receive_sms(text)", "{}"),
    ]) func `are not found under arguments that they don't have`(name: String, body: String) async throws {
        try await TestServer.run { server, _ in
            let answer = try await server.send(
                "POST", Self.rpc + name.encoded, as: "service", ["Content-Type": "application/json"],
                body: Data(body.utf8))
            #expect(answer.status == 404 && answer.code == "PGRST202", "\(answer.text)")
        }
    }
}
