import Enforcement
import Foundation
import Pages
import TestKit
import Testing

@testable import checkpost_server

@Suite("The way into the warden's page", .serialized, .timeLimit(.minutes(10)))
struct WardenSignInTests {
    @Test func `leads through the sign-in, to the page that was wanted`() async throws {
        try await TestServer.run { server, _ in
            let visitor = Visitor(port: server.port)
            #expect(try await visitor.get("/").location == "/warden")
            let wanted = try await visitor.get("/warden/passages?plate=12")
            #expect(wanted.status == 303)
            #expect(wanted.location == "/warden/sign-in?next=%2Fwarden%2Fpassages%3Fplate%3D12")
            for next in ["//evil.example", "https://evil.example", "/warden\\@evil", "/rest/v1/parks"] {
                #expect(try await visitor.signInAtPark("admin", next: next).location == "/warden", "\(next)")
            }
            #expect(try await visitor.signInAtPark("admin", next: "/warden/passages").location == "/warden/passages")
            let page = try await visitor.get("/warden")
            #expect(page.status == 200 && page.text.contains("Today"))
        }
    }

    @Test func `refuses a wrong password, an unknown account and one that is switched off`() async throws {
        try await TestServer.run { server, database in
            let visitor = Visitor(port: server.port)
            for (user, password) in [("admin", "wrong"), ("nobody", "password-a"), ("admin' --", "x")] {
                let answer = try await visitor.signInAtPark(user, password: password)
                #expect(answer.status == 401 && answer.text.contains("is wrong"), "\(user)")
                #expect(visitor.cookies[WardenSessions.cookieName] == nil)
            }
            try database.owner.run("update user_profiles set is_active = false where id = $1", [server.users["a"]])
            let closed = try await visitor.signInAtPark("a")
            #expect(closed.status == 401 && closed.text.contains("switched off"))
        }
    }

    @Test func `counts attempts like the API does`() async throws {
        try await TestServer.run({ $0.signInPerMinute = 3 }) { server, _ in
            let visitor = Visitor(port: server.port)
            for _ in 0..<3 { #expect(try await visitor.signInAtPark("admin", password: "wrong").status == 401) }
            let answer = try await visitor.signInAtPark("admin")
            #expect(answer.status == 429 && answer.headers["retry-after"] != nil)
        }
    }

    @Test func `gives a cookie that no script reads and no other site sends`() async throws {
        try await TestServer.run({ $0.publicURL = "https://park.example.org" }) { server, _ in
            let answer = try await Visitor(port: server.port).signInAtPark("admin")
            let cookie = try #require(answer.headers["set-cookie"])
            for part in ["HttpOnly", "SameSite=Strict", "Secure", "Path=/warden", "Max-Age=43200"] {
                #expect(cookie.contains(part), "\(part)")
            }
        }
    }

    @Test func `ends with the sign-out, for a copy of the cookie too`() async throws {
        try await TestServer.run { server, _ in
            let visitor = try await server.warden()
            let thief = Visitor(port: server.port)
            thief.cookies = visitor.cookies
            #expect(try await thief.get("/warden").status == 200)
            #expect(try await visitor.post("/warden/sign-out", [:]).location == "/warden/sign-in")
            #expect(visitor.cookies[WardenSessions.cookieName] == nil)
            for path in ["/warden", "/warden/passages", "/warden/fragments/today"] {
                let answer = try await thief.get(path)
                #expect(answer.status == (path.contains("fragments") ? 401 : 303), "\(path)")
                #expect(!answer.text.contains("Last passages"))
            }
        }
    }

    @Test func `ends with a new password and with a deactivation`() async throws {
        try await TestServer.run { server, database in
            let (one, other) = (try await server.warden("a"), try await server.warden("b"))
            try database.owner.run(
                "select checkpost.set_password($1, 'another-password')", [server.users["a"]])
            try database.owner.run("select checkpost.set_account_active($1, false)", [server.users["b"]])
            #expect(try await one.get("/warden").status == 303)
            #expect(try await other.get("/warden").status == 303)
        }
    }

    @Test func `takes no token of the API for a cookie, and no cookie for a token`() async throws {
        try await TestServer.run { server, _ in
            let visitor = try await server.warden()
            let cookie = try #require(visitor.cookies[WardenSessions.cookieName])
            let asToken = try await server.send(
                "GET", "/rest/v1/vehicle_passages", as: nil, ["Authorization": "Bearer \(cookie)"])
            #expect(asToken.status == 401)
            for token in [try server.token("admin"), server.serviceKey, cookie + "x", "x", ""] {
                visitor.cookies[WardenSessions.cookieName] = token
                #expect(try await visitor.get("/warden").status == 303)
                visitor.cookies = [:]
            }
        }
    }

    @Test func `lasts as long as somebody does something, and not for ever`() throws {
        var settings = Settings()
        settings.jwtSecret = "a secret of the tests, long enough for HS256"
        settings.refreshTokenDays = 1
        let sessions = WardenSessions(settings)
        func session(_ cookie: String, at now: Instant) -> WardenSessions.Session? {
            sessions.session(token: String(cookie.prefix { $0 != ";" }.drop { $0 != "=" }.dropFirst()), at: now)
        }
        let start = Instant(seconds: 1_795_000_000)
        let account = UUID().uuidString
        var cookie = try sessions.begin(account: account, email: "a@b", session: "s", at: start)
        let first = try #require(session(cookie, at: start))
        #expect(try sessions.renewed(first, at: start + .seconds(299)) == nil)
        #expect(session(cookie, at: start + .hours(12.1)) == nil)
        var now = start
        while let held = session(cookie, at: now), now < start + .hours(100) {
            cookie = try sessions.renewed(held, at: now) ?? cookie
            now = now + .hours(1)
        }
        #expect(now == start + .hours(24))
    }
}
