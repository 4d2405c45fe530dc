import Enforcement
import Foundation
import Testing

@Suite("A vehicle that the other post has seen", .timeLimit(.minutes(5)))
struct SeenElsewhereTests {
    private let now = Instant(milliseconds: 1_795_240_000_000)

    private func passage(_ plate: String, minutesAgo: Double) -> MatchablePassage {
        MatchablePassage(
            clientID: UUID(), plate: Plate(canonical: plate), vehicleType: .car, checkpostCode: "BNP-A",
            recordedAt: now - .minutes(minutesAgo), clockState: .synchronised)
    }

    private func vehicles(_ plate: String, candidates: [String] = [], _ passages: [MatchablePassage]) -> [String] {
        let reading = PlateReading(
            plate: Plate(canonical: plate), raw: plate, confidence: 0.5, box: Box(x: 0, y: 0, width: 9, height: 3),
            format: "", candidates: candidates.map { .init(plate: Plate(canonical: $0), confidence: 0.2) },
            characters: [])
        return SeenElsewhere.vehicles(for: reading, seenAt: now, among: passages).map(\.plate.compact)
    }

    @Test func `may be the one that was read, with its plate or one that looks alike, the nearest in time first`() {
        let passages = [
            passage("BA 1 CHA 1234", minutesAgo: 300), passage("BA 1 CHA 1284", minutesAgo: 90),
            passage("BA 9 CHA 5555", minutesAgo: 80), passage("BA 1 CHA 1234", minutesAgo: 100),
        ]
        #expect(vehicles("BA 1 CHA 1234", passages) == ["BA1CHA1234", "BA1CHA1234"])
        #expect(vehicles("BA 1 CHA 12?4", passages) == ["BA1CHA1284", "BA1CHA1234"], "a gap agrees with both")
        #expect(vehicles("KO 2 PA 77", candidates: ["BA 9 CHA 5555"], passages) == ["BA9CHA5555"])
    }

    @Test func `is none where nothing was read, and none of another day`() {
        #expect(vehicles("", [passage("BA 1 CHA 1234", minutesAgo: 1)]).isEmpty)
        #expect(vehicles("BA 1 CHA 1234", [passage("BA 1 CHA 1234", minutesAgo: 25 * 60)]).isEmpty)
    }
}
