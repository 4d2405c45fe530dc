import Enforcement
import Foundation
import Storage
import Testing

@testable import Console

@Suite("Two rangers at one box", .serialized, .timeLimit(.minutes(5)))
struct FasterTests {
    @Test func `who was slower sees as what the other one recorded a vehicle, with the way to correct it`() async throws
    {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let (visitor, other) = (try await rig.ranger(), try await rig.technician())
            let id = try rig.doubtful("BA 2 KHA 77")
            #expect(try await other.call("/api/reviews/submit", ["id": id, "plate": "BA 2 KHA 70"]).status == 200)
            let answer = try await visitor.post("/do/reviews/submit", ["id": id, "plate": "BA 2 KHA 79"])
            let page = try await visitor.get(answer.location ?? "").text
            #expect(page.contains("tek was faster: it is recorded as BA 2 KHA 70"), "\(page)")
            let passage = try #require(try rig.store.passages.list(limit: 1).first?.passage)
            #expect(page.contains("/passage?id=\(passage.clientID.uuidString.lowercased())"))
        }
    }

    @Test func `finds no plate by symbols alone, and not all of them`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            try rig.passage("BA 1 CHA 7777")
            let visitor = try await rig.ranger()
            #expect(try await visitor.get("/history?plate=77").text.contains("BA 1 CHA 7777"))
            for symbols in ["@@@", "%25", "_"] {
                #expect(
                    try await !visitor.get("/history?plate=\(symbols)").text.contains("BA 1 CHA 7777"), "\(symbols)")
            }
        }
    }
}
