import Foundation
import ParkAPI
import Testing

@testable import checkpost_server

@Suite("A passage that the warden deletes", .serialized, .timeLimit(.minutes(10)))
struct DeletionTests {
    private static let passages = "/rest/v1/vehicle_passages"

    @Test func `is told to its segment, in order, and to nobody else`() async throws {
        try await TestServer.run { server, database in
            let ids = try ["A1", "A2"].map {
                try database.owner.record($0, at: TestDatabase.postA, "2026-11-21T10:00:00Z") ?? ""
            }
            for id in ids {
                #expect(try await server.send("DELETE", Self.passages + "?id=eq.\(id)", as: "admin").status == 204)
            }
            let path = "/rest/v1/deleted_passages?select=id,plate_number,deleted_by,server_seq&order=server_seq"
            let told = try await server.send("GET", path, as: "b").rows
            #expect(told.compactMap { $0["id"] as? String } == ids)
            #expect(told.first?["deleted_by"] as? String == server.users["admin"])
            let highest = try database.owner.value("select max(server_seq) from deleted_passages") ?? ""
            #expect(told.last?["server_seq"] as? Int == Int(highest))
            #expect(try await server.send("GET", path, as: "c").rows.isEmpty)
            #expect(try await server.send("GET", path, as: "anon").status == 401)
            #expect(try await server.send("DELETE", "/rest/v1/deleted_passages?id=eq.\(ids[0])", as: "a").status != 500)
            #expect(try database.owner.value("select count(*) from deleted_passages") == "2")
        }
    }

    @Test func `isn't made anew by an upload, until the warden takes the deletion back`() async throws {
        try await TestServer.run { server, database in
            let client = UUID().uuidString.lowercased()
            let row = TestServer.passage("A1", "2026-11-21T10:00:00Z", client: client)
            #expect(try await server.send("POST", Self.passages, json: row).status == 201)
            #expect(
                try await server.send("DELETE", Self.passages + "?client_id=eq.\(client)", as: "admin").status == 204)
            let again = try await server.send("POST", Self.passages, json: row)
            #expect(again.status == 409 && again.code == "PT409", "\(again.text)")
            #expect(again.text.contains("the passage was deleted at the server"))
            let other = TestServer.passage("A2", "2026-11-21T10:01:00Z")
            let batch = try await server.send(
                "POST", Self.passages + "?on_conflict=client_id", ["Prefer": "resolution=ignore-duplicates"],
                json: [row, other])
            #expect(batch.status == 409)
            #expect(try database.owner.value("select count(*) from vehicle_passages") == "0")
            let lifted = try await server.send(
                "DELETE", "/rest/v1/deleted_passages?client_id=eq.\(client)", as: "admin")
            #expect(lifted.status == 204)
            #expect(try await server.send("POST", Self.passages, json: row).status == 201)
        }
    }

    @Test func `is known by its text's id as well`() async throws {
        try await TestServer.run { server, database in
            let text = "V1|BNP-A|BA1PA1|TRK|1795255200|0000"
            let sms = SMSEncoder.clientID(of: text).uuidString.lowercased()
            _ = try database.owner.value("select checkpost.record_sms($1, null, null)", [text])
            try database.owner.run("delete from vehicle_passages")
            var row = TestServer.passage("BA1PA1", "2026-11-21T10:00:00.250Z")
            row["sms_client_id"] = sms
            #expect(try await server.send("POST", Self.passages, json: row).code == "PT409")
            // Another post can't be silenced by it.
            var others = TestServer.passage("BA1PA1", at: TestDatabase.postB, "2026-11-21T10:30:00Z")
            others["sms_client_id"] = sms
            #expect(try await server.send("POST", Self.passages, as: "b", json: others).status == 201)
            row["ranger_id"] = server.users["admin"]
            #expect(try await server.send("POST", Self.passages, as: "admin", json: row).status != 500)
        }
    }
}

@Suite("What a post compares with the server", .serialized, .timeLimit(.minutes(10)))
struct PassageDaysTests {
    @Test func `is a count and a hash of each day`() async throws {
        try await TestServer.run { server, database in
            let ids = ["00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-000000000001"]
            for id in ids {
                try database.owner.record("ba 1 pa 1", at: TestDatabase.postA, "2026-11-20T23:59:59.999Z", clientID: id)
                try database.owner.run(
                    "update vehicle_passages set recorded_at = now() - interval '1 day' where client_id = $1::uuid",
                    [id])
            }
            try database.owner.record("A3", at: TestDatabase.postB, "2026-11-20T10:00:00Z")
            let body = ["post": TestDatabase.postA, "since": "2020-01-01"]
            let answer = try await server.send("POST", "/rest/v1/rpc/passage_days", json: body)
            #expect(answer.status == 200, "\(answer.text)")
            let text = ids.sorted().map { $0 + " BA1PA1" }.joined(separator: ",")
            let hash = try database.owner.value("select md5($1)", [text])
            #expect(answer.rows.count == 1)
            #expect(answer.rows.first?["passages"] as? Int == 2)
            #expect(answer.rows.first?["hash"] as? String == hash)
            // Another segment's ranger sees nothing of it, and nobody calls what isn't listed.
            #expect(try await server.send("POST", "/rest/v1/rpc/passage_days", as: "c", json: body).text == "[]")
            #expect(try await server.send("POST", "/rest/v1/rpc/passage_days", as: "anon", json: body).status == 401)
            #expect(try await server.send("POST", "/rest/v1/rpc/pg_sleep", json: ["seconds": 1]).code == "PGRST202")
            let strange = try await server.send("POST", "/rest/v1/rpc/passage_days", json: ["post\" => null) --": 1])
            #expect(strange.code == "PGRST202")
            let wrong = try await server.send(
                "POST", "/rest/v1/rpc/passage_days", json: ["post": "x", "since": "2026-01-01"])
            #expect(wrong.status == 400)
        }
    }
}
