import Enforcement
import Foundation
import Storage
import Testing

@testable import Console

@Suite("Vehicles inside too long, and plates that look alike", .serialized, .timeLimit(.minutes(10)))
struct LookAlikeTests {
    @Test func `are a hint in the review of what was read badly, with the other post's picture`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let other = MatchablePassage(
                clientID: UUID(), plate: Plate(canonical: "BA 2 KHA 17"), vehicleType: .car, checkpostCode: "BNP-A",
                recordedAt: rig.clock.now - .minutes(95), clockState: .simulated)
            try rig.store.otherPost.upsert([other], at: rig.clock.now)
            let id = try rig.doubtful("BA 2 KHA 77")
            let page = try await visitor.get("/review?id=\(id)").text
            #expect(page.contains("It may be one that the other post saw") && page.contains("BNP-A 10:25"))
            #expect(page.contains("data-plate=\"BA 2 KHA 17\""))
            #expect(page.contains("data-picture=\"\(other.clientID.uuidString.lowercased())\""))
            #expect(rig.host.wanted.contains(other.clientID))
            let unlike = try rig.doubtful("BA 9 PA 5555", number: 2)
            #expect(try await visitor.get("/review?id=\(unlike)").text.contains("the other post saw") == false)
        }
    }

    @Test func `are none for what is not known of the other post, and the page says so`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            #expect(
                try await visitor.get("/overstays").text.contains("What BNP-A has recorded up to now is not known here")
            )
            try rig.store.otherPost.learn(knownUpTo: rig.clock.now - .minutes(40), at: rig.clock.now)
            #expect(try await visitor.get("/overstays").text.contains("What BNP-A saw is known here up to 11:20."))
        }
    }

    @Test func `lead from the alert to that very vehicle`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let id = try rig.overstay("BA 3 KHA 5")
            #expect(try await visitor.get("/fragments/alert").text.contains("href=\"/overstays#overstay-\(id)\""))
            #expect(try await visitor.get("/overstays").text.contains("id=\"overstay-\(id)\""))
        }
    }

    @Test func `are shown with both pictures, reached from the top, and two vehicles become one question again`()
        async throws
    {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let own = Passage(
                clientID: UUID(), plate: Plate(canonical: "BA 1 CHA 1284"), plateRaw: "", vehicleType: .car,
                checkpostCode: "BNP-B", recordedAt: rig.clock.now - .minutes(5), clockState: .simulated,
                origin: .manual)
            try rig.store.passages.record(own, at: rig.clock.now)
            let other = MatchablePassage(
                clientID: UUID(), plate: Plate(canonical: "BA 1 CHA 1234"), vehicleType: .car, checkpostCode: "BNP-A",
                recordedAt: rig.clock.now - .minutes(95), clockState: .simulated)
            try rig.store.otherPost.upsert([other], at: rig.clock.now)
            try rig.store.matches.savePossible(
                [Match(other, MatchablePassage(own), certainty: .lookAlike)], at: rig.clock.now)
            let id = try #require(try rig.store.matches.possible().first?.id)
            let page = try await visitor.get("/overstays").text
            #expect(page.contains("href=\"#alike\"") && page.contains("id=\"alike\""))
            for side in [own.clientID, other.clientID] {
                #expect(page.contains("data-picture=\"\(side.uuidString.lowercased())\""))
            }
            #expect(rig.host.wanted.contains(other.clientID), "the other post's picture is asked for")
            let rejected = try await visitor.post("/do/matches/reject", ["id": "\(id)"])
            let said = try await visitor.get(try #require(rejected.location)).text
            #expect(said.contains("BA 1 CHA 1234 and BA 1 CHA 1284 are two vehicles."))
            #expect(said.contains("action=\"/do/matches/restore\""))
            #expect(try rig.store.matches.possible().isEmpty)
            #expect(try await visitor.post("/do/matches/restore", ["id": "\(id)"]).status == 303)
            #expect(try rig.store.matches.possible().map(\.id) == [id])
            #expect(try await visitor.call("/api/matches/restore", ["id": "\(id)"]).status == 409, "once")
        }
    }
}
