import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("Who signed in, at the warden's page", .serialized, .timeLimit(.minutes(10)))
struct WardenSignInListTests {
    @Test func `stands among the changes for those who read all, with who was refused`() async throws {
        try await TestServer.run { server, database in
            for (email, password) in [("a@bnp.local", "wrong-password"), ("<b>@bnp.local", "password-a")] {
                let refused = try await server.send(
                    "POST", "/auth/v1/token?grant_type=password", as: "anon",
                    json: ["email": email, "password": password])
                #expect(refused.status == 400)
            }
            try database.owner.run("update user_profiles set is_active = false where full_name = 'b'")
            let off = try await server.send(
                "POST", "/auth/v1/token?grant_type=password", as: "anon",
                json: ["email": "b@bnp.local", "password": "password-b"])
            #expect(off.status == 400 || off.status == 403)
            let visitor = try await server.warden()
            let page = try await visitor.get("/warden/audit?subject=sign_in").text
            for words in [
                "Sign-in: signed in", "admin@bnp.local", "refused, the name or the password was wrong", "a@bnp.local",
                "&lt;b&gt;@bnp.local", "refused, the account is off",
            ] { #expect(page.contains(words), "\(words)") }
            #expect(!page.contains("wrong-password") && !page.contains("password-a"))
            #expect(
                try await visitor.get("/warden/audit?subject=sign_in&q=a%40bnp.local").text.contains("a@bnp.local"))
            let ranger = try await server.warden("a")
            for path in ["/warden/audit", "/warden/audit?subject=sign_in"] {
                #expect(try await !ranger.get(path).text.contains("@bnp.local"), "\(path)")
            }
        }
    }
}
