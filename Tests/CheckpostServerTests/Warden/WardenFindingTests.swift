import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("The warden's violations and overstays", .serialized, .timeLimit(.minutes(10)))
struct WardenFindingTests {
    @Test func `are listed with their figures and their outcome`() async throws {
        try await TestServer.run { server, database in
            let passages = try WardenPageTests.fill(database, server)
            let visitor = try await server.warden()
            let page = try await visitor.get("/warden/violations").text
            #expect(page.contains("BA 1 PA 1234") && !page.contains("GA 5 KHA 77"))
            // 45 km in 42 minutes.
            #expect(page.contains("64.3 km/h / limit 40 km/h") && page.contains("42 min / at least 1 h 7 min 30 s"))
            #expect(page.contains("Warned") && page.contains("/warden/passage?id=\(passages.exit)"))
            let detail = try await visitor.get("/warden/passage?id=\(passages.entry)").text
            #expect(detail.contains("64.3 km/h / limit 40 km/h"))
        }
    }

    @Test func `are narrowed by kind, outcome, post, day and plate, and go on where they ended`() async throws {
        try await TestServer.run { server, database in
            for number in 0..<52 { _ = try server.speeding("BA1PA\(1000 + number)", database) }
            try database.owner.run(
                """
                insert into violation_outcomes (violation_id, outcome_type) select id, 'let_go' from violations where plate_number = 'BA1PA1007'
                """)
            let visitor = try await server.warden()
            func found(_ query: String) async throws -> Set<String> {
                var (all, path) = (Set<String>(), "/warden/violations?\(query)")
                for _ in 0..<5 {
                    let page = try await visitor.get(path).text
                    let plates = page.matches(of: /<span class="plate">([^<]+)<\/span>/).map { String($0.output.1) }
                    #expect(all.isDisjoint(with: plates))
                    all.formUnion(plates)
                    guard let more = page.firstMatch(of: /data-more="([^"]+)"/) else { return all }
                    path = String(more.output.1).replacing("&amp;", with: "&")
                }
                return all
            }
            #expect(try await found("").count == 52)
            #expect(try await found("kind=speeding&state=open").count == 51)
            #expect(try await found("state=let_go") == ["BA 1 PA 1007"])
            for query in ["kind=overstay", "type=bus", "to=2020-01-01"] {
                #expect(try await found(query).isEmpty, "\(query)")
            }
            #expect(try await found("post=\(TestDatabase.postA)").count == 52)
            #expect(try await found("post=\(TestDatabase.postC)").isEmpty)
            #expect(try await found("plate=1pa%201042") == ["BA 1 PA 1042"])
        }
    }

    @Test func `show a ranger the own segment and nothing else`() async throws {
        try await TestServer.run { server, database in
            _ = try WardenPageTests.fill(database, server)
            let (own, other) = (try await server.warden("a"), try await server.warden("c"))
            for path in ["/warden/violations", "/warden/overstays", "/warden/audit?subject=passage"] {
                #expect(try await own.get(path).text.contains("class=\"plate\""), "\(path)")
                let text = try await other.get(path).text
                #expect(text.contains("Nothing found") && !text.contains("class=\"plate\""), "\(path)")
            }
            // Nor what only admins do and see.
            #expect(try await !own.get("/warden/overstays").text.contains("/warden/do/"))
            #expect(try await !own.get("/warden/audit?subject=account").text.contains("@bnp.local"))
            #expect(try await own.get("/warden/people").status == 403)
            #expect(try await !own.get("/warden").text.contains("/warden/people"))
        }
    }

    @Test func `are answered for by an admin, with a reason`() async throws {
        try await TestServer.run { server, database in
            _ = try WardenPageTests.fill(database, server)
            let visitor = try await server.warden()
            let page = try await visitor.get("/warden/overstays")
            #expect(page.text.contains("KA 9 PA 4321") && page.text.contains("is not on record there, or not yet"))
            #expect(page.text.contains(/nobody knows who passed the other post from [^<]*16:00 to [^<]*17:00/))
            let id = visitor.hidden("client_id", in: page)
            let refused = try await visitor.post("/warden/do/resolve", ["client_id": id])
            #expect(refused.status == 422 && refused.text.contains("Give a reason."))
            let ranger = try await server.warden("a")
            #expect(try await ranger.post("/warden/do/resolve", ["client_id": id, "reason": "r"]).status == 403)
            let answer = try await visitor.post(
                "/warden/do/resolve", ["client_id": id, "reason": "Found, and sent out"])
            #expect(answer.location == "/warden/overstays?said=resolved", "\(answer.text)")
            let same = try await visitor.post(
                "/warden/do/resolve", ["client_id": id, "reason": "Found, and sent out"])
            #expect(same.location == "/warden/overstays?said=resolved", "the button was pressed twice")
            let second = try await visitor.post("/warden/do/resolve", ["client_id": id, "reason": "Another word"])
            #expect(second.status == 409 && second.text.contains("decided already"))
            #expect(try await visitor.get("/warden/overstays").text.contains("Nothing found"))
            #expect(
                try await visitor.get("/warden/overstays?state=resolved").text.contains("Found, and sent out · admin"))
        }
    }

    @Test(arguments: [
        ("en", "BA 1 PHA 1234 looks alike, seen at the other post"), ("ne", "BA 1 PHA 1234 उस्तै देखिन्छ, अर्को चेकपोस्टमा"),
    ])
    func `say which plate looks alike where one may be out`(language: String, words: String) async throws {
        try await TestServer.run { server, database in
            try database.owner.record("BA1PA1234", at: TestDatabase.postA, TestDatabase.hoursAgo(9))
            try database.owner.record("BA1PHA1234", at: TestDatabase.postB, TestDatabase.hoursAgo(8))
            #expect(try database.owner.value("select checkpost.check_overstay()") == "2")
            let visitor = try await server.warden()
            visitor.cookies["checkpost_language"] = language
            let page = try await visitor.get("/warden/overstays").text
            #expect(page.contains(words), "\(page)")
        }
    }
}
