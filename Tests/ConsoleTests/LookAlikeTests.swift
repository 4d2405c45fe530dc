import Enforcement
import Foundation
import Storage
import Testing

@testable import Console

@Suite("Vehicles inside too long, and plates that look alike", .serialized, .timeLimit(.minutes(10)))
struct LookAlikeTests {
    @Test func `are a hint in the review of what was read badly, with the other post's picture`() async throws {
        try await Bench.run { (bench: Bench) async throws -> Void in
            let visitor = try await bench.ranger()
            let other = MatchablePassage(
                clientID: UUID(), plate: Plate(canonical: "BA 2 KHA 17"), vehicleType: .car, checkpostCode: "BNP-A",
                recordedAt: bench.clock.now - .minutes(95), clockState: .simulated)
            try bench.store.otherPost.upsert([other], at: bench.clock.now)
            let id = try bench.doubtful("BA 2 KHA 77")
            let page = try await visitor.get("/review?id=\(id)").text
            #expect(page.contains("It may be one that the other post saw") && page.contains("BNP-A 10:25"))
            #expect(page.contains("data-plate=\"BA 2 KHA 17\""))
            #expect(page.contains("data-picture=\"\(other.clientID.uuidString.lowercased())\""))
            #expect(bench.host.wanted.contains(other.clientID))
            let unlike = try bench.doubtful("BA 9 PA 5555", number: 2)
            #expect(try await visitor.get("/review?id=\(unlike)").text.contains("the other post saw") == false)
        }
    }

    @Test func `lead from the alert to that very vehicle`() async throws {
        try await Bench.run { (bench: Bench) async throws -> Void in
            let visitor = try await bench.ranger()
            let id = try bench.overstay("BA 3 KHA 5")
            #expect(try await visitor.get("/fragments/alert").text.contains("href=\"/overstays#overstay-\(id)\""))
            #expect(try await visitor.get("/overstays").text.contains("id=\"overstay-\(id)\""))
        }
    }

    @Test func `are shown with both pictures, reached from the top, and two vehicles become one question again`()
        async throws
    {
        try await Bench.run { (bench: Bench) async throws -> Void in
            let visitor = try await bench.ranger()
            let own = Passage(
                clientID: UUID(), plate: Plate(canonical: "BA 1 CHA 1284"), plateRaw: "", vehicleType: .car,
                checkpostCode: "BNP-B", recordedAt: bench.clock.now - .minutes(5), clockState: .simulated,
                origin: .manual)
            try bench.store.passages.record(own, at: bench.clock.now)
            let other = MatchablePassage(
                clientID: UUID(), plate: Plate(canonical: "BA 1 CHA 1234"), vehicleType: .car, checkpostCode: "BNP-A",
                recordedAt: bench.clock.now - .minutes(95), clockState: .simulated)
            try bench.store.otherPost.upsert([other], at: bench.clock.now)
            try bench.store.matches.savePossible(
                [Match(other, MatchablePassage(own), certainty: .lookAlike)], at: bench.clock.now)
            let id = try #require(try bench.store.matches.possible().first?.id)
            let page = try await visitor.get("/overstays").text
            #expect(page.contains("href=\"#alike\"") && page.contains("id=\"alike\""))
            for side in [own.clientID, other.clientID] {
                #expect(page.contains("data-picture=\"\(side.uuidString.lowercased())\""))
            }
            #expect(bench.host.wanted.contains(other.clientID), "the other post's picture is asked for")
            let rejected = try await visitor.post("/do/matches/reject", ["id": "\(id)"])
            let said = try await visitor.get(try #require(rejected.location)).text
            #expect(said.contains("BA 1 CHA 1234 and BA 1 CHA 1284 are two vehicles."))
            #expect(said.contains("action=\"/do/matches/restore\""))
            #expect(try bench.store.matches.possible().isEmpty)
            #expect(try await visitor.post("/do/matches/restore", ["id": "\(id)"]).status == 303)
            #expect(try bench.store.matches.possible().map(\.id) == [id])
            #expect(try await visitor.call("/api/matches/restore", ["id": "\(id)"]).status == 409, "once")
        }
    }
}
