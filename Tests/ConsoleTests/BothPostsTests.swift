import Enforcement
import Foundation
import Storage
import TestKit
import Testing

@testable import Console

@Suite("The history of both posts", .serialized, .timeLimit(.minutes(10)))
struct BothPostsTests {
    @Test func `lists what both posts saw, each with its post, and one of them alone where that is wanted`()
        async throws
    {
        try await Rig.run { rig in
            try rig.violation("BA 1 CHA 1234")
            let visitor = try await rig.ranger()
            func rows(_ query: String) async throws -> [String] {
                try await visitor.get("/history?" + query).text.components(separatedBy: "<a class=\"row wide")
                    .dropFirst().map { $0.contains("post-code\">BNP-A") ? "BNP-A" : "BNP-B" }
            }
            #expect(try await rows("") == ["BNP-B", "BNP-A"], "the newest first")
            #expect(try await rows("post=own") == ["BNP-B"])
            #expect(try await rows("post=other&plate=cha12") == ["BNP-A"])
            #expect(try await rows("violation=yes&matched=yes") == ["BNP-B", "BNP-A"])
            for nothing in ["violation=no", "matched=no"] { #expect(try await rows(nothing).isEmpty, "\(nothing)") }
            #expect(try await rows("plate=ZZZ").isEmpty)
            #expect(try await visitor.get("/api/passages").list.count == 1, "programs get this post's, as they did")
            let both = try await visitor.get("/api/passages?post=both").list
            #expect(both.map { $0["is_other"] as? Bool } == [false, true])
        }
    }

    @Test func `shows a passage of the other post with its violation, and changes nothing of it`() async throws {
        try await Rig.run { rig in
            let violation = try rig.violation("BA 1 CHA 1234")
            let visitor = try await rig.ranger()
            let page = try await visitor.get("/passage?id=" + violation.entryClientID.uuidString.lowercased())
            #expect(page.status == 200 && page.text.contains("BNP-A recorded it"))
            #expect(page.text.contains("67.5 km/h") && page.text.contains("RECORD OUTCOME"))
            #expect(page.text.contains("/passage?id=" + violation.exitClientID.uuidString.lowercased()))
            #expect(!page.text.contains("/do/passages/correct"))
            let unknown = try await visitor.get("/passage?id=" + UUID().uuidString)
            #expect(unknown.status == 404)
        }
    }

    @Test func `pages through both, and exports them with speed and outcome`() async throws {
        try await Rig.run { rig in
            let violation = try rig.violation("BA 1 CHA 1234")
            let others = (0..<HistoryRoutes.pageSize).map { number in
                MatchablePassage(
                    clientID: UUID(), plate: Plate(canonical: "BA 2 PA \(1000 + number)"), vehicleType: .bus,
                    checkpostCode: "BNP-A", recordedAt: rig.clock.now - .hours(Double(number + 2)),
                    clockState: .simulated)
            }
            try rig.store.otherPost.upsert(others, at: rig.clock.now)
            let visitor = try await rig.ranger()
            let first = try await visitor.get("/history?alike=1").text
            let more = "/history?alike=1&amp;offset=\(HistoryRoutes.pageSize)"
            #expect(first.contains(more))
            let rest = try await visitor.get(more.replacing("&amp;", with: "&")).text
            #expect(rest.components(separatedBy: "<a class=\"row wide").count == 3, "62 passages, 60 a page")
            _ = try await visitor.post(
                "/do/outcomes",
                [
                    "violation_id": violation.id.uuidString, "kind": "fined", "fine_amount": "500", "seen": "0",
                ])
            let lines = try await visitor.get("/history.csv").text.components(separatedBy: "\r\n")
            #expect(lines.count == 2 + 62)
            let own = lines.filter { $0.contains("BA 1 CHA 1234") }
            #expect(own.count == 2 && own.allSatisfy { $0.hasSuffix("67.5,fined,500") }, "\(own)")
            #expect(
                lines.dropFirst().dropLast().allSatisfy {
                    $0.split(separator: ",", omittingEmptySubsequences: false).count == 17
                })
        }
    }
}
