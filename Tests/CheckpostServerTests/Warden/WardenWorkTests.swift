import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("The warden's work", .serialized, .timeLimit(.minutes(10)))
struct WardenWorkTests {
    private static func alike(_ database: TestDatabase) throws -> (entry: String, exit: String) {
        (
            try database.owner.record("BA1PA1234", at: TestDatabase.postA, TestDatabase.hoursAgo(1.7)) ?? "",
            try database.owner.record("BA1PHA1234", at: TestDatabase.postB, TestDatabase.hoursAgo(1)) ?? ""
        )
    }

    @Test func `shows plates that look alike, takes a word and takes it back`() async throws {
        try await TestServer.run { server, database in
            let pair = try Self.alike(database)
            let photo = "/storage/v1/object/passage-photos/\(pair.exit).jpg"
            #expect(try await server.send("POST", photo, as: "admin", body: PhotoTests.jpeg).status == 200)
            let visitor = try await server.warden()
            let page = try await visitor.get("/warden/work")
            #expect(page.text.contains("ONE VEHICLE: BA 1 PA 1234") && page.text.contains("ONE VEHICLE: BA 1 PHA 1234"))
            #expect(page.text.contains("/warden/photos/\(pair.exit).jpg") && page.text.contains("No picture"))
            let one = visitor.form(page, "do/pair", "ONE VEHICLE: BA 1 PA 1234")
            let answer = try await visitor.post("/warden/do/pair", one)
            #expect(answer.location == "/warden/work?said=joined", "\(answer.text)")
            #expect(try await visitor.post("/warden/do/pair", one).status == 303, "a button that is pressed twice")
            #expect(try database.owner.value("select count(*) from violations") == "1")
            #expect(
                try database.owner.value(
                    "select reason || acted_by || (changed_by = $1::uuid) from pair_changes", [server.users["admin"]])
                    == "Both pictures were looked atadmintrue")
            let after = try await visitor.get("/warden/work?said=joined")
            #expect(!after.text.contains("ONE VEHICLE:") && after.text.contains("It is one vehicle."))
            let undo = visitor.form(after, "pair/undo")
            #expect(try await visitor.post("/warden/do/pair/undo", undo).location == "/warden/work?said=undone")
            #expect(try database.owner.value("select count(*) from violations") == "0")

            let two = visitor.form(try await visitor.get("/warden/work"), "do/pair", "TWO VEHICLES")
            #expect(try await visitor.post("/warden/do/pair", two).location == "/warden/work?said=parted")
            let last = try await visitor.get("/warden/work").text
            #expect(!last.contains("TWO VEHICLES"))
            let audit = try await visitor.get("/warden/audit?subject=pair").text
            #expect(audit.contains("Pair: two vehicles") && audit.contains("Pair: taken back"))
            #expect(audit.contains("The other plate: BA 1 PHA 1234"))
            let late = try await visitor.post("/warden/do/pair", two.merging(["change": UUID().uuidString]) { $1 })
            #expect(late.status == 409 && late.text.contains("Somebody was faster"))
        }
    }

    @Test func `matches by hand whatever the plates are, and undoes a match from its passage`() async throws {
        try await TestServer.run { server, database in
            let entry = try database.owner.record("BA1PA1234", at: TestDatabase.postA, TestDatabase.hoursAgo(1.7)) ?? ""
            let exit = try database.owner.record("GA9KHA777", at: TestDatabase.postB, TestDatabase.hoursAgo(1)) ?? ""
            try database.owner.record("LU2CHA5", at: TestDatabase.postC, TestDatabase.hoursAgo(1))
            let visitor = try await server.warden()
            #expect(try await visitor.get("/warden/work").text.contains("/warden/match?id=\(exit)"))
            #expect(try await visitor.get("/warden/passage?id=\(entry)").text.contains("/warden/match?id=\(entry)"))
            let page = try await visitor.get("/warden/match?id=\(entry)")
            #expect(page.text.contains("GA 9 KHA 777") && !page.text.contains("LU 2 CHA 5"))
            let chosen = visitor.form(page, "do/pair", "ONE VEHICLE: BA 1 PA 1234")
            #expect(try await visitor.post("/warden/do/pair", chosen).location == "/warden/work?said=joined")
            #expect(
                try database.owner.value("select plate_number from vehicle_passages where id = $1", [exit])
                    == "BA1PA1234")
            #expect(try await visitor.get("/warden/match?id=\(entry)").text.contains("Matched"))

            let passage = try await visitor.get("/warden/passage?id=\(exit)")
            var part = visitor.form(passage, "do/pair", "UNDO THE MATCH")
            #expect(try await visitor.post("/warden/do/pair", part).status == 422, "a reason is needed")
            part["reason"] = "A false plate"
            #expect(
                try await visitor.post("/warden/do/pair", part).location == "/warden/passage?id=\(exit)&said=parted")
            #expect(try database.owner.value("select count(*) from violations") == "0")
            #expect(try database.owner.value("select reason from withdrawn_violations") == "A false plate")
            #expect(
                try await visitor.get("/warden/match?id=\(entry)").text.contains("There is none at the other post."))
        }
    }

    @Test func `needs an admin, a form of ours and passages that are there`() async throws {
        try await TestServer.run { server, database in
            let pair = try Self.alike(database)
            let word = [
                "change": UUID().uuidString, "one": pair.entry, "other": pair.exit, "verdict": "two", "reason": "r",
            ]
            let undo = ["change": UUID().uuidString, "of": UUID().uuidString]
            let (own, far) = (try await server.warden("a"), try await server.warden("c"))
            let page = try await own.get("/warden/work").text
            #expect(page.contains("BA 1 PHA 1234") && !page.contains("/warden/do/"))
            let match = try await own.get("/warden/match?id=\(pair.entry)").text
            #expect(match.contains("BA 1 PHA 1234") && !match.contains("/warden/do/"))
            #expect(try await own.post("/warden/do/pair", word).status == 403)
            #expect(try await own.post("/warden/do/pair/undo", undo).status == 403)
            #expect(try await !far.get("/warden/work").text.contains("class=\"plate\""))
            #expect(try await far.get("/warden/match?id=\(pair.entry)").status == 404)

            let admin = try await server.warden()
            for token in ["", own.formToken, String(repeating: "0", count: 64)] {
                #expect(try await admin.post("/warden/do/pair", word, token: token).status == 403)
                #expect(try await admin.post("/warden/do/pair/undo", undo, token: token).status == 403)
            }
            for path in ["/warden/do/pair", "/warden/do/pair/undo"] {
                #expect(try await admin.get(path).status == 405)
                #expect(try await Visitor(port: server.port).post(path, word).status == 403)
            }
            _ = try await admin.get("/warden/work")
            #expect(try await admin.post("/warden/do/pair/undo", undo).status == 404)
            for (field, value, status) in [
                ("one", "x", 422), ("other", "", 422), ("change", "'", 422), ("verdict", "both", 422),
                ("one", UUID().uuidString, 404), ("one", pair.exit, 404), ("verdict", "one", 422),
                ("reason", String(repeating: "r", count: 201), 422),
            ] {
                let answer = try await admin.post("/warden/do/pair", word.merging([field: value]) { $1 })
                #expect(answer.status == status, "\(field)=\(value)")
            }
            for plate in ["<script>", "'; drop table parks", String(repeating: "A", count: 41)] {
                let wrong = word.merging(["verdict": "one", "plate": plate]) { $1 }
                let answer = try await admin.post("/warden/do/pair", wrong)
                #expect([409, 422].contains(answer.status) && !answer.text.contains("<script>'"), "\(plate)")
            }
            for query in ["before=x", "before=-1", "before=99999999999999999999", "before=9007199254740993"] {
                #expect(try await admin.get("/warden/work?\(query)").status == 200, "\(query)")
            }
            for query in ["", "?id=x", "?id=\(UUID())"] {
                #expect(try await admin.get("/warden/match\(query)").status == 404, "\(query)")
            }
            #expect(try database.owner.value("select count(*) from pair_changes") == "0")
            let attack = "<script>alert(1)</script>"
            #expect(try await admin.post("/warden/do/pair", word.merging(["reason": attack]) { $1 }).status == 303)
            for path in ["/warden/work", "/warden/audit"] {
                let text = try await admin.get(path).text
                #expect(text.contains("&lt;script&gt;") && !text.contains("<script>alert"), "\(path)")
            }
        }
    }

    @Test func `goes on further back, where much is open`() async throws {
        try await TestServer.run { server, database in
            let pair = try Self.alike(database)
            try database.owner.run(
                """
                insert into vehicle_passages (client_id, plate_number, vehicle_type, checkpost_id, recorded_at)
                select gen_random_uuid(), 'GA' || g % 9 + 1 || 'KHA' || 2000 + g, 'bus', $1, now() - g * interval '1 second'
                from generate_series(1, 200) g
                """, [TestDatabase.postA])
            let visitor = try await server.warden()
            let page = try await visitor.get("/warden/work").text
            #expect(!page.contains("TWO VEHICLES"))
            let further = try #require(page.firstMatch(of: /href="(\/warden\/work\?before=\d+)"/))
            let older = try await visitor.get(String(further.output.1)).text
            #expect(older.contains("TWO VEHICLES") && older.contains(pair.entry))
            #expect(!older.contains("?before="))
        }
    }

    @Test(arguments: ["passages?", "violations?", "overstays?state=all&"])
    func `finds a plate by what looks like a part of it`(list: String) async throws {
        try await TestServer.run { server, database in
            _ = try WardenPageTests.fill(database, server)
            let plate = list.hasPrefix("o") ? "KA9PA4321" : "BA1PA1234"
            // 8 for B, I for 1: a tired eye.
            let alike = list.hasPrefix("o") ? "KA9PA4S2I" : "8AIPA"
            let visitor = try await server.warden()
            func finds(_ query: String) async throws -> Bool {
                try await visitor.get("/warden/\(list)\(query)").text.contains(StoredPlate.text(plate))
            }
            #expect(try await !finds("plate=\(alike)"))
            #expect(try await finds("plate=\(alike.replacing("S", with: "3"))&alike=1"))
            #expect(try await !finds("plate=ZZZ&alike=1"))
            #expect(try await !finds("plate=\("éß".encoded)&alike=1"))
            let spaced = alike.replacing("S", with: "3").map { "\($0)-" }.joined()
            #expect(try await finds("plate=\("(\(spaced))".encoded)&alike=1"), "what is no letter or digit is left out")
            #expect(try await !finds("plate=\("(((".encoded)&alike=1"), "symbols alone ask for none")
            let page = try await visitor.get("/warden/\(list)plate=\(alike)&alike=1").text
            #expect(page.contains(#"name="alike" value="1" checked"#))
        }
    }
}
