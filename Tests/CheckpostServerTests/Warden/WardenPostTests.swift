import Foundation
import ParkAPI
import TestKit
import Testing

@testable import checkpost_server

@Suite("The settings of a post", .serialized, .timeLimit(.minutes(10)))
struct WardenPostTests {
    @Test func `are set by an admin over the post's file, and stand under Changes`() async throws {
        try await TestServer.run { server, database in
            try database.owner.run(
                "insert into device_settings (checkpost_id, settings) values ($1, '{\"newer.key\": true, \"sync.page_rows\": 100}')",
                [TestDatabase.postA])
            let visitor = try await server.warden()
            #expect(try await visitor.get("/warden/roads").text.contains("/warden/post?code=BNP-A"))
            let page = try await visitor.get("/warden/post?code=BNP-A")
            for setting in PostSetting.all {
                #expect(page.text.contains("name=\"\(setting.name)\""), "\(setting.name)")
            }
            #expect(page.text.contains("name=\"sync.page_rows\" value=\"100\""))
            var word = ["code": "BNP-A", "was": visitor.hidden("was", in: page), "sync.interval_seconds": "९०,५"]
            #expect(try await visitor.post("/warden/do/post", word).status == 422, "a reason is needed")
            word["reason"] = "A slow <b>link"
            word["sms.gateway_number"] = "+977 98-00000000"
            word["retention.photo_days"] = "30"
            let answer = try await visitor.post("/warden/do/post", word)
            #expect(answer.location == "/warden/post?code=BNP-A&said=post_set", "\(answer.text)")
            #expect(try await visitor.post("/warden/do/post", word).status == 303, "a button that is pressed twice")
            // What a newer box takes stays; what was left empty goes back to the file.
            #expect(
                try database.owner.value("select settings from device_settings")
                    == #"{"newer.key": true, "sms.gateway_number": "+9779800000000", "retention.photo_days": 30, "sync.interval_seconds": 90.5}"#
            )
            let after = try await visitor.get("/warden/post?code=BNP-A&said=post_set").text
            #expect(after.contains("value=\"90.5\"") && after.contains("within about a minute"))
            let audit = try await visitor.get("/warden/audit?subject=setting").text
            #expect(audit.contains("BNP-A") && audit.contains("Seconds between two cycles: – → 90.5"))
            #expect(audit.contains("Rows fetched at a time: 100 → –") && audit.contains("A slow &lt;b&gt;link"))
            word["sync.interval_seconds"] = "60"
            let late = try await visitor.post("/warden/do/post", word)
            #expect(late.status == 409 && late.text.contains("Somebody was faster"))
            #expect(
                late.text.contains("name=\"sync.interval_seconds\" value=\"60\""), "what was typed stands there still")
            #expect(late.text.contains("holds now: 90.5"))
            word["was"] = visitor.hidden("was", in: late)
            #expect(try await visitor.post("/warden/do/post", word).status == 303)
        }
    }

    @Test func `take what the box would take, and say what that is`() async throws {
        try await TestServer.run { server, database in
            let visitor = try await server.warden()
            let was = visitor.hidden("was", in: try await visitor.get("/warden/post?code=BNP-A"))
            for (name, value) in [
                ("sync.interval_seconds", "0"), ("sync.interval_seconds", "3601"), ("sync.interval_seconds", "soon"),
                ("sync.page_rows", "1.5"), ("retention.passage_days", "99"), ("sms.gateway_number", "Park"),
                ("matching.window_hours", "-1"),
            ] {
                let word = ["code": "BNP-A", "was": was, "reason": "A slow link", name: value]
                let answer = try await visitor.post("/warden/do/post", word)
                #expect(answer.status == 422 && answer.text.contains("it takes"), "\(name)=\(value)")
                #expect(answer.text.contains("value=\"\(value)\"") && answer.text.contains("A slow link"))
            }
            #expect(try database.owner.value("select count(*) from device_settings") == "0")
        }
    }

    @Test func `are shown to whoever reads all, and changed by admins alone`() async throws {
        try await TestServer.run { server, database in
            _ = try database.addUser("office", role: "warden")
            let (ranger, office) = (try await server.warden("a"), try await server.warden("office"))
            #expect(try await ranger.get("/warden/post?code=BNP-A").status == 403)
            #expect(try await !ranger.get("/warden/roads").text.contains("/warden/post?"))
            let page = try await office.get("/warden/post?code=BNP-A")
            #expect(page.status == 200 && !page.text.contains("<form method=\"post\" action=\"/warden/do/post"))
            let admin = try await server.warden()
            let was = admin.hidden("was", in: try await admin.get("/warden/post?code=BNP-A"))
            let word = ["code": "BNP-A", "was": was, "reason": "r", "sync.page_rows": "50"]
            for visitor in [ranger, office, Visitor(port: server.port)] {
                #expect(try await visitor.post("/warden/do/post", word).status == 403)
            }
            #expect(try await admin.post("/warden/do/post", word, token: office.formToken).status == 403)
            #expect(try await admin.get("/warden/do/post").status == 405)
            for code in ["", "?code=", "?code=BNP-Z", "?code=%27"] {
                #expect(try await admin.get("/warden/post\(code)").status == 404, "\(code)")
            }
            let nowhere = try await admin.post("/warden/do/post", word.merging(["code": "BNP-Z"]) { $1 })
            #expect(nowhere.status == 404)
            #expect(try database.owner.value("select count(*) from device_settings") == "0")
        }
    }

    @Test func `have keys for signed texts, which an admin makes and ends, and no page shows`() async throws {
        try await TestServer.run { server, database in
            _ = try database.addUser("office", role: "warden")
            let (admin, office) = (try await server.warden(), try await server.warden("office"))
            #expect(try await admin.get("/warden/post?code=BNP-A").text.contains("doesn&#39;t sign its texts (V1)"))
            var word = ["code": "BNP-A", "was": "0", "action": "make"]
            #expect(try await admin.post("/warden/do/post/key", word).status == 422, "a reason is needed")
            word["reason"] = "Two forged texts"
            for visitor in [office, Visitor(port: server.port)] {
                #expect(try await visitor.post("/warden/do/post/key", word).status == 403)
            }
            let made = try #require(try await admin.post("/warden/do/post/key", word).location)
            #expect(try await admin.get(made).text.contains("The post learns of it over its link"))
            #expect(try await admin.post("/warden/do/post/key", word).status == 409, "a button that is pressed twice")
            let secret = try #require(
                try database.owner.value("select encode(secret, 'hex') from checkpost.text_keys"))
            let page = try await office.get("/warden/post?code=BNP-A").text
            #expect(page.contains("signs its texts (V2)") && page.contains("not fetched by the post yet"))
            #expect(!page.contains("/warden/do/post/key") && !page.contains(secret))
            let audit = try await admin.get("/warden/audit?subject=setting").text
            #expect(audit.contains("Keys for signed texts, in force: – → 1") && !audit.contains(secret))
            word["was"] = "1"
            word["action"] = "end_all"
            #expect(try await admin.post("/warden/do/post/key", word).status == 303)
            #expect(try await admin.get("/warden/post?code=BNP-A").text.contains("ended"))
        }
    }
}
