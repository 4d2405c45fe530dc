import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("Passwords, sessions and posts on the warden's page", .serialized, .timeLimit(.minutes(10)))
struct WardenAccountTests {
    @Test func `give an admin a new password for the old one, and sign out everywhere else`() async throws {
        try await TestServer.run { server, database in
            let (visitor, other) = (try await server.warden(), try await server.warden())
            _ = try await visitor.get("/warden/people")
            func change(_ former: String, _ password: String) async throws -> Visitor.Answer {
                try await visitor.post(
                    "/warden/do/people/own-password", ["former": former, "password": password])
            }
            for (former, new, status, said) in [
                ("wrong", "a-new-password", 422, "The password until now is another."),
                ("", "a-new-password", 422, "The password until now is another."),
                ("password-admin", "short", 400, "8 characters at least"),
                ("password-admin" + String(repeating: "x", count: 80), "a-new-password", 422, "is another"),
            ] {
                let answer = try await change(former, new)
                #expect(answer.status == status && answer.text.contains(said), "\(former): \(answer.status)")
                #expect(!answer.text.contains("a-new-password"))
            }
            #expect(try await other.get("/warden").status == 200)
            let answer = try await change("password-admin", "a-new-password")
            #expect(answer.location == "/warden/people?said=own_password", "\(answer.text)")
            #expect(try await visitor.get("/warden").status == 200, "whoever did it stays")
            #expect(try await other.get("/warden").status == 303, "everybody else is out")
            #expect(try await other.signInAtPark("admin").status == 401)
            #expect(try await other.signInAtPark("admin", password: "a-new-password").status == 303)
            #expect(
                try database.owner.run(
                    "select kind, changed_by = account_id from account_changes where kind = 'password'"
                ).rows
                    == [["password", "t"]])
        }
    }

    @Test func `let nobody guess the former password more often than at the sign-in`() async throws {
        try await TestServer.run({ $0.signInPerMinute = 5 }) { server, _ in
            let visitor = try await server.warden()
            _ = try await visitor.get("/warden/people")
            var answers: [Int] = []
            for number in 0..<8 {
                answers.append(
                    try await visitor.post(
                        "/warden/do/people/own-password", ["former": "guess-\(number)", "password": "a-new-password"]
                    ).status)
            }
            #expect(answers.contains(422) && answers.last == 429, "\(answers)")
        }
    }

    @Test func `end one session and leave the others`() async throws {
        try await TestServer.run { server, database in
            let (visitor, first, second) = (
                try await server.warden(), try await server.warden("a"), try await server.warden("a")
            )
            let id = server.users["a"] ?? ""
            let sessions = try database.owner.run(
                "select session_id from checkpost.refresh_tokens where user_id = $1 order by id", [id]
            ).rows.compactMap { $0[0] }
            #expect(sessions.count == 2)
            let page = try await visitor.get("/warden/people").text
            for session in sessions { #expect(page.contains(#"name="session" value="\#(session)""#)) }
            #expect(page.contains("this one"))
            let form = ["id": id, "session": sessions[0]]
            let answer = try await visitor.post("/warden/do/people/end-session", form)
            #expect(answer.location == "/warden/people?said=signed_out", "\(answer.text)")
            #expect(try await first.get("/warden").status == 303)
            #expect(try await second.get("/warden").status == 200)
            #expect(try await visitor.post("/warden/do/people/end-session", form).status == 404, "it is gone")
            for wrong in [["session": "x"], ["id": "x"], ["id": server.users["b"] ?? "", "session": sessions[1]]] {
                let refused = try await visitor.post("/warden/do/people/end-session", form.merging(wrong) { $1 })
                #expect(refused.status == 404)
            }
            #expect(try await second.get("/warden").status == 200, "another account's session is not ended by its id")
            let audit = try await visitor.get("/warden/audit?subject=account").text
            #expect(audit.contains("a session was ended"))
        }
    }

    @Test func `move an account to another post, which holds at once`() async throws {
        try await TestServer.run { server, database in
            let elsewhere = try database.owner.record("GA3KHA9", at: TestDatabase.postC, TestDatabase.hoursAgo(3)) ?? ""
            let (visitor, ranger) = (try await server.warden(), try await server.warden("a"))
            #expect(try await ranger.get("/warden/passage?id=\(elsewhere)").status == 404)
            _ = try await visitor.get("/warden/people")
            let form = ["id": server.users["a"] ?? "", "post": TestDatabase.postC]
            #expect(try await visitor.post("/warden/do/people/move", form).location == "/warden/people?said=moved")
            #expect(try await ranger.get("/warden/passage?id=\(elsewhere)").status == 200)
            #expect(
                try await visitor.get("/warden/audit?subject=account").text.contains("Post: BNP-A → BNP-C"))
            for (wrong, status) in [
                (["post": UUID().uuidString], 400), (["post": "x"], 400), (["id": UUID().uuidString], 404),
                (["id": "x"], 404), (["id": server.users["admin"] ?? ""], 409),
            ] {
                let answer = try await visitor.post("/warden/do/people/move", form.merging(wrong) { $1 })
                #expect(answer.status == status, "\(wrong)")
            }
            #expect(
                try database.owner.value(
                    "select count(*) from user_profiles where assigned_checkpost_id = $1", [TestDatabase.postC]) == "2")
        }
    }
}
