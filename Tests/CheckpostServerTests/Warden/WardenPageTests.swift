import Enforcement
import Foundation
import ParkAPI
import Pages
import TestKit
import Testing

@testable import checkpost_server

@Suite("The warden's texts", .timeLimit(.minutes(10)))
struct WardenTextsTests {
    @Test func `are there in both languages, with the same blanks`() {
        #expect(Texts.english.all.count > 150)
        #expect(Set(Texts.english.all.keys) == Set(Texts.nepali.all.keys))
        for (name, text) in Texts.english.all {
            let other = Texts.nepali[name]
            #expect(!other.isEmpty && !text.isEmpty, "\(name)")
            #expect(Self.blanks(text) == Self.blanks(other), "\(name)")
        }
        let same = Texts.english.all.filter { Texts.nepali[$0.key] == $0.value }.keys
        #expect(same.isEmpty, "these are not translated: \(same)")
    }

    private static func blanks(_ text: String) -> Set<String> {
        Set(text.matches(of: /\{[a-z]+\}/).map { String($0.output) })
    }
}

@Suite("The warden's pages", .serialized, .timeLimit(.minutes(10)))
struct WardenPageTests {
    static let paths = [
        "/warden", "/warden/work", "/warden/passages", "/warden/passages?plate=zz", "/warden/violations",
        "/warden/overstays?state=all",
        "/warden/audit", "/warden/people", "/warden/figures?days=365", "/warden/nowhere",
    ]

    /// A day with something on every page: a violation with an outcome that was changed, one that fell away, an overstay.
    static func fill(_ database: TestDatabase, _ server: TestServer) throws -> (entry: String, exit: String) {
        let other = try server.speeding("GA5KHA77", database)
        try database.owner.run("delete from violations where exit_passage_id = $1", [other.exit])
        let passages = try server.speeding("BA1PA1234", database)
        try database.owner.run(
            "insert into violation_outcomes (violation_id, outcome_type, fine_amount) select id, 'fined', 500 from violations"
        )
        try database.owner.run("update violation_outcomes set outcome_type = 'warned', fine_amount = null")
        try database.owner.run("update vehicle_passages set vehicle_type = 'bus' where id = $1", [passages.exit])
        let late = try database.owner.record("KA9PA4321", at: TestDatabase.postA, TestDatabase.hoursAgo(9)) ?? ""
        try database.owner.run(
            """
            insert into proactive_overstay_alerts (entry_passage_id, segment_id, plate_number, vehicle_type, entry_time,
                expected_exit_by, doubts)
            select id, segment_id, plate_number, vehicle_type, recorded_at, recorded_at + interval '4.5 hours',
                '[{"kind": "waits_for_review", "checkpost": "BNP-B", "at": "2026-11-21T10:00:00.000Z"},
                    {"kind": "unwatched", "checkpost": "BNP-B", "from": "2026-11-21T10:15:00.000Z", "at": "2026-11-21T11:15:00.000Z"}]'
            from vehicle_passages where id = $1
            """, [late])
        try database.owner.record("LU3CHA8123", at: TestDatabase.postA, TestDatabase.hoursAgo(3.5))
        try database.owner.record("LU3CHAB123", at: TestDatabase.postB, TestDatabase.hoursAgo(2))
        try database.owner.run(
            """
            select checkpost.judge_vehicles(jsonb_build_object('id', gen_random_uuid(), 'verdict', 'part', 'reason', 'two colours',
                'one', $1::text, 'other', $2::text))
            """, [other.entry, other.exit])
        return passages
    }

    @Test(arguments: Texts.languages)
    func `render wholly in each language`(language: String) async throws {
        try await TestServer.run { server, database in
            let passages = try Self.fill(database, server)
            let visitor = try await server.warden()
            visitor.cookies["checkpost_language"] = language
            for path in Self.paths + [
                "/warden/passage?id=\(passages.exit)", "/warden/match?id=\(passages.exit)", "/warden/sign-in",
            ] {
                let answer = try await visitor.get(path)
                let text = answer.text
                #expect(answer.status == (path == "/warden/nowhere" ? 404 : 200), "\(path): \(text)")
                #expect(!text.contains("{{") && !text.contains("Optional(") && !text.contains(">nil<"), "\(path)")
                // A name without its text would stand there as it is.
                let bare = text.matches(of: />\s*[a-z]+_[a-z_]+\s*</).map { String($0.output) }
                #expect(bare.isEmpty, "\(path): \(bare)")
                #expect(text.contains("lang=\"\(language)\""), "\(path)")
            }
        }
    }

    @Test func `fetch nothing from elsewhere and run no script but their own`() async throws {
        try await TestServer.run { server, database in
            let passages = try Self.fill(database, server)
            let visitor = try await server.warden()
            for path in Self.paths + ["/warden/passage?id=\(passages.exit)", "/warden/static/warden.js"] {
                let answer = try await visitor.get(path)
                let policy = try #require(answer.headers["content-security-policy"], "\(path)")
                #expect(policy.contains("default-src 'none'") && policy.contains("script-src 'self'"))
                #expect(!policy.contains("unsafe"))
                #expect(answer.headers["x-frame-options"] == "DENY")
                #expect(answer.headers["x-content-type-options"] == "nosniff")
                #expect(!answer.text.contains("http://") && !answer.text.contains("https://"), "\(path)")
                #expect(!answer.text.contains(" style=\"") && !answer.text.contains(" onclick"), "\(path)")
            }
        }
    }

    @Test func `show today's figures and how the posts do`() async throws {
        try await TestServer.run { server, database in
            _ = try server.speeding("BA1PA1234", database)
            try database.owner.record("BA2PA7777", at: TestDatabase.postA, TestDatabase.hoursAgo(0.2))
            try database.owner.run(
                """
                insert into sync_metadata (user_id, device_id, pending_count, app_version, updated_at)
                values ($1, 'box', 17, '9.8.7', now() - interval '2 hours')
                """, [server.users["a"]])
            let admin = try await server.warden()
            let page = try await admin.get("/warden").text
            #expect(page.contains("9.8.7") && page.contains(">17<"))
            #expect(page.contains("Not heard of for more than an hour."))
            #expect(page.contains("BA 2 PA 7777"))
            for post in ["BNP-A", "BNP-B", "BNP-C"] { #expect(page.contains(post)) }
            #expect(page.contains("<a href=\"/warden/passages?state=inside\"><b>1</b> <span>inside now</span>"))
            let inside = try await admin.get("/warden/fragments/passages?state=inside").text
            #expect(inside.matches(of: #/href="\/warden\/passage\?id=/#).count == 1, "the figure and its list are one")
            let part = try await admin.get("/warden/fragments/today").text
            #expect(part.contains("<b>1</b> <span>inside now</span>") && !part.contains("<html"))
        }
    }

    @Test func `show a passage with its picture, its violation and the vehicle's history`() async throws {
        try await TestServer.run { server, database in
            let passages = try server.speeding("BA1PA1234", database)
            let before =
                try database.owner.record("ba 1 pa 1234", at: TestDatabase.postA, TestDatabase.hoursAgo(50)) ?? ""
            let photo = "/storage/v1/object/passage-photos/\(passages.exit).jpg"
            #expect(try await server.send("POST", photo, as: "admin", body: PhotoTests.jpeg).status == 200)
            let visitor = try await server.warden()
            let page = try await visitor.get("/warden/passage?id=\(passages.exit)").text
            #expect(page.contains("BA 1 PA 1234") && page.contains("बा १ प १२३४"))
            #expect(page.contains("speeding") && page.contains("none yet"))
            #expect(page.contains("id=\(passages.entry)") && page.contains("id=\(before)"))
            #expect(page.contains("/warden/photos/\(passages.exit).jpg"))
            let picture = try await visitor.get("/warden/photos/\(passages.exit).jpg")
            #expect(picture.status == 200 && picture.body == PhotoTests.jpeg)
            #expect(picture.headers["content-type"] == "image/jpeg")
            #expect(try await visitor.get("/warden/photos/\(passages.entry).jpg").status == 404)
            #expect(try await visitor.get("/warden/passage?id=\(UUID())").status == 404)
            #expect(try await visitor.get("/warden/passage?id=x").status == 404)
            visitor.cookies = [:]
            #expect(try await visitor.get("/warden/photos/\(passages.exit).jpg").status == 401)
        }
    }

    @Test(arguments: [
        ("612 340 96 28 1920 1080", true), ("1900 1070 96 28 1920 1080", true), ("612 340 96 28", false),
        ("9000 0 96 28 1920 1080", false), ("\" onload=\"x 1 1 1 1", false), ("", false),
    ])
    func `show the plate out of its picture where the post has said where it stands`(said: String, isPlace: Bool)
        async throws
    {
        try await TestServer.run { server, database in
            let passages = try server.speeding("BA1PA1234", database)
            let photo = "/storage/v1/object/passage-photos/\(passages.exit).jpg"
            let stored = try await server.send(
                "POST", photo, as: "admin", [PlatePlace.field: said], body: PhotoTests.jpeg)
            #expect(stored.status == 200, "what says no place is no fault of the picture")
            let visitor = try await server.warden()
            for passage in [passages.exit, passages.entry] {
                let page = try await visitor.get("/warden/passage?id=\(passage)").text
                #expect(page.contains("/warden/photos/\(passages.exit).jpg"))
                let cut = #"<img class="crop" src="/warden/photos/\#(passages.exit).jpg?as=plate""#
                #expect(page.contains(cut) == isPlace && page.contains("?as=plate") == isPlace)
                #expect(!page.contains("onload"))
            }
        }
    }
}
