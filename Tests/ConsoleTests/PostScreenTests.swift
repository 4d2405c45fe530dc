import Enforcement
import Foundation
import Storage
import Testing

@testable import Console

@Suite("The post's own screen", .serialized, .timeLimit(.minutes(10)))
struct PostScreenTests {
    private func second(_ rig: Rig) throws {
        try rig.store.accounts.add(
            User(
                name: "sita", fullName: "Sita", role: .ranger, origin: .box, passwordHash: nil,
                pinHash: try PasswordHash.make("2468"), createdAt: rig.clock.now))
    }

    @Test func `chooses nobody's name beforehand, and blames nobody for a PIN without a name`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = rig.visitor()
            #expect(try await visitor.get("/sign-in").text.contains("value=\"ram\" checked"), "there is only one")
            try second(rig)
            #expect(try await visitor.get("/sign-in").text.contains(" checked") == false)
            let nameless = try await visitor.post("/sign-in", ["pin": "0000"])
            #expect(nameless.status == 422 && nameless.text.contains("Tap your name first"))
            #expect(try rig.store.accounts.users().allSatisfy { $0.pinLock.failureCount == 0 })
            let wrong = try await visitor.post("/sign-in", ["user": "sita", "pin": "0000"])
            #expect(
                wrong.status == 401 && wrong.text.contains("The PIN is wrong.") && !wrong.text.contains("password is"))
            #expect(wrong.text.contains("value=\"sita\" checked"), "who it is need not be said twice")
        }
    }

    @Test func `tells of an alert while nobody is signed in, and nothing else`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            try rig.violation("BA 1 CHA 1234")
            let stranger = rig.visitor()
            for page in [try await stranger.get("/sign-in"), try await stranger.get("/fragments/alert")] {
                #expect(page.status == 200 && page.text.contains("SPEEDING") && page.text.contains("BA 1 CHA 1234"))
                #expect(page.text.contains("SIGN IN TO ACT") && !page.text.contains("data-put"))
                #expect(!page.text.contains("/photos/") && !page.text.contains("data-picture"))
            }
            #expect(rig.host.wanted.isEmpty, "no picture is fetched for whom nobody knows")
            for name in ["status", "counts", "passages", "reviews"] {
                #expect(try await stranger.get("/fragments/\(name)").status == 401, "\(name)")
            }
            #expect(ConsoleContext.isAtPost("192.168.1.20") == false)
            #expect(try await stranger.get("/sign-in").text.contains("Open now: 1 alerts, 0 to review"))
        }
    }

    @Test func `says when it first showed an alert, also while nobody is signed in`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let violation = try rig.violation("BA 1 CHA 1234")
            let first = rig.clock.now
            #expect(try rig.store.deliveries.shownAt(violation: violation.id) == nil)
            let screen = rig.visitor()
            let id = "violation/\(violation.id.uuidString.lowercased())"
            #expect(try await screen.call("/api/alerts/shown", ["id": id]).status == 200)
            rig.clock.advance(.minutes(5))
            #expect(try await rig.ranger().call("/api/alerts/shown", ["id": id]).status == 200)
            #expect(try rig.store.deliveries.shownAt(violation: violation.id) == first, "the first time counts")
            for nothing in ["violation/\(UUID())", "overstay/1", "", "violation/"] {
                #expect(try await screen.call("/api/alerts/shown", ["id": nothing]).status == 200, "nothing to keep")
            }
            #expect(try rig.store.deliveries.toTell(limit: 9).isEmpty, "the server has not judged it")
        }
    }

    @Test func `is locked, and goes on where it was with the PIN`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            try second(rig)
            let visitor = try await rig.ranger()
            #expect(try await visitor.get("/").text.contains("data-lock-ms=\"1800000\""))
            let token = try #require(visitor.cookies["checkpost_session"])
            let locked = try await visitor.post("/lock", ["next": "/review?id=gate%2F7"])
            #expect(locked.location == "/sign-in?user=ram&next=%2Freview%3Fid%3Dgate%252F7")
            let page = try await visitor.get(try #require(locked.location)).text
            #expect(
                page.contains("value=\"ram\" checked") && page.contains("name=\"next\" value=\"/review?id=gate%2F7\""))
            visitor.cookies = ["checkpost_session": token]
            #expect(try await visitor.get("/api/status").status == 401, "the session is over, not hidden")
            visitor.cookies = [:]
            let back = try await visitor.post(
                "/sign-in", ["user": "ram", "pin": "1379", "next": "/review?id=gate%2F7"])
            #expect(back.location == "/review?id=gate%2F7")
        }
    }

    @Test(arguments: ["//evil.example", "https://evil.example", "/do/sync", "/a\\b", "/a\r\nX: y", ""])
    func `goes on to no page that isn't its own`(next: String) async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let answer = try await rig.visitor().post("/sign-in", ["user": "ram", "pin": "1379", "next": next])
            #expect(answer.status == 303 && answer.location == "/")
        }
    }

    @Test func `of somebody without a PIN is not locked`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let page = try await rig.technician().get("/").text
            #expect(!page.contains("data-lock-ms") && !page.contains("id=\"lock\""))
        }
    }
}

@Suite("A page in Nepali", .serialized, .timeLimit(.minutes(10)))
struct NepaliTests {
    @Test func `has the plate in its own script, Nepali figures, and both calendars`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let violation = try rig.violation("BA 1 CHA 1234")
            let path = "/passage?id=\(violation.exitClientID.uuidString.lowercased())"
            let english = try await visitor.get(path).text
            #expect(english.contains("बा १ च १२३४") && english.contains("BA 1 CHA 1234"))
            #expect(english.contains("2026-11-21 (2083-08-05 BS) 11:59:00"))
            visitor.cookies["checkpost_language"] = "ne"
            let page = try await visitor.get(path).text
            #expect(page.contains("२०८३-०८-०५ (ई.सं. २०२६-११-२१) ११:५९:००") && page.contains("BA 1 CHA 1234"))
            #expect(try await visitor.get("/fragments/alert").text.contains("६७.५ किमी/घ"))
            #expect(try await visitor.get("/").text.contains("data-count=\"alerts\">१</span>"))
            let api = try await visitor.get("/api/passages").list
            #expect(api.first?["day"] as? String == "2026-11-21", "programs read plain days")
            #expect(try await visitor.get("/api/plate?text=ba1cha1234").object["script"] as? String == "बा १ च १२३४")
        }
    }
}
