import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("What an admin corrects on the warden's page", .serialized, .timeLimit(.minutes(10)))
struct WardenChangeTests {
    /// The fields of the forms on the page of a passage.
    private func fields(_ visitor: Visitor, _ passage: String) async throws -> [String: String] {
        let page = try await visitor.get("/warden/passage?id=\(passage)")
        return ["id", "change"].reduce(into: [:]) { $0[$1] = visitor.hidden($1, in: page) }
    }

    @Test func `is judged anew, and kept with name and reason`() async throws {
        try await TestServer.run { server, database in
            let passages = try server.speeding("BA1PA1234", database)
            let visitor = try await server.warden()
            var form = try await fields(visitor, passages.exit)
            form.merge(["plate": "बा १ प ९९९९", "type": "bus", "reason": "misread"]) { $1 }
            let answer = try await visitor.post("/warden/do/correct", form)
            #expect(answer.status == 303, "\(answer.text)")
            #expect(answer.location == "/warden/passage?id=\(passages.exit)&said=corrected")
            #expect(try database.owner.value("select count(*) from violations") == "0")
            #expect(
                try database.owner.value(
                    "select plate_number || vehicle_type from vehicle_passages where id = $1", [passages.exit])
                    == "BA1PA9999bus")
            #expect(
                try database.owner.value(
                    "select reason || acted_by || (changed_by = $1::uuid) from passage_changes", [server.users["admin"]]
                )
                    == "misreadadmintrue")
            #expect(try database.owner.value("select count(*) from withdrawn_violations") == "1")
            // The button that is pressed twice makes one change.
            #expect(try await visitor.post("/warden/do/correct", form).status == 303)
            #expect(try database.owner.value("select count(*) from passage_changes") == "1")
            let page = try await visitor.get(answer.location ?? "").text
            #expect(page.contains("Corrected. Both versions are kept.") && page.contains("misread (admin)"))
        }
    }

    @Test func `withdraws what was no passage`() async throws {
        let log = LogLines()
        try await TestServer.run(log: log) { server, database in
            let passages = try server.speeding("BA1PA1234", database)
            let visitor = try await server.warden()
            var form = try await fields(visitor, passages.exit)
            form["reason"] = "There was no vehicle"
            #expect(try await visitor.post("/warden/do/withdraw", form).location?.contains("said=withdrawn") == true)
            #expect(try database.owner.value("select count(*) from vehicle_passages") == "1")
            #expect(try database.owner.value("select count(*) from violations") == "0")
            #expect(
                try database.owner.value("select kind || reason from passage_changes")
                    == "withdrawnThere was no vehicle")
            let said = try #require(log.lines(with: "withdraw passage").first)
            #expect(said.contains(passages.exit) && said.contains(server.users["admin"] ?? "?"), "\(said)")
        }
    }

    @Test func `comes back with what was typed where something is wrong`() async throws {
        try await TestServer.run { server, database in
            let passages = try server.speeding("BA1PA1234", database)
            let visitor = try await server.warden()
            let form = try await fields(visitor, passages.exit)
            for (more, said) in [
                (["plate": "!!", "reason": "typed reason"], "That is no plate"),
                (["plate": "BA 2 PA 1", "reason": " "], "Give a reason."),
                (["plate": "BA 2 PA 1", "type": "spaceship", "reason": "typed reason"], "makes no sense"),
                (["plate": "ba 1 pa 1234", "type": "car", "reason": "typed reason"], "has that plate already"),
            ] {
                let answer = try await visitor.post("/warden/do/correct", form.merging(more) { $1 })
                #expect([409, 422].contains(answer.status))
                #expect(answer.text.contains(said) && answer.text.contains(more["plate"] ?? "?"), "\(said)")
            }
            #expect(try await visitor.post("/warden/do/withdraw", form).text.contains("Give a reason."))
            #expect(try database.owner.value("select count(*) from passage_changes") == "0")
        }
    }

    @Test func `needs an admin, a form of ours and a page of ours`() async throws {
        try await TestServer.run { server, database in
            let passages = try server.speeding("BA1PA1234", database)
            let form = ["id": passages.exit, "change": UUID().uuidString, "plate": "BA 9 PA 9", "reason": "r"]
            let ranger = try await server.warden("a")
            let page = try await ranger.get("/warden/passage?id=\(passages.exit)")
            #expect(!page.text.contains("/warden/do/"))
            #expect(try await ranger.post("/warden/do/correct", form).status == 403)
            #expect(try await ranger.post("/warden/do/withdraw", form).status == 403)

            let admin = try await server.warden()
            for token in ["", ranger.formToken, String(repeating: "0", count: 64)] {
                #expect(try await admin.post("/warden/do/correct", form, token: token).status == 403)
            }
            let body = Data(
                (form.map { "\($0)=\($1)" } + ["form_token=\(admin.formToken)"]).joined(separator: "&").utf8)
            for (name, value) in [
                ("Origin", "http://evil.example"), ("Origin", "null"), ("Sec-Fetch-Site", "cross-site"),
            ] {
                let answer = try await admin.send("POST", "/warden/do/correct", headers: [name: value], body: body)
                #expect(answer.status == 403, "\(name): \(value)")
            }
            #expect(try await admin.get("/warden/do/correct").status == 405)
            #expect(try await Visitor(port: server.port).post("/warden/do/correct", form).status == 403)
            #expect(try database.owner.value("select count(*) from passage_changes") == "0")
        }
    }

    @Test func `shows what others wrote as text and never as markup`() async throws {
        try await TestServer.run { server, database in
            let attack = "<script>alert(1)</script>"
            let passages = try server.speeding("BA1PA1234", database)
            try database.owner.run(
                "update vehicle_passages set acted_by = $1, plate_number_raw = $1 where id = $2",
                [attack, passages.exit])
            try database.owner.run("update checkposts set name = $1", [attack])
            try database.owner.run("update user_profiles set full_name = $1", [attack])
            let visitor = try await server.warden()
            var form = try await fields(visitor, passages.exit)
            form.merge(["plate": "BA 1 PA 5", "reason": attack]) { $1 }
            #expect(try await visitor.post("/warden/do/correct", form).status == 303)
            for path in [
                "/warden", "/warden/passages?plate=\(attack.encoded)", "/warden/passage?id=\(passages.exit)",
                "/warden/sign-in?next=\(attack.encoded)", "/warden/audit?q=\(attack.encoded)", "/warden/audit",
                "/warden/people",
                "/warden/violations", "/warden/overstays?plate=\(attack.encoded)", "/warden/\(attack.encoded)",
            ] {
                let text = try await visitor.get(path).text
                #expect(!text.contains("<script>"), "\(path)")
            }
            let again = try await visitor.post(
                "/warden/do/correct", form.merging(["plate": attack, "reason": ""]) { $1 })
            #expect(!again.text.contains("<script>alert"))
        }
    }
}
