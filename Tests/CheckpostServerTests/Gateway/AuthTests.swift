import Crypto
import Foundation
import ParkAPI
import Testing

@testable import checkpost_server

@Suite("Signing in", .serialized, .timeLimit(.minutes(10)))
struct AuthTests {
    private static func signIn(_ server: TestServer, _ user: String, password: String? = nil) async throws
        -> TestServer.Answer
    {
        try await server.send(
            "POST", "/auth/v1/token?grant_type=password", as: "anon",
            json: [
                "email": "\(user)@bnp.local", "password": password ?? "password-\(user)", "gotrue_meta_security": [:],
            ])
    }

    private static func refresh(_ server: TestServer, _ token: Any?) async throws -> TestServer.Answer {
        try await server.send(
            "POST", "/auth/v1/token?grant_type=refresh_token", as: "anon", json: ["refresh_token": token ?? ""])
    }

    @Test func `gives tokens that work`() async throws {
        try await TestServer.run { server, _ in
            let answer = try await Self.signIn(server, "a")
            #expect(answer.status == 200)
            let user = answer.object["user"] as? [String: Any]
            #expect(user?["id"] as? String == server.users["a"])
            #expect(
                Set(["aud", "app_metadata", "user_metadata", "created_at"]).isSubset(
                    of: Set(user?.keys.map { $0 } ?? [])))
            let token = answer.object["access_token"] as? String ?? ""
            let headers = ["Authorization": "Bearer \(token)", "apikey": server.anonKey]
            let me = try await server.send("GET", "/auth/v1/user", as: nil, headers)
            #expect(me.object["email"] as? String == "a@bnp.local")
            #expect(try await server.send("GET", "/rest/v1/checkposts", as: nil, headers).rows.count == 4)
        }
    }

    @Test func `refuses a wrong password, an unknown account and an inactive one`() async throws {
        try await TestServer.run { server, database in
            for (user, password) in [
                ("a", "wrong"), ("nobody", "password-a"), ("a", String(repeating: "x", count: 900)),
            ] {
                let answer = try await Self.signIn(server, user, password: password)
                #expect(answer.status == 400)
                #expect(answer.object["error_code"] as? String == "invalid_credentials")
            }
            let session = try await Self.signIn(server, "a")
            try database.owner.run("update user_profiles set is_active = false where id = $1", [server.users["a"]])
            #expect(try await Self.signIn(server, "a").object["error_code"] as? String == "user_banned")
            #expect(try await Self.refresh(server, session.object["refresh_token"]).status == 400)
            let headers = ["Authorization": "Bearer \(session.object["access_token"] as? String ?? "")"]
            #expect(try await server.send("GET", "/rest/v1/vehicle_passages", as: nil, headers).status == 401)
            #expect(try await server.send("GET", "/auth/v1/user", as: nil, headers).status == 401)
        }
    }

    @Test func `rotates refresh tokens and drops a session whose token was used twice`() async throws {
        try await TestServer.run { server, database in
            let first = try await Self.signIn(server, "a").object["refresh_token"]
            let answer = try await Self.refresh(server, first)
            #expect(answer.status == 200)
            let second = answer.object["refresh_token"]
            #expect(second as? String != first as? String)
            let stored = try database.owner.value(
                "select string_agg(encode(token_hash, 'escape'), ' ') from checkpost.refresh_tokens")
            #expect(stored?.contains(first as? String ?? "?") == false)
            try database.owner.run("update checkpost.refresh_tokens set used_at = used_at - interval '11 seconds'")
            #expect(
                try await Self.refresh(server, first).object["error_code"] as? String == "refresh_token_already_used")
            #expect(try await Self.refresh(server, second).status == 400)
            #expect(try await Self.refresh(server, "nonsense").status == 400)
        }
    }

    @Test func `exchanges the last token once more for a client that lost the answer, and no older one`() async throws {
        try await TestServer.run { server, _ in
            let first = try await Self.signIn(server, "a").object["refresh_token"]
            let lost = try await Self.refresh(server, first).object["refresh_token"]
            let second = try await Self.refresh(server, first).object["refresh_token"]
            #expect(second as? String != lost as? String)
            #expect(try await Self.refresh(server, second).status == 200)
            // Since then the first one is no longer the last that was used.
            #expect(
                try await Self.refresh(server, first).object["error_code"] as? String == "refresh_token_already_used")
            #expect(try await Self.refresh(server, lost).status == 400)
        }
    }

    @Test func `lets simultaneous refreshes of one client all pass`() async throws {
        try await TestServer.run { server, _ in
            let token = try await Self.signIn(server, "a").object["refresh_token"] as? String ?? ""
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 { group.addTask { try await Self.refresh(server, token).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == Array(repeating: 200, count: 8))
        }
    }

    @Test func `ends a session`() async throws {
        try await TestServer.run { server, _ in
            let session = try await Self.signIn(server, "a").object
            let headers = ["Authorization": "Bearer \(session["access_token"] as? String ?? "")"]
            #expect(try await server.send("POST", "/auth/v1/logout?scope=local", as: nil, headers).status == 204)
            #expect(try await Self.refresh(server, session["refresh_token"]).status == 400)
        }
    }

    @Test func `refuses tokens that are not its own`() async throws {
        try await TestServer.run { server, _ in
            let good = try server.token("admin")
            let parts = good.split(separator: ".").map(String.init)
            let none = Data(#"{"alg":"none","typ":"JWT"}"#.utf8).base64URL
            let hs512 = Data(#"{"alg":"HS512","typ":"JWT"}"#.utf8).base64URL
            let key = SymmetricKey(data: Data(server.settings.jwtSecret.revealed.utf8))
            let wrongHeader = Data(
                HMAC<SHA256>.authenticationCode(for: Data("\(hs512).\(parts[1])".utf8), using: key)
            ).base64URL
            let stranger = TokenSigner(secret: "another secret, as long as the other one")
            let future = JSONValue.integer(Int64(Date().timeIntervalSince1970) + 600)
            let (admin, role) = (JSONValue.text(server.users["admin"] ?? ""), JSONValue.text("authenticated"))
            let tokens = [
                "\(none).\(parts[1]).", "\(none).\(parts[1]).\(parts[2])", "\(hs512).\(parts[1]).\(wrongHeader)",
                "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])", "x", "x.y.z", "\(good)x",
                String(good.dropLast(3)),
                try stranger.sign(["sub": admin, "role": role, "exp": future]),
                try server.token("admin", expiresIn: -1),
                try server.signer.sign(["sub": admin, "role": role]),
                try server.signer.sign(["sub": admin, "role": .text("postgres"), "exp": future]),
                try server.signer.sign(["role": role, "exp": future]),
                try server.signer.sign(["sub": .text("x"), "role": role, "exp": future]),
                try server.signer.sign(["sub": admin, "role": role, "exp": future, "nbf": future]),
            ]
            for token in tokens {
                let answer = try await server.send(
                    "GET", "/rest/v1/checkposts", as: nil,
                    ["Authorization": "Bearer \(token)", "apikey": server.serviceKey])
                #expect(answer.status == 401, "\(token)")
            }
            #expect(
                try await server.send("GET", "/rest/v1/checkposts", as: nil, ["Authorization": "Bearer \(good)"]).status
                    == 200)
        }
    }

    @Test func `limits attempts by account and address`() async throws {
        try await TestServer.run({ $0.signInPerMinute = 3 }) { server, _ in
            var statuses: [Int] = []
            for _ in 0..<5 { statuses.append(try await Self.signIn(server, "a", password: "wrong-one").status) }
            #expect(statuses == [400, 400, 400, 429, 429])
            let refused = try await Self.signIn(server, "a")
            #expect(refused.headers["retry-after"] != nil)
            #expect(try await Self.signIn(server, "b").status == 200)
        }
    }

    @Test func `lets the service role manage users and nobody else`() async throws {
        try await TestServer.run { server, _ in
            let fields: [String: Any] = ["email": "New@bnp.local", "password": "password-new", "email_confirm": true]
            for user in ["a", "admin"] {
                #expect(try await server.send("POST", "/auth/v1/admin/users", as: user, json: fields).status == 403)
            }
            #expect(try await server.send("POST", "/auth/v1/admin/users", as: "anon", json: fields).status == 401)
            let made = try await server.send("POST", "/auth/v1/admin/users", as: "service", json: fields)
            #expect(made.status == 200, "\(made.text)")
            let id = made.object["id"] as? String ?? ""
            let again = try await server.send("POST", "/auth/v1/admin/users", as: "service", json: fields)
            #expect(again.status == 422)
            #expect(again.object["error_code"] as? String == "email_exists")
            #expect(try await Self.signIn(server, "new").status == 200)
            let one = "/auth/v1/admin/users/\(id)"
            #expect(
                try await server.send("PUT", one, as: "service", json: ["password": "password-newer"]).status == 200)
            #expect(try await Self.signIn(server, "new").status == 400)
            #expect(try await server.send("GET", one, as: "service").object["email"] as? String == "new@bnp.local")
            let list = try await server.send("GET", "/auth/v1/admin/users?page=1&per_page=3", as: "service")
            #expect((list.object["users"] as? [Any])?.count == 3)
            #expect(
                try await server.send("DELETE", one, as: "service", json: ["should_soft_delete": false]).status == 200)
            #expect(try await server.send("DELETE", one, as: "service").status == 404)
            #expect(try await Self.signIn(server, "new", password: "password-newer").status == 400)
            for bad in [
                ["email": "x@y.z"], ["password": "password-x"], ["email": "x", "password": "password-x"],
                ["email": "x@y.z", "password": "short"],
            ] {
                #expect(try await server.send("POST", "/auth/v1/admin/users", as: "service", json: bad).status == 400)
            }
        }
    }
}
