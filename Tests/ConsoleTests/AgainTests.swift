import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Console

@Suite("The page for what goes once more", .serialized, .timeLimit(.minutes(10)))
struct AgainTests {
    @Test func `says what it will do before it keeps the wish, in both languages`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.technician()
            let plan = try await visitor.get("/again?kind=passages").text
            #expect(plan.contains("0 passages of BNP-A are removed here") && plan.contains("/do/again/fetched"))
            #expect(plan.contains("no violation is found"), "the stand-in's server is out of reach")
            #expect(try rig.store.fetched.wishes().isEmpty)
            visitor.cookies["checkpost_language"] = "ne"
            #expect(try await visitor.get("/again?kind=all").text.contains("सर्भर सम्पर्कमा छैन"))
            visitor.cookies["checkpost_language"] = "en"
            #expect(try await visitor.call("/api/again/fetched", ["kind": "passages"]).status == 200)
            #expect(try rig.store.fetched.wishes() == [.passages])
            #expect(try await visitor.call("/api/again/fetched", ["kind": "queue"]).status >= 400)
        }
    }

    @Test func `takes days, and none that are none`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.technician()
            let plan = try await visitor.get("/again?from=2026-11-20&to=2026-11-22&direction=send").text
            #expect(plan.contains("0 passages, 0 corrections and 0 photos"), "\(plan)")
            #expect(try await visitor.get("/again?from=2026-11-22&to=2026-11-20&direction=send").status == 422)
            let days = ["direction": "fetch", "from": "2026-11-20", "to": "2026-11-22"]
            #expect(try await visitor.call("/api/again/days", days).status == 200)
            let wanted = try #require(try rig.store.days.wanted(.fetch))
            #expect(wanted.until - wanted.from == .hours(72))
            #expect(try await visitor.get("/again").text.contains("Fetching days once more"))
            let ranger = try await rig.ranger()
            #expect(try await ranger.get("/again").status == 403)
            #expect(try await ranger.call("/api/again/days", days).status == 403)
        }
    }
}
