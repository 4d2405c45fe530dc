import Enforcement
import Foundation
import Storage
import Testing

@testable import Console

@Suite("Signing in", .serialized, .timeLimit(.minutes(10)))
struct SignInTests {
    @Test func `a wrong password is refused, and the right one then works`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = rig.visitor()
            #expect(try await visitor.signIn("ram", "wrong").status == 401)
            #expect(try await visitor.signIn("nobody", "ranger-pass-1").status == 401)
            #expect(try await visitor.signIn("ram'; DROP TABLE users; --", "x").status == 401)
            #expect(visitor.cookies["checkpost_session"] == nil)
            #expect(try await visitor.signIn().status == 303)
            #expect(try await visitor.get("/").status == 200)
        }
    }

    @Test func `repeated failures lock the account for a while that grows`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = rig.visitor()
            for _ in 0..<4 { #expect(try await visitor.signIn("ram", "wrong").status == 401) }
            #expect(try await visitor.signIn("ram", "wrong").status == 429)
            // Even the right one has to wait.
            let answer = try await visitor.signIn()
            #expect(answer.status == 429)
            #expect(answer.headers["retry-after"] == "30")
            rig.clock.advance(.seconds(31))
            #expect(try await visitor.signIn("ram", "wrong").status == 429)
            rig.clock.advance(.seconds(31))
            #expect(try await visitor.signIn().status == 429, "the second wait is twice the first")
            rig.clock.advance(.seconds(31))
            #expect(try await visitor.signIn().status == 303)
            #expect(try rig.store.accounts.user("ram")?.passwordLock == SignInLock())
        }
    }

    @Test func `a clock that was set back keeps nobody out for longer than a failure does`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = rig.visitor()
            rig.clock.advance(.hours(24 * 365))
            for _ in 0..<5 { _ = try await visitor.signIn("ram", "wrong") }
            rig.clock.advance(.hours(-24 * 365))
            let answer = try await visitor.signIn()
            #expect(answer.status == 429 && answer.headers["retry-after"] == "30")
            rig.clock.advance(.seconds(31))
            #expect(try await visitor.signIn().status == 303)
        }
    }

    @Test func `a flood of sign-ins from one address is stopped`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = rig.visitor()
            var statuses: [Int] = []
            for number in 0..<25 { statuses.append(try await visitor.signIn("user\(number)", "wrong").status) }
            #expect(statuses.first == 401)
            #expect(statuses.last == 429)
        }
    }

    @Test func `a PIN signs in at the box itself, and counts as an attempt`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = rig.visitor()
            #expect(try await visitor.post("/sign-in", ["user": "ram", "pin": "0000"]).status == 401)
            #expect(try rig.store.accounts.user("ram")?.pinLock.failureCount == 1)
            #expect(try await visitor.post("/sign-in", ["user": "ram", "pin": "1379"]).status == 303)
            #expect(try await visitor.post("/sign-in", ["user": "tek", "pin": "1379"]).status == 401)
        }
    }

    @Test func `whoever guesses passwords does not keep the ranger from the PIN at the post's screen, nor the reverse`()
        async throws
    {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = rig.visitor()
            for _ in 0..<5 { _ = try await visitor.signIn("ram", "wrong") }
            #expect(try await visitor.signIn().status == 429)
            #expect(try await visitor.post("/sign-in", ["user": "ram", "pin": "1379"]).status == 303)
            // A right PIN says nothing of who guesses the password.
            visitor.cookies = [:]
            #expect(try await visitor.signIn().status == 429)
            for _ in 0..<5 { _ = try await visitor.post("/sign-in", ["user": "ram", "pin": "0000"]) }
            #expect(try await visitor.post("/sign-in", ["user": "ram", "pin": "1379"]).status == 429)
            rig.clock.advance(.seconds(31))
            #expect(try await visitor.signIn().status == 303)
        }
    }
}

@Suite("A first sign-in", .serialized, .timeLimit(.minutes(10)))
struct FirstSignInTests {
    @Test func `is checked by the server, and later ones without it`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = rig.visitor()
            #expect(try await visitor.signIn("sita", "from-the-server").status == 401)
            rig.host.answer(.unreachable)
            #expect(try await visitor.signIn("sita", "from-the-server").status == 503)
            rig.host.answer(.accepted(fullName: "Sita", isTechnician: false))
            #expect(try await visitor.signIn("sita", "from-the-server").status == 303)
            rig.host.answer(.unreachable)
            #expect(try await rig.visitor().signIn("sita", "from-the-server").status == 303)
            #expect(try rig.store.accounts.user("sita")?.role == .ranger)
            #expect(try rig.store.accounts.user("sita")?.passwordHash?.contains("from-the-server") == false)
        }
    }

    @Test func `a password that changed at the server is learnt`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            rig.host.answer(.accepted(fullName: "Sita", isTechnician: false))
            #expect(try await rig.visitor().signIn("sita", "the-old-one").status == 303)
            #expect(try await rig.visitor().signIn("sita", "the-new-one").status == 303)
            rig.host.answer(.refused)
            #expect(try await rig.visitor().signIn("sita", "the-old-one").status == 401)
            #expect(
                try await rig.visitor().signIn("sita", "the-new-one").status == 303, "asked less than a minute ago")
            rig.clock.advance(.minutes(1))
            #expect(try await rig.visitor().signIn("sita", "the-new-one").status == 401)
            rig.host.answer(.accepted(fullName: "Sita", isTechnician: false))
            rig.clock.advance(.minutes(1))
            #expect(try await rig.visitor().signIn("sita", "the-new-one").status == 303)
            // The server has no say over the box's own accounts.
            rig.host.answer(.accepted(fullName: "Ram", isTechnician: true))
            #expect(try await rig.visitor().signIn("ram", "something-else").status == 401)
        }
    }
}

@Suite("A stored password", .timeLimit(.minutes(10)))
struct PasswordHashTests {
    @Test func `is verified and never stands in its hash`() throws {
        let hash = try PasswordHash.make("खुल्ला-सिमसिम")
        #expect(PasswordHash.verify("खुल्ला-सिमसिम", hash))
        #expect(!PasswordHash.verify("खुल्ला-सिमसि", hash))
        #expect(try PasswordHash.make("खुल्ला-सिमसिम") != hash)
        #expect(hash.hasPrefix("scrypt$15$8$1$"))
    }

    /// RFC 7914, section 12: scrypt("pleaseletmein", "SodiumChloride", 16384, 8, 1), its first 32 bytes.
    @Test func `is scrypt as everybody else's`() {
        let salt = Data("SodiumChloride".utf8).base64EncodedString()
        let bytes: [UInt8] = [
            0x70, 0x23, 0xbd, 0xcb, 0x3a, 0xfd, 0x73, 0x48, 0x46, 0x1c, 0x06, 0xcd, 0x81, 0xfd, 0x38, 0xeb,
            0xfd, 0xa8, 0xfb, 0xba, 0x90, 0x4f, 0x8e, 0x3e, 0xa9, 0xb5, 0x43, 0xf6, 0x54, 0x5d, 0xa1, 0xf2,
        ]
        #expect(PasswordHash.verify("pleaseletmein", "scrypt$14$8$1$\(salt)$\(Data(bytes).base64EncodedString())"))
    }

    @Test(arguments: [
        "", "scrypt", "scrypt$99$8$1$AA==$AA==", "scrypt$15$8$1$!!$!!", "plain$secret", "scrypt$15$8$1$$",
    ])
    func `that makes no sense is nobody's`(stored: String) {
        #expect(!PasswordHash.verify("", stored))
        #expect(!PasswordHash.verify("secret", stored))
    }

    @Test func `is long enough, and a PIN has digits`() {
        #expect(PasswordHash.problem(password: "short") != nil)
        #expect(PasswordHash.problem(password: "long enough") == nil)
        #expect(PasswordHash.problem(pin: "1379") == nil)
        for pin in ["123", "1111", "12a4", "123456789", "१२३४"] { #expect(PasswordHash.problem(pin: pin) != nil) }
    }
}
