import Enforcement
import Foundation
import Storage
import Testing

@testable import Console

@Suite("An embossed plate at the console", .serialized, .timeLimit(.minutes(10)))
struct SpellingTests {
    private func passage(_ plate: String, at time: Instant) -> Passage {
        Passage(
            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .truck,
            checkpostCode: "BNP-B", recordedAt: time, clockState: .simulated, confidence: 0.97, origin: .camera)
    }

    @Test func `keeps its spelling when the other post read it right`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let own = passage("G AD 2951", at: rig.clock.now)
            try rig.store.passages.record(own, at: rig.clock.now)
            let other = MatchablePassage(
                clientID: UUID(), plate: Plate(canonical: "GAD 2957"), vehicleType: .truck, checkpostCode: "BNP-A",
                recordedAt: rig.clock.now - .hours(1), clockState: .simulated)
            try rig.store.otherPost.upsert([other], at: rig.clock.now)
            try rig.store.matches.savePossible(
                [Match(MatchablePassage(own), other, certainty: .lookAlike)], at: rig.clock.now)
            let id = try #require(try rig.store.matches.possible().first?.id)
            let answer = try await visitor.call("/api/matches/accept", ["id": "\(id)"])
            #expect(answer.object["plate"] as? String == "G AD 2957")
            #expect(try rig.store.passages.passage(clientID: own.clientID)?.passage.plate.canonical == "G AD 2957")
        }
    }

    @Test func `keeps its spelling when a ranger types it without spaces`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            let visitor = try await rig.ranger()
            let own = passage("C AD 2957", at: rig.clock.now)
            try rig.store.passages.record(own, at: rig.clock.now)
            let fields = ["id": own.clientID.uuidString, "plate": "gad2957", "reason": "mud"]
            #expect(try await visitor.call("/api/passages/correct", fields).object["plate"] as? String == "G AD 2957")
            #expect(try await visitor.call("/api/passages/correct", fields).status == 409)
        }
    }

    @Test func `is spelt at the other post as this one read it`() async throws {
        try await Rig.run { (rig: Rig) async throws -> Void in
            try rig.store.passages.record(passage("G AD 2957", at: rig.clock.now), at: rig.clock.now)
            let other = MatchablePassage(
                clientID: UUID(), plate: Plate(canonical: "GAD2957"), vehicleType: .truck, checkpostCode: "BNP-A",
                recordedAt: rig.clock.now - .hours(1), clockState: .simulated)
            try rig.store.otherPost.upsert([other], at: rig.clock.now)
            #expect(try rig.store.otherPost.passage(clientID: other.clientID)?.plate.canonical == "G AD 2957")
        }
    }
}
