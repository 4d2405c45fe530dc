import Foundation
import Testing

@testable import checkpost_server

@Suite("An account that lost its rights", .serialized, .timeLimit(.minutes(10)))
struct AccountStateTests {
    @Test(arguments: [
        "update auth.users set banned_until = now() + interval '1 day' where id = $1",
        "update user_profiles set is_active = false where id = $1",
        "delete from auth.users where id = $1",
        #"select checkpost.admin_update_user($1::uuid, '{"password": "another-password"}')"#,
    ])
    func `has none from the next request on, and can't refresh`(change: String) async throws {
        try await TestServer.run { server, database in
            for user in ["a", "admin"] {
                let session = try await server.send(
                    "POST", "/auth/v1/token?grant_type=password", as: nil,
                    json: ["email": "\(user)@bnp.local", "password": "password-\(user)"])
                let headers = ["Authorization": "Bearer \(session.object["access_token"] as? String ?? "")"]
                #expect(try await server.send("GET", "/rest/v1/parks", as: nil, headers).status == 200)
                try database.owner.run(change, [server.users[user]])
                let passage = TestServer.passage("A1", "2026-11-21T10:00:00Z")
                let requests: [(String, String, Any?)] = [
                    ("GET", "/rest/v1/parks", nil), ("GET", "/auth/v1/user", nil),
                    ("POST", "/rest/v1/vehicle_passages", passage),
                    ("PATCH", "/rest/v1/parks?code=eq.BNP", ["name": "x"]),
                    ("POST", "/functions/v1/change-passage", ["id": UUID().uuidString]),
                    ("GET", "/storage/v1/object/passage-photos/x.jpg", nil),
                ]
                for (method, path, json) in requests {
                    let answer = try await server.send(method, path, as: nil, headers, json: json)
                    #expect(answer.status == 401, "\(method) \(path): \(answer.text)")
                }
                let refreshed = try await server.send(
                    "POST", "/auth/v1/token?grant_type=refresh_token", as: nil,
                    json: ["refresh_token": session.object["refresh_token"] ?? ""])
                #expect(refreshed.status == 400)
            }
            #expect(try database.owner.value("select count(*) from vehicle_passages") == "0")
        }
    }

    @Test(arguments: [
        "update user_profiles set is_active = $2::boolean where id = $1",
        "select checkpost.set_account_active($1::uuid, $2::boolean)",
    ])
    func `gets none of its sessions back when it is switched on again`(change: String) async throws {
        try await TestServer.run { server, database in
            let session = try await server.send(
                "POST", "/auth/v1/token?grant_type=password", as: nil,
                json: ["email": "a@bnp.local", "password": "password-a"])
            let headers = ["Authorization": "Bearer \(session.object["access_token"] as? String ?? "")"]
            #expect(try await server.send("GET", "/rest/v1/parks", as: nil, headers).status == 200)
            for state in ["f", "t"] { try database.owner.run(change, [server.users["a"], state]) }
            #expect(try await server.send("GET", "/rest/v1/parks", as: nil, headers).status == 401)
            let refreshed = try await server.send(
                "POST", "/auth/v1/token?grant_type=refresh_token", as: nil,
                json: ["refresh_token": session.object["refresh_token"] ?? ""])
            #expect(refreshed.status == 400)
        }
    }

    @Test func `has none after it signed out, and all of them after the next sign-in`() async throws {
        try await TestServer.run { server, _ in
            let credentials = ["email": "a@bnp.local", "password": "password-a"]
            func signIn() async throws -> [String: String] {
                let session = try await server.send(
                    "POST", "/auth/v1/token?grant_type=password", as: nil, json: credentials)
                return ["Authorization": "Bearer \(session.object["access_token"] as? String ?? "")"]
            }
            let (ended, other) = (try await signIn(), try await signIn())
            #expect(try await server.send("POST", "/auth/v1/logout?scope=local", as: nil, ended).status == 204)
            let answer = try await server.send("GET", "/rest/v1/parks", as: nil, ended)
            #expect(answer.status == 401 && answer.text.contains("session has ended"), "\(answer.text)")
            #expect(try await server.send("GET", "/rest/v1/parks", as: nil, other).status == 200)
            #expect(try await server.send("GET", "/rest/v1/parks", as: nil, signIn()).status == 200)
        }
    }

    @Test func `sees nothing in the tables either when it is banned`() throws {
        let database = try TestDatabase()
        let ranger = try database.addUser("hari", post: TestDatabase.postA)
        try database.owner.record("A1", at: TestDatabase.postA, "2026-11-21T10:00:00Z")
        let count = { try database.asUser(ranger) { try $0.value("select count(*) from vehicle_passages") } }
        #expect(try count() == "1")
        try database.owner.run("update auth.users set banned_until = now() + interval '1 day'")
        #expect(try count() == "0")
        try database.owner.run("update auth.users set banned_until = now() - interval '1 day'")
        #expect(try count() == "1")
    }
}
