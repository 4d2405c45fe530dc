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
        try await Bench.run { (bench: Bench) async throws -> Void in
            let visitor = try await bench.ranger()
            let own = passage("G AD 2951", at: bench.clock.now)
            try bench.store.passages.record(own, at: bench.clock.now)
            let other = MatchablePassage(
                clientID: UUID(), plate: Plate(canonical: "GAD 2957"), vehicleType: .truck, checkpostCode: "BNP-A",
                recordedAt: bench.clock.now - .hours(1), clockState: .simulated)
            try bench.store.otherPost.upsert([other], at: bench.clock.now)
            try bench.store.matches.savePossible(
                [Match(MatchablePassage(own), other, certainty: .lookAlike)], at: bench.clock.now)
            let id = try #require(try bench.store.matches.possible().first?.id)
            let answer = try await visitor.call("/api/matches/accept", ["id": "\(id)"])
            #expect(answer.object["plate"] as? String == "G AD 2957")
            #expect(try bench.store.passages.passage(clientID: own.clientID)?.passage.plate.canonical == "G AD 2957")
        }
    }

    @Test func `keeps its spelling when a ranger types it without spaces`() async throws {
        try await Bench.run { (bench: Bench) async throws -> Void in
            let visitor = try await bench.ranger()
            let own = passage("C AD 2957", at: bench.clock.now)
            try bench.store.passages.record(own, at: bench.clock.now)
            let fields = ["id": own.clientID.uuidString, "plate": "gad2957", "reason": "mud"]
            #expect(try await visitor.call("/api/passages/correct", fields).object["plate"] as? String == "G AD 2957")
            #expect(try await visitor.call("/api/passages/correct", fields).status == 409)
        }
    }

    @Test func `is spelt at the other post as this one read it`() async throws {
        try await Bench.run { (bench: Bench) async throws -> Void in
            try bench.store.passages.record(passage("G AD 2957", at: bench.clock.now), at: bench.clock.now)
            let other = MatchablePassage(
                clientID: UUID(), plate: Plate(canonical: "GAD2957"), vehicleType: .truck, checkpostCode: "BNP-A",
                recordedAt: bench.clock.now - .hours(1), clockState: .simulated)
            try bench.store.otherPost.upsert([other], at: bench.clock.now)
            #expect(try bench.store.otherPost.passage(clientID: other.clientID)?.plate.canonical == "G AD 2957")
        }
    }
}
