import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Console

@Suite("What the API says has changed", .serialized, .timeLimit(.minutes(10)))
struct RevisionTests {
    private func revisions(_ visitor: Visitor) async throws -> [String: String] {
        try await visitor.get("/api/status").object["revisions"] as? [String: String] ?? [:]
    }

    @Test func `is another after each change, and the same while there is none`() async throws {
        try await Rig.run { rig in
            let visitor = try await rig.ranger()
            let quiet = try await revisions(visitor)
            #expect(quiet.count == 5)
            #expect(try await revisions(visitor) == quiet)
            try rig.doubtful("BA 1 CHA 1")
            let doubtful = try await revisions(visitor)
            #expect(doubtful["reviews"] != quiet["reviews"] && doubtful["passages"] == quiet["passages"])
            let violation = try rig.violation()
            let found = try await revisions(visitor)
            #expect(["passages", "alerts", "matches", "queue"].allSatisfy { found[$0] != doubtful[$0] })
            try rig.store.alerts.touch(
                alert: "violation/" + violation.id.uuidString.lowercased(),
                AlertTouch(by: "ram", at: rig.clock.now, isSeen: true))
            let touched = try await revisions(visitor)
            #expect(touched["alerts"] != found["alerts"], "somebody else's hand is seen at once")
        }
    }

    @Test func `lists outcomes of the last day with what a change needs`() async throws {
        try await Rig.run { rig in
            let violation = try rig.violation()
            let visitor = try await rig.ranger()
            #expect(try await visitor.get("/api/outcomes").list.isEmpty)
            let fields = ["violation_id": violation.id.uuidString, "kind": "fined", "fine_amount": "500", "notes": "n"]
            _ = try await visitor.call("/api/outcomes", fields)
            let done = try #require(try await visitor.get("/api/outcomes").list.first)
            #expect(done["what"] as? String == "Fined Rs 500" && done["notes"] as? String == "n")
            #expect(done["is_closed"] as? Bool == false)
            let seen = try #require(done["seen"] as? String)
            let changed = ["violation_id": violation.id.uuidString, "kind": "warned", "seen": seen]
            #expect(try await visitor.call("/api/outcomes", changed).status == 200)
            #expect(try await visitor.call("/api/outcomes", changed.merging(["kind": "other"]) { $1 }).status == 409)
        }
    }

    @Test func `gives the queue to whoever is signed in, and alerts without pictures`() async throws {
        try await Rig.run { rig in
            try rig.violation()
            let visitor = try await rig.ranger()
            let queue = try await visitor.get("/api/queue").object
            #expect((queue["text"] as? String)?.contains("1 waiting") == true, "\(queue)")
            #expect((queue["dead"] as? [Any])?.isEmpty == true)
            let wanted = rig.host.wanted
            let plain = try await visitor.get("/api/alerts?pictures=0").list
            #expect(plain.count == 1 && (plain[0]["pictures"] as? [Any])?.isEmpty == true)
            #expect(rig.host.wanted == wanted, "the server is asked for none")
            #expect(try await visitor.get("/api/matches").list.isEmpty)
        }
    }
}
