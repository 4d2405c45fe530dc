import Enforcement
import Foundation
import Storage
import Testing

@testable import Console

@Suite("The console keeps strangers out", .serialized, .timeLimit(.minutes(10)))
struct SecurityTests {
    @Test func `the cookie is for this site and no script, and signing out ends it`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = rig.visitor()
            let answer = try await visitor.signIn()
            let cookie = try #require(answer.headers["set-cookie"])
            #expect(cookie.contains("HttpOnly"))
            #expect(cookie.contains("SameSite=Strict"))
            let token = try #require(visitor.cookies["checkpost_session"])
            #expect(try await visitor.post("/sign-out", [:]).status == 303)
            visitor.cookies = ["checkpost_session": token]
            #expect(try await visitor.get("/api/status").status == 401)
        }
    }

    @Test func `a forged cookie opens nothing`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            for token in ["", "x", String(repeating: "0", count: 64), String(repeating: "'", count: 64)] {
                visitor.cookies = ["checkpost_session": token]
                for path in [
                    "/api/status", "/api/passages", "/api/events", "/photos/\(String(repeating: "a", count: 64))",
                ] {
                    #expect(try await visitor.get(path, headers: ["Accept": "*/*"]).status == 401, "\(path)")
                }
                #expect(try await visitor.get("/history").location == "/sign-in")
            }
        }
    }

    @Test func `a session ends when nobody uses it`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            rig.clock.advance(.hours(11))
            #expect(try await visitor.get("/history").status == 200)
            rig.clock.advance(.hours(11))
            #expect(try await visitor.get("/api/status").status == 200)
            rig.clock.advance(.hours(13))
            #expect(try await visitor.get("/api/status").status == 401)
        }
    }

    @Test func `a page that keeps itself fresh keeps no session alive`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            for _ in 0..<11 {
                rig.clock.advance(.hours(1))
                for path in ["/fragments/status", "/fragments/alert", "/api/counts", "/api/live"] {
                    #expect(try await visitor.get(path).status == 200)
                }
            }
            rig.clock.advance(.hours(1))
            #expect(try await visitor.get("/api/counts").status == 401)
        }
    }

    @Test func `a clock that is set back ends no session at once, and makes none longer`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            rig.clock.advance(.hours(24 * 365))
            for _ in 0..<20 { _ = try await rig.ranger() }
            rig.clock.advance(.hours(-24 * 365))
            let visitor = try await rig.ranger()
            #expect(try await visitor.get("/").status == 200, "the newest of twenty-one is not the oldest")
            let early = try await rig.ranger("tek", "technician-1")
            rig.clock.advance(.hours(-24))
            #expect(try await early.get("/api/status").status == 200)
            rig.clock.advance(.hours(12))
            #expect(try await early.get("/api/status").status == 401, "twelve hours from the clock's step")
        }
    }

    @Test func `a form without its token, or from another site, changes nothing`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let id = try rig.doubtful("BA 1 CHA 1234")
            let fields = ["id": id, "plate": "BA 1 CHA 1234"]
            #expect(try await visitor.post("/do/reviews/submit", fields, token: "").status == 403)
            #expect(
                try await visitor.post("/do/reviews/submit", fields, token: String(repeating: "0", count: 64)).status
                    == 403)
            let other = try await rig.technician()
            #expect(try await visitor.post("/do/reviews/submit", fields, token: other.formToken).status == 403)
            for origin in ["http://evil.example", "null", "http://127.0.0.1:1"] {
                let answer = try await visitor.call("/api/reviews/submit", fields, headers: ["Origin": origin])
                #expect(answer.status == 403, "\(origin)")
            }
            let site = try await visitor.call("/api/reviews/submit", fields, headers: ["Sec-Fetch-Site": "cross-site"])
            #expect(site.status == 403)
            #expect(try rig.store.passages.list().isEmpty)
            let own = ["Origin": "http://127.0.0.1:\(rig.port)", "Sec-Fetch-Site": "same-origin"]
            #expect(try await visitor.call("/api/reviews/submit", fields, headers: own).status == 200)
        }
    }

    @Test func `a ranger can't do what is for technicians`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            #expect(try await visitor.get("/technician").status == 403)
            for path in [
                "/api/queue/retry", "/api/sync", "/api/sms", "/api/read", "/api/peer/pair", "/api/peer/join",
                "/api/peer/revoke",
            ] {
                #expect(try await visitor.call(path, [:]).status == 403, "\(path)")
            }
            let technician = try await rig.technician()
            #expect(try await technician.get("/technician").status == 200)
            #expect(try await technician.call("/api/queue/retry", [:]).status == 200)
        }
    }

    @Test func `a path that leads elsewhere leads nowhere`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            for path in [
                "/static/../../etc/passwd", "/static/%2e%2e/%2e%2e/etc/passwd", "/static/", "/static",
                "/photos/..%2f..%2fcheckpost.sqlite", "/photos/", "/sounds/", "/..", "//etc/passwd", "/fragments/..%2f",
                "/checkpost.sqlite", "/%00",
            ] {
                let answer = try await visitor.get(path)
                #expect([400, 404].contains(answer.status), "\(path): \(answer.status)")
                #expect(!answer.text.contains("root:"))
                #expect(!answer.text.contains("SQLite format"))
            }
        }
    }

    @Test func `a body that is too large is refused`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let large = Data(repeating: 65, count: 100_000)
            let answer = try await visitor.send(
                "POST", "/api/outcomes",
                headers: ["Content-Type": "application/json", "X-Form-Token": visitor.formToken],
                body: large)
            #expect(answer.status == 413)
            let technician = try await rig.technician()
            let picture = try await technician.send(
                "POST", "/api/read", headers: ["X-Form-Token": technician.formToken],
                body: Data(repeating: 0xFF, count: 11 << 20))
            #expect(picture.status == 413)
            let stranger = try await rig.visitor().send(
                "POST", "/sign-in", headers: ["Content-Type": "application/x-www-form-urlencoded"], body: large)
            #expect(stranger.status == 413)
        }
    }

    @Test func `script in a plate, a note or a search is shown as text`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let script = "<script>alert(1)</script>"
            let violation = try rig.violation()
            let outcome = ["violation_id": violation.id.uuidString, "kind": "warned", "notes": script + "\"'>"]
            #expect(try await visitor.call("/api/outcomes", outcome).status == 200)
            let page = try await visitor.get("/outcome?violation=\(violation.id.uuidString)")
            #expect(page.text.contains("&lt;script&gt;alert(1)"))
            #expect(!page.text.contains(script))
            let search = try await visitor.get("/history?plate=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")
            #expect(search.status == 200)
            #expect(!search.text.contains(script))
            let id = try rig.doubtful("BA 1 CHA 9999", number: 7)
            let submitted = try await visitor.call("/api/reviews/submit", ["id": id, "plate": "BA1CHA12" + script])
            #expect(submitted.status == 422 || !"\(submitted.object["plate"] ?? "")".contains("<"))
            #expect(try await visitor.get("/history").text.contains(script) == false)
            #expect(try await visitor.get("/?said=%3Cscript%3E").text.contains("<script>") == false)
        }
    }

    @Test func `every answer forbids inline script, frames and sniffing`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            for path in ["/", "/sign-in", "/static/console.js", "/nowhere", "/api/status"] {
                let headers = try await visitor.get(path).headers
                let policy = try #require(headers["content-security-policy"], "\(path)")
                #expect(policy.contains("script-src 'self'") && !policy.contains("unsafe"))
                #expect(policy.contains("frame-ancestors 'none'"))
                #expect(headers["x-content-type-options"] == "nosniff")
            }
            for path in ["/", "/history", "/technician", "/review"] {
                let page = try await visitor.get(path).text
                #expect(!page.contains(" style=") && !page.contains(" onclick="), "\(path)")
            }
        }
    }

    @Test func `a spreadsheet gets no formula`() {
        #expect(HistoryRoutes.cell("=1+1") == "'=1+1")
        #expect(HistoryRoutes.cell("a,\"b\"") == "\"a,\"\"b\"\"\"")
        #expect(HistoryRoutes.cell("BA 1 CHA 1234") == "BA 1 CHA 1234")
    }

    @Test func `without encryption it listens for this machine only, unless told plainly`() {
        var configuration = ConsoleConfiguration()
        #expect(configuration.problem == nil)
        configuration.address = "0.0.0.0"
        #expect(configuration.problem != nil)
        configuration.lanWithoutTLS = true
        #expect(configuration.problem == nil)
        configuration.lanWithoutTLS = false
        configuration.certificatePath = "/a"
        #expect(configuration.problem != nil, "the key is missing")
        configuration.keyPath = "/b"
        #expect(configuration.problem == nil)
    }
}
