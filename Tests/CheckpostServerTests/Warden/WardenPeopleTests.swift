import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("The people on the warden's page", .serialized, .timeLimit(.minutes(10)))
struct WardenPeopleTests {
    private static let sita = [
        "username": "sita", "full_name": "Sita Thapa", "phone": "9800001234", "post": TestDatabase.postC,
        "password": "a-long-password",
    ]

    @Test func `are made, switched off and on, and given a new password`() async throws {
        try await TestServer.run { server, database in
            let visitor = try await server.warden()
            _ = try await visitor.get("/warden/people")
            let made = try await visitor.post("/warden/do/people/create", Self.sita)
            #expect(made.location == "/warden/people?said=created", "\(made.text)")
            let page = try await visitor.get("/warden/people").text
            #expect(
                page.contains("Sita Thapa") && page.contains("sita@bnp.local")
                    && page.contains("BNP-C · +9779800001234"))
            let id = try database.owner.value("select id from auth.users where email = 'sita@bnp.local'") ?? ""

            let sita = Visitor(port: server.port)
            #expect(try await sita.signInAtPark("sita", password: "a-long-password").status == 303)
            #expect(try await sita.get("/warden").status == 200)
            #expect(
                try await visitor.post("/warden/do/people/password", ["id": id, "password": "another-password"]).status
                    == 303)
            #expect(try await sita.get("/warden").status == 303, "signed out everywhere")
            #expect(try await sita.signInAtPark("sita", password: "a-long-password").status == 401)
            #expect(try await sita.signInAtPark("sita", password: "another-password").status == 303)
            #expect(try await visitor.post("/warden/do/people/deactivate", ["id": id]).status == 303)
            #expect(try await sita.get("/warden").status == 303)
            #expect(try await sita.signInAtPark("sita", password: "another-password").status == 401)
            #expect(try await visitor.get("/warden/people").text.contains("switched off"))
            #expect(try await visitor.post("/warden/do/people/activate", ["id": id]).status == 303)
            #expect(try await sita.signInAtPark("sita", password: "another-password").status == 303)
        }
    }

    @Test func `leave a row for each change, which nobody can change`() async throws {
        try await TestServer.run { server, database in
            let visitor = try await server.warden()
            _ = try await visitor.get("/warden/people")
            _ = try await visitor.post("/warden/do/people/create", Self.sita)
            let id = try database.owner.value("select id from auth.users where email = 'sita@bnp.local'") ?? ""
            _ = try await visitor.post("/warden/do/people/password", ["id": id, "password": "another-password"])
            _ = try await visitor.post("/warden/do/people/deactivate", ["id": id])
            let rows = try database.owner.run(
                "select kind, changed_by from account_changes where account_id = $1 order by id", [id]
            ).rows
            #expect(rows.map { $0[0] } == ["created", "password", "changed"])
            #expect(rows.allSatisfy { $0[1] == server.users["admin"] })
            let page = try await visitor.get("/warden/audit?subject=account&q=sita").text
            #expect(page.contains("Active: yes → no") && page.contains("new password") && page.contains("Post: BNP-C"))
            #expect(!page.contains("another-password"))
            for statement in [
                "update account_changes set kind = 'created'", "delete from account_changes",
                "insert into account_changes (account_id, kind) values (gen_random_uuid(), 'created')",
            ] {
                let refused = #expect(throws: PostgresError.self) {
                    try database.asUser(server.users["admin"]) { _ = try $0.run(statement) }
                }
                #expect(refused?.sqlState == "42501", "\(statement)")
            }
            #expect(
                try database.asUser(server.users["a"]) { try $0.value("select count(*) from account_changes") } == "0")
        }
    }

    @Test func `come back with what was typed where something is wrong`() async throws {
        try await TestServer.run { server, database in
            let visitor = try await server.warden()
            _ = try await visitor.get("/warden/people")
            for (field, value, said) in [
                ("username", "a", "2 to 32 letters"), ("username", "admin", "the username is taken"),
                ("password", "short", "8 characters at least"), ("full_name", " ", "full_name is needed"),
                ("phone", "call me", "not a telephone number"), ("post", "x", "names no checkpost"),
            ] {
                let answer = try await visitor.post(
                    "/warden/do/people/create", Self.sita.merging([field: value]) { $1 })
                #expect(answer.status == 400 && answer.text.contains(said), "\(field): \(answer.status)")
                #expect(!answer.text.contains("a-long-password"))
                if field != "full_name" { #expect(answer.text.contains(#"value="Sita Thapa""#)) }
            }
            let admin = server.users["admin"] ?? ""
            let own = try await visitor.post("/warden/do/people/deactivate", ["id": admin])
            #expect(own.status == 409 && own.text.contains("your own account"))
            #expect(try await visitor.post("/warden/do/people/deactivate", ["id": UUID().uuidString]).status == 404)
            #expect(try database.owner.value("select count(*) from user_profiles where not is_active") == "0")
        }
    }

    @Test func `are an admin's affair, by whatever door`() async throws {
        try await TestServer.run { server, database in
            let ranger = try await server.warden("a")
            let (own, other) = (server.users["a"] ?? "", server.users["b"] ?? "")
            for (path, fields) in [
                ("create", Self.sita), ("deactivate", ["id": other]), ("activate", ["id": other]),
                ("password", ["id": other, "password": "another-password"]),
                ("password", ["id": own, "password": "another-password"]),
                ("own-password", ["former": "password-a", "password": "another-password"]),
                ("move", ["id": own, "post": TestDatabase.postB]), ("end-session", ["id": other, "session": own]),
            ] {
                #expect(try await ranger.post("/warden/do/people/\(path)", fields).status == 403, "\(path)")
            }
            for call in [
                "select checkpost.people()", "select checkpost.set_password('\(own)', 'another-password')",
                "select checkpost.set_account_active('\(other)', false)",
                "select checkpost.change_own_password('password-a', 'another-password')",
                "select checkpost.move_account('\(own)', '\(TestDatabase.postB)')",
                "select checkpost.end_session('\(own)', '\(own)')",
            ] {
                for user in [server.users["a"], nil] {
                    let refused = #expect(throws: PostgresError.self) {
                        try database.asUser(user) { _ = try $0.run(call) }
                    }
                    #expect(refused?.sqlState == "PT403", "\(call)")
                }
            }
            #expect(try database.owner.value("select count(*) from user_profiles where not is_active") == "0")
        }
    }
}
