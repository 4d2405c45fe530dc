import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("The lists on the warden's page", .serialized, .timeLimit(.minutes(10)))
struct WardenListedTests {
    private static let stolen = ["kind": "wanted", "plate": "बा १ च ७७७७", "reason": "Stolen", "segment": ""]

    @Test func `are kept by an admin, and each change stands in the audit`() async throws {
        try await TestServer.run { server, database in
            let visitor = try await server.warden()
            _ = try await visitor.get("/warden/lists")
            #expect(
                try await visitor.post("/warden/do/lists/add", Self.stolen).location == "/warden/lists?said=listed")
            let page = try await visitor.get("/warden/lists?said=listed").text
            #expect(page.contains("BA 1 CHA 7777") && page.contains("बा १ च ७७७७") && page.contains("all roads"))
            #expect(page.contains("Not seen yet") && page.contains("The plate is on the list."))
            try database.owner.record("BA1CHA7777", at: TestDatabase.postB, "2026-11-21T10:30:00Z")
            #expect(try await visitor.get("/warden/lists").text.contains("Last passage: BNP-B"))
            let id = try database.owner.value("select id from listed_plates") ?? ""
            #expect(
                try await visitor.post("/warden/do/lists/end", ["id": id]).location == "/warden/lists?said=unlisted")
            #expect(try await visitor.get("/warden/lists").text.contains("No plate is on this list."))
            #expect(try await visitor.post("/warden/do/lists/end", ["id": id]).status == 404)
            #expect(
                try database.owner.value(
                    "select listed_by = ended_by and listed_by = $1 from listed_plates",
                    [
                        server.users["admin"]
                    ]) == "t")
            let audit = try await visitor.get("/warden/audit?subject=list&q=ba1cha7777").text
            #expect(audit.contains("List: put on") && audit.contains("List: taken off") && audit.contains("Stolen"))
            #expect(audit.contains("List: Plates to watch for"))
        }
    }

    @Test func `come back with what was typed where something is wrong`() async throws {
        try await TestServer.run { server, database in
            let visitor = try await server.warden()
            _ = try await visitor.get("/warden/lists")
            for (field, value, said) in [
                ("plate", "##", "no plate"), ("plate", "1001", "a part of a plate"),
                ("reason", "", "1 to 60 characters"),
                ("reason", String(repeating: "r", count: 61), "1 to 60 characters"),
                ("kind", "hated", "makes no sense"),
                ("segment", UUID().uuidString, "There is no such page"),
            ] {
                let answer = try await visitor.post("/warden/do/lists/add", Self.stolen.merging([field: value]) { $1 })
                #expect([404, 422].contains(answer.status), "\(field): \(answer.status)")
                #expect(
                    answer.text.contains("role=\"alert\"") && answer.text.contains(said), "\(field): \(answer.text)")
                #expect(answer.text.contains(#"value="\#(field == "plate" ? value : "बा १ च ७७७७")""#), "\(field)")
            }
            #expect(try database.owner.value("select count(*) from listed_plates") == "0")
        }
    }

    @Test func `are an admin's to change; a post sees those of its road that hold`() async throws {
        try await TestServer.run { server, database in
            let visitor = try await server.warden()
            _ = try await visitor.get("/warden/lists")
            let other = try database.owner.value("select segment_id from checkposts where id = '\(TestDatabase.postC)'")
            for (plate, road) in [("BA 1 CHA 1", ""), ("BA 1 CHA 2", other ?? ""), ("BA 1 CHA 3", "")] {
                let fields = Self.stolen.merging(["plate": plate, "segment": road]) { $1 }
                #expect(try await visitor.post("/warden/do/lists/add", fields).status == 303)
            }
            let id = try database.owner.value("select id from listed_plates where plate_number like '%3'") ?? ""
            #expect(try await visitor.post("/warden/do/lists/end", ["id": id]).status == 303)

            func seen(_ user: String?) throws -> String? {
                try database.asUser(user) {
                    try $0.value("select string_agg(plate_number, ', ' order by plate_number) from listed_plates")
                }
            }
            #expect(try seen(server.users["a"]) == "BA 1 CHA 1")
            #expect(try seen(server.users["admin"]) == "BA 1 CHA 1, BA 1 CHA 2, BA 1 CHA 3")
            let ranger = try await server.warden("a")
            let page = try await ranger.get("/warden/lists").text
            #expect(page.contains("BA 1 CHA 1") && !page.contains("BA 1 CHA 2") && !page.contains("/do/lists/"))
            #expect(try await ranger.post("/warden/do/lists/add", Self.stolen).status == 403)
            #expect(try await ranger.post("/warden/do/lists/end", ["id": id]).status == 403)
            for statement in [
                "select checkpost.list_plate('wanted', 'BA 1 CHA 9', 'r', null)",
                "select checkpost.end_listing('\(id)')",
                "insert into listed_plates (kind, plate_number, reason) values ('wanted', 'BA 1 CHA 9', 'r')",
                "update listed_plates set ended_at = now()", "delete from listed_plates",
            ] {
                let refused = #expect(throws: PostgresError.self) {
                    try database.asUser(server.users["a"]) { _ = try $0.run(statement) }
                }
                #expect(["42501", "PT403"].contains(refused?.sqlState ?? ""), "\(statement)")
            }
        }
    }
}
