import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Console

@Suite("An account of the park's server at the console", .serialized, .timeLimit(.minutes(10)))
struct StandingTests {
    private let password = "from-the-server"

    /// Sita, whom the server has vouched for, signed in.
    private func sita(_ bench: Bench) async throws -> Visitor {
        bench.host.answer(.accepted(fullName: "Sita", isTechnician: false))
        let visitor = bench.visitor()
        #expect(try await visitor.signIn("sita", password).status == 303)
        return visitor
    }

    @Test(arguments: [ServerVerdict.closed, .refused])
    func `is let in no more once the server says so, and its sessions end`(verdict: ServerVerdict) async throws {
        try await Bench.run { (bench: Bench) async throws -> Void in
            let visitor = try await sita(bench)
            try bench.store.accounts.setSecrets(ofUser: "sita", pinHash: try PasswordHash.make("2468"))
            #expect(try await visitor.signIn("sita", password).status == 303)
            #expect(try await visitor.get("/api/session").status == 200)
            bench.clock.advance(.minutes(2))
            bench.host.answer(verdict)
            #expect(try await bench.visitor().signIn("sita", password).status == 401)
            #expect(try await visitor.get("/api/session").status == 401)
            let pin = ["user": "sita", "pin": "2468"]
            #expect(try await bench.visitor().call("/api/sign-in", pin).status == 401, "nor by its PIN")
            bench.clock.advance(.minutes(2))
            bench.host.answer(.unreachable)
            #expect(try await bench.visitor().signIn("sita", password).status == 401, "nor when the link is cut")
            bench.clock.advance(.minutes(2))
            bench.host.answer(.accepted(fullName: "Sita", isTechnician: false))
            #expect(try await bench.visitor().signIn("sita", password).status == 303)
        }
    }

    @Test func `is asked about at most once a minute`() async throws {
        try await Bench.run { (bench: Bench) async throws -> Void in
            _ = try await sita(bench)
            bench.host.answer(.closed)
            bench.clock.advance(.seconds(59))
            #expect(try await bench.visitor().signIn("sita", password).status == 303)
            bench.clock.advance(.seconds(1))
            #expect(try await bench.visitor().signIn("sita", password).status == 401)
        }
    }

    @Test func `is let in on the server's last word for some days without a link`() async throws {
        try await Bench.run { (bench: Bench) async throws -> Void in
            _ = try await sita(bench)
            try bench.store.accounts.setSecrets(ofUser: "sita", pinHash: try PasswordHash.make("2468"))
            bench.host.answer(.unreachable)
            bench.clock.advance(.hours(14 * 24))
            #expect(try await bench.visitor().signIn("sita", password).status == 303)
            let visitor = bench.visitor()
            #expect(try await visitor.call("/api/sign-in", ["user": "sita", "pin": "2468"]).status == 200)
            bench.clock.advance(.minutes(1))
            #expect(try await bench.visitor().signIn("sita", password).status == 503)
            #expect(try await bench.visitor().call("/api/sign-in", ["user": "sita", "pin": "2468"]).status == 401)
            #expect(try await visitor.get("/api/session").status == 401, "a session outlives the word no more")
            #expect(try await bench.visitor().signIn("ram", "ranger-pass-1").status == 303, "the box's own stay")
        }
    }

    @Test func `takes the role that the server gives it now`() async throws {
        try await Bench.run { (bench: Bench) async throws -> Void in
            bench.host.answer(.accepted(fullName: "Sita", isTechnician: true))
            #expect(try await bench.visitor().signIn("sita", password).status == 303)
            #expect(try bench.store.accounts.user("sita")?.role == .technician)
            bench.clock.advance(.minutes(2))
            bench.host.answer(.accepted(fullName: "Sita Rai", isTechnician: false))
            #expect(try await bench.visitor().signIn("sita", password).status == 303)
            #expect(try bench.store.accounts.user("sita")?.role == .ranger)
            #expect(try bench.store.accounts.user("sita")?.fullName == "Sita Rai")
        }
    }
}
