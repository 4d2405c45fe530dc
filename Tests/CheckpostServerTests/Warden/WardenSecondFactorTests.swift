import Crypto
import Enforcement
import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("The second factor of a warden's sign-in", .serialized, .timeLimit(.minutes(10)))
struct WardenSecondFactorTests {
    /// What an app on a telephone shows, made here once more.
    private static func code(_ secret: String, steps: Int = 0) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var (bytes, buffer, count) = ([UInt8](), 0, 0)
        for letter in secret where letter != " " {
            buffer = (buffer << 5 | (letters.firstIndex(of: letter) ?? 0)) & 0xffff
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(buffer >> count & 255))
            }
        }
        let step = UInt64(Date().timeIntervalSince1970 / 30) + UInt64(steps)
        let message = withUnsafeBytes(of: step.bigEndian) { Data($0) }
        let mac = Array(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: Data(bytes))))
        let offset = Int(mac[19] & 15)
        let number = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        return String(format: "%06d", number % 1_000_000)
    }

    /// The key that the page shows.
    private static func begin(_ visitor: Visitor) async throws -> String {
        _ = try await visitor.get("/warden/second-factor")
        let page = try await visitor.post("/warden/do/second-factor/begin", [:])
        #expect(page.status == 200, "\(page.text)")
        let found = try #require(page.text.firstMatch(of: /<code>([A-Z2-7 ]+)<\/code>/))
        #expect(page.text.contains("otpauth://totp/Checkpost"))
        return String(found.1)
    }

    private static func turnOn(_ visitor: Visitor) async throws -> String {
        let secret = try await begin(visitor)
        let answer = try await visitor.post("/warden/do/second-factor/confirm", ["code": code(secret)])
        #expect(answer.location == "/warden/second-factor?said=second_factor_on", "\(answer.text)")
        return secret
    }

    private static func forgetLastCode(_ database: TestDatabase) throws {
        try database.owner.run("update checkpost.second_factors set last_step = 0, misses = 0, waits_until = null")
    }

    @Test func `is asked for after the password, and each code is good once`() async throws {
        try await TestServer.run { server, database in
            let (visitor, other) = (try await server.warden(), try await server.warden())
            let secret = try await Self.begin(visitor)
            #expect(try await Visitor(port: server.port).signInAtPark("admin").status == 303, "not before it is on")
            let wrong = try await visitor.post("/warden/do/second-factor/confirm", ["code": "000000"])
            #expect(wrong.status == 422 && wrong.text.contains("The code is wrong"), "\(wrong.status)")
            let right = Self.code(secret)
            #expect(
                try await visitor.post("/warden/do/second-factor/confirm", ["code": right]).location
                    == "/warden/second-factor?said=second_factor_on")
            #expect(try await visitor.get("/warden").status == 200, "whoever did it stays")
            #expect(try await other.get("/warden").status == 303, "everybody else is out")

            let asked = try await other.signInAtPark("admin", next: "/warden/passages")
            #expect(asked.status == 200 && asked.text.contains("name=\"code\""))
            #expect(other.cookies[WardenSessions.cookieName] == nil)
            let (ticket, next) = (other.hidden("ticket", in: asked), other.hidden("next", in: asked))
            for code in [right, "123", "", Self.code(secret, steps: 9)] {
                let again = try await other.post(
                    "/warden/sign-in/code", ["ticket": ticket, "code": code, "next": next])
                #expect(again.status == 401 && again.text.contains("The code is wrong"), "\(code): \(again.status)")
            }
            try Self.forgetLastCode(database)
            let fresh = Self.code(secret)
            let spaced = "\(fresh.prefix(3)) \(fresh.suffix(3))"
            let opened = try await other.post("/warden/sign-in/code", ["ticket": ticket, "code": spaced, "next": next])
            #expect(opened.location == "/warden/passages", "\(opened.status)")
            #expect(try await other.get("/warden").status == 200)
            let thief = Visitor(port: server.port)
            let seen = try await thief.signInAtPark("admin")
            let used = try await thief.post(
                "/warden/sign-in/code", ["ticket": thief.hidden("ticket", in: seen), "code": fresh])
            #expect(used.status == 401, "a code that somebody saw")
            #expect(
                try database.owner.value("select kind from account_changes where kind like 'second%'")
                    == "second_factor_on")
        }
    }

    @Test func `waits a quarter of an hour after five wrong codes`() async throws {
        try await TestServer.run { server, database in
            let visitor = try await server.warden()
            let secret = try await Self.turnOn(visitor)
            try Self.forgetLastCode(database)
            let guesser = Visitor(port: server.port)
            let asked = try await guesser.signInAtPark("admin")
            let ticket = guesser.hidden("ticket", in: asked)
            func attempt(_ code: String) async throws -> Int {
                try await guesser.post("/warden/sign-in/code", ["ticket": ticket, "code": code]).status
            }
            for _ in 0..<5 { #expect(try await attempt("000000x") == 401) }
            #expect(try await attempt(Self.code(secret)) == 401, "it waits")
            try database.owner.run(
                "update checkpost.second_factors set waits_until = waits_until - interval '15 minutes'")
            #expect(try await attempt(Self.code(secret)) == 303)
        }
    }

    @Test func `holds for programs, too`() async throws {
        try await TestServer.run { server, database in
            let visitor = try await server.warden()
            let secret = try await Self.turnOn(visitor)
            try Self.forgetLastCode(database)
            func token(_ code: String?, _ user: String = "admin") async throws -> TestServer.Answer {
                var body: [String: Any] = ["email": "\(user)@bnp.local", "password": "password-\(user)"]
                body["code"] = code
                return try await server.send(
                    "POST", "/auth/v1/token?grant_type=password", as: "anon", json: body)
            }
            let without = try await token(nil)
            #expect(without.status == 400 && without.text.contains("second_factor_needed"), "\(without.text)")
            #expect(!without.text.contains("access_token"))
            #expect(try await token("000000").text.contains("second_factor_refused"))
            let right = try await token(Self.code(secret))
            #expect(right.status == 200 && right.object["access_token"] is String, "\(right.text)")
            #expect(try await token("000000", "a").status == 200, "who has none is asked for none")
        }
    }

    @Test func `is an admin's own, ended with a code, by another admin or by the server's command`() async throws {
        try await TestServer.run { server, database in
            let ranger = try await server.warden("a")
            #expect(try await ranger.get("/warden/second-factor").status == 403)
            #expect(try await ranger.post("/warden/do/second-factor/begin", [:]).status == 403)
            _ = try database.addUser("chief", role: "admin")
            let (visitor, chief) = (try await server.warden(), try await server.warden("chief"))
            let secret = try await Self.turnOn(visitor)
            let twice = try await visitor.post("/warden/do/second-factor/begin", [:])
            #expect(twice.status == 409 && twice.text.contains("asks for a code already"), "\(twice.status)")
            #expect(try await visitor.post("/warden/do/second-factor/end", ["code": "000000"]).status == 422)
            try Self.forgetLastCode(database)
            let ended = try await visitor.post("/warden/do/second-factor/end", ["code": Self.code(secret)])
            #expect(ended.location == "/warden/second-factor?said=second_factor_off", "\(ended.text)")

            _ = try await Self.turnOn(visitor)
            let id = try #require(server.users["admin"])
            #expect(
                try await visitor.post("/warden/do/people/end-second-factor", ["id": id]).location
                    == "/warden/second-factor", "one's own takes a code")
            #expect(try await ranger.post("/warden/do/people/end-second-factor", ["id": id]).status == 403)
            #expect(try await chief.get("/warden/people").text.contains("with a second factor"))
            #expect(
                try await chief.post("/warden/do/people/end-second-factor", ["id": id]).location
                    == "/warden/people?said=second_factor_off")
            #expect(try await chief.post("/warden/do/people/end-second-factor", ["id": id]).status == 404)
            #expect(try await Visitor(port: server.port).signInAtPark("admin").status == 303)
            let audit = try await chief.get("/warden/audit").text
            #expect(audit.contains("second factor on") && audit.contains("second factor off"))
            _ = try await Self.turnOn(visitor)
            try database.owner.run("select checkpost.end_second_factor($1::uuid, null)", [id])
            #expect(try await Visitor(port: server.port).signInAtPark("admin").status == 303)
        }
    }

    @Test func `takes no ticket but its own, for five minutes`() async throws {
        var settings = Settings()
        settings.jwtSecret = "a secret of the tests, long enough for HS256"
        let tickets = SignInTicket(settings)
        let (account, now) = (UUID(), Instant(seconds: 1_795_000_000))
        let ticket = tickets.issue(account: account, at: now)
        #expect(tickets.account(ticket, at: now + .minutes(4.9)) == account)
        #expect(tickets.account(ticket, at: now + .minutes(5)) == nil)
        settings.jwtSecret = "another secret of the tests, long enough too"
        #expect(SignInTicket(settings).account(ticket, at: now) == nil)
        let parts = ticket.split(separator: ".").map(String.init)
        let other = "\(UUID().uuidString.lowercased()).\(parts[1]).\(parts[2])"
        let longer = "\(parts[0]).\((now + .hours(9)).milliseconds).\(parts[2])"
        for forged in [other, longer, "", "..", ticket + ".", parts[0]] {
            #expect(tickets.account(forged, at: now) == nil, "\(forged)")
        }
        try await TestServer.run { server, _ in
            let visitor = Visitor(port: server.port)
            _ = try await visitor.get("/warden/sign-in")
            let late = try await visitor.post("/warden/sign-in/code", ["ticket": ticket, "code": "123456"])
            #expect(
                late.status == 401 && late.text.contains("took too long") && late.text.contains("name=\"password\""))
            visitor.cookies[WardenSessions.cookieName] = ticket
            #expect(try await visitor.get("/warden").status == 303, "a ticket is no cookie")
        }
    }

    @Test func `is written as apps want it`() {
        // RFC 4648, section 10, without the padding.
        for (text, written) in [
            ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ] {
            #expect(Base32.text(Array(text.utf8)) == written)
        }
        #expect(Base32.bytes(hexadecimal: "00ff10") == [0, 255, 16])
        for odd in ["0", "0g", "+1"] { #expect(Base32.bytes(hexadecimal: odd) == nil, "\(odd)") }
    }
}
