import Enforcement
import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("A second pair of eyes", .serialized, .timeLimit(.minutes(10)))
struct WardenCheckTests {
    /// A ranger of post A has warned the driver of one speeding vehicle, and corrected the plate of another passage.
    private static func visited(
        fourEyes: Bool = true,
        _ body: @Sendable @escaping (TestServer, TestDatabase, _ exit: String) async throws -> Void
    ) async throws {
        try await TestServer.run({ $0.wardenFourEyes = fourEyes }) { server, database in
            _ = try database.addUser("office", role: "warden")
            let exit = try server.speeding("BA1PA1234", database).exit
            let misread = try database.owner.record("BA2PA777", at: TestDatabase.postA, TestDatabase.hoursAgo(3)) ?? ""
            try database.asUser(server.users["a"]) { connection in
                try connection.run(
                    "insert into violation_outcomes (violation_id, outcome_type, acted_by) select id, 'warned', 'Hari' from violations"
                )
                try connection.run(
                    """
                    select checkpost.change_passage(jsonb_build_object('id', gen_random_uuid(), 'client_id', client_id,
                        'plate_number', 'BA2PA7777', 'reason', 'A digit was lost', 'acted_by', 'Hari', 'changed_at', now()))
                    from vehicle_passages where id = $1
                    """, [misread])
            }
            try await body(server, database, exit)
        }
    }

    @Test func `finds what rangers changed, and says that it is right or puts it back`() async throws {
        try await Self.visited { server, database, _ in
            let visitor = try await server.warden("office")
            let page = try await visitor.get("/warden/work")
            #expect(page.text.contains("To be looked at again"))
            #expect(page.text.contains("Plate: BA 2 PA 777 → BA 2 PA 7777") && page.text.contains("A digit was lost"))
            #expect(page.text.contains("Outcome: Warned") || page.text.contains("→ Warned"))
            var back = visitor.form(page, "do/check", "PUT IT BACK")
            #expect(try await visitor.post("/warden/do/check", back).status == 422, "a reason is needed")
            back["reason"] = "The picture shows the plate as it was"
            #expect(try await visitor.post("/warden/do/check", back).location == "/warden/work?said=put_back")
            #expect(try await visitor.post("/warden/do/check", back).status == 303, "a button that is pressed twice")
            #expect(
                try database.owner.value("select count(*) from vehicle_passages where plate_number = 'BA2PA777'") == "1"
            )
            let right = visitor.form(try await visitor.get("/warden/work"), "do/check", "IT IS RIGHT")
            #expect(right["key"]?.hasPrefix("outcome:") == true)
            #expect(try await visitor.post("/warden/do/check", right).location == "/warden/work?said=approved")
            #expect(try await visitor.post("/warden/do/check", right).status == 303)
            let after = try await visitor.get("/warden/work?said=approved").text
            #expect(after.contains("Nothing waits to be looked at.") && after.contains("your name stands by it"))
            let audit = try await visitor.get("/warden/audit?subject=approval").text
            #expect(audit.contains("Looked at again: an outcome") && audit.contains("office"))
            let late = try await visitor.post(
                "/warden/do/check", right.merging(["change": UUID().uuidString]) { $1 })
            #expect(late.status == 409 && late.text.contains("Somebody was faster"))
        }
    }

    @Test func `changes an outcome of any day, which the ranger can't change after that`() async throws {
        try await Self.visited { server, database, exit in
            try database.owner.run(
                "update violation_outcomes set recorded_at = now() - interval '9 days', created_at = now() - interval '9 days'"
            )
            let visitor = try await server.warden("office")
            let passage = try await visitor.get("/warden/passage?id=\(exit)")
            var word = visitor.form(passage, "do/outcome")
            #expect(word["was"]?.isEmpty == false && word["violation"]?.isEmpty == false)
            word["kind"] = "fined"
            word["reason"] = "Appeal"
            word["notes"] = "He came to <b>the office"
            let asked = try await visitor.post("/warden/do/outcome", word)
            #expect(asked.status == 422 && asked.text.contains("Give the fine in rupees"))
            #expect(asked.text.contains("He came to &lt;b&gt;the office"), "what was typed stands there still")
            #expect(asked.text.contains("value=\"fined\" selected"))
            word["fine_amount"] = "1,500"
            let answer = try await visitor.post("/warden/do/outcome", word)
            #expect(answer.location == "/warden/passage?id=\(exit)&said=outcome", "\(answer.text)")
            #expect(try await visitor.post("/warden/do/outcome", word).status == 303, "a button that is pressed twice")
            #expect(
                try database.owner.value(
                    "select concat_ws(' ', outcome_type, fine_amount, acted_by) from violation_outcomes")
                    == "fined 1500.00 office")
            let changed = try await visitor.get("/warden/passage?id=\(exit)&said=outcome").text
            #expect(changed.contains("1500 rupees") && changed.contains("The posts take it over."))
            #expect(try await visitor.get("/warden/audit?subject=outcome").text.contains("Appeal"))
            #expect(try await !visitor.get("/warden/work").text.contains("key\" value=\"outcome:"))
            // The ranger's account doesn't reach it any more.
            let touched = try database.asUser(server.users["a"]) {
                try $0.run("update violation_outcomes set outcome_type = 'let_go' returning id").rows.count
            }
            #expect(touched == 0)
            word["kind"] = "let_go"
            word["fine_amount"] = ""
            let late = try await visitor.post("/warden/do/outcome", word)
            #expect(late.status == 409 && late.text.contains("Somebody was faster"))
            #expect(late.text.contains("He came to &lt;b&gt;the office"), "what was typed stands there still")
            // What holds now was shown beside it: the same said again is meant.
            word["was"] = visitor.hidden("was", in: late)
            #expect(try await visitor.post("/warden/do/outcome", word).status == 303)
        }
    }

    @Test func `needs a warden, a form of ours, and what is there`() async throws {
        try await Self.visited { server, database, exit in
            let violation = try database.owner.value("select id from violations") ?? ""
            let word = ["id": exit, "violation": violation, "was": "1", "kind": "let_go", "reason": "r"]
            let check = ["change": UUID().uuidString, "key": "outcome:1", "verdict": "right"]
            let ranger = try await server.warden("a")
            #expect(try await !ranger.get("/warden/work").text.contains("To be looked at again"))
            #expect(try await !ranger.get("/warden/passage?id=\(exit)").text.contains("/warden/do/outcome"))
            let admin = try await server.warden()
            for (path, fields) in [("/warden/do/outcome", word), ("/warden/do/check", check)] {
                #expect(try await ranger.post(path, fields).status == 403)
                #expect(try await admin.get(path).status == 405)
                #expect(try await admin.post(path, fields, token: ranger.formToken).status == 403)
                #expect(try await Visitor(port: server.port).post(path, fields).status == 403)
            }
            _ = try await admin.get("/warden/work")
            for (field, value, status) in [
                ("violation", "x", 422), ("kind", "hanged", 422), ("was", "x", 422), ("reason", "", 422),
                ("fine_amount", "500", 422), ("notes", String(repeating: "n", count: 1001), 422), ("id", "x", 404),
                ("violation", UUID().uuidString, 409), ("was", "0", 409),
            ] {
                let answer = try await admin.post("/warden/do/outcome", word.merging([field: value]) { $1 })
                #expect(answer.status == status, "\(field)=\(value)")
            }
            for (field, value, status) in [
                ("change", "x", 422), ("key", "outcome:'", 422), ("key", "account:1", 400), ("verdict", "wrong", 422),
                ("verdict", "back", 422), ("key", "outcome:999999", 409), ("key", "outcome:99999999999999999999", 400),
            ] {
                let answer = try await admin.post("/warden/do/check", check.merging([field: value]) { $1 })
                #expect(answer.status == status, "\(field)=\(value)")
            }
            #expect(try database.owner.value("select count(*) from change_approvals") == "0")
            #expect(try database.owner.value("select outcome_type from violation_outcomes") == "warned")
        }
    }

    /// Rows read are counted, not seconds.
    @Test func `finds what waits at the same cost however much was changed before`() async throws {
        try await Self.visited { server, database, _ in
            try database.owner.run(
                """
                insert into passage_changes (id, client_id, checkpost_id, segment_id, kind, old_plate_number, new_plate_number, reason,
                    changed_at, created_at)
                select gen_random_uuid(), gen_random_uuid(), $1, $2, 'corrected', 'BA1PA1', 'BA1PA2', 'Misread', now(),
                    now() - interval '31 days' - g * interval '1 minute'
                from generate_series(1, 5000) g
                """, [TestDatabase.postA, TestDatabase.segment])
            try database.owner.run("analyze passage_changes")
            let (rows, read) = try database.asUser(server.users["admin"]) { connection in
                let rows = try AuditRow.unchecked(connection, since: Warden.now - .days(30), limit: 20)
                return (
                    rows,
                    try connection.value(
                        "select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables where relid = 'public.passage_changes'::regclass"
                    )
                )
            }
            #expect(Set(rows.map(\.subject)) == [.passage, .outcome] && rows.count == 2)
            #expect((Int(read ?? "") ?? .max) < 100, "read \(read ?? "nothing")")
        }
    }

    @Test func `is asked for only where the park wants it`() async throws {
        try await Self.visited(fourEyes: false) { server, _, _ in
            let page = try await server.warden().get("/warden/work").text
            #expect(!page.contains("To be looked at again") && !page.contains("/warden/do/check"))
        }
    }
}
