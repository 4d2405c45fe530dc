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
    private func sita(_ rig: Rig) async throws -> Visitor {
        rig.host.answer(.accepted(fullName: "Sita", isTechnician: false))
        let visitor = rig.visitor()
        #expect(try await visitor.signIn("sita", password).status == 303)
        return visitor
    }

    @Test(arguments: [ServerVerdict.closed, .refused])
    func `is let in no more once the server says so, and its sessions end`(verdict: ServerVerdict) async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await sita(rig)
            try rig.store.accounts.setSecrets(ofUser: "sita", pinHash: try PasswordHash.make("2468"))
            #expect(try await visitor.signIn("sita", password).status == 303)
            #expect(try await visitor.get("/api/session").status == 200)
            rig.clock.advance(.minutes(2))
            rig.host.answer(verdict)
            #expect(try await rig.visitor().signIn("sita", password).status == 401)
            #expect(try await visitor.get("/api/session").status == 401)
            let pin = ["user": "sita", "pin": "2468"]
            #expect(try await rig.visitor().call("/api/sign-in", pin).status == 401, "nor by its PIN")
            rig.clock.advance(.minutes(2))
            rig.host.answer(.unreachable)
            #expect(try await rig.visitor().signIn("sita", password).status == 401, "nor when the link is cut")
            rig.clock.advance(.minutes(2))
            rig.host.answer(.accepted(fullName: "Sita", isTechnician: false))
            #expect(try await rig.visitor().signIn("sita", password).status == 303)
        }
    }

    @Test func `is asked about at most once a minute`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            _ = try await sita(rig)
            rig.host.answer(.closed)
            rig.clock.advance(.seconds(59))
            #expect(try await rig.visitor().signIn("sita", password).status == 303)
            rig.clock.advance(.seconds(1))
            #expect(try await rig.visitor().signIn("sita", password).status == 401)
        }
    }

    @Test func `is let in on the server's last word for some days without a link`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            _ = try await sita(rig)
            try rig.store.accounts.setSecrets(ofUser: "sita", pinHash: try PasswordHash.make("2468"))
            rig.host.answer(.unreachable)
            rig.clock.advance(.hours(14 * 24))
            #expect(try await rig.visitor().signIn("sita", password).status == 303)
            let visitor = rig.visitor()
            #expect(try await visitor.call("/api/sign-in", ["user": "sita", "pin": "2468"]).status == 200)
            rig.clock.advance(.minutes(1))
            #expect(try await rig.visitor().signIn("sita", password).status == 503)
            #expect(try await rig.visitor().call("/api/sign-in", ["user": "sita", "pin": "2468"]).status == 401)
            #expect(try await visitor.get("/api/session").status == 401, "a session outlives the word no more")
            #expect(try await rig.visitor().signIn("ram", "ranger-pass-1").status == 303, "the box's own stay")
        }
    }

    @Test func `takes the role that the server gives it now`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            rig.host.answer(.accepted(fullName: "Sita", isTechnician: true))
            #expect(try await rig.visitor().signIn("sita", password).status == 303)
            #expect(try rig.store.accounts.user("sita")?.role == .technician)
            rig.clock.advance(.minutes(2))
            rig.host.answer(.accepted(fullName: "Sita Rai", isTechnician: false))
            #expect(try await rig.visitor().signIn("sita", password).status == 303)
            #expect(try rig.store.accounts.user("sita")?.role == .ranger)
            #expect(try rig.store.accounts.user("sita")?.fullName == "Sita Rai")
        }
    }
}
