import Enforcement
import Testing

@Suite("The parts of a plate", .timeLimit(.minutes(5)))
struct PlatePartsTests {
    private func reading(_ plate: String, _ characters: [[(String, Double)]]) -> PlateReading {
        PlateReading(
            plate: Plate(canonical: plate), raw: "", confidence: 0.5, box: Box(x: 0, y: 0, width: 1, height: 1),
            format: "",
            candidates: [],
            characters: characters.map { character in
                CharacterAlternatives(character.map { .init(symbol: $0.0, probability: $0.1) })
            })
    }

    @Test func `are what the reader saw as one thing each`() {
        let parts = PlateParts(
            reading(
                "BHE 1 CHA 2",
                [[("भे", 0.9), ("मे", 0.1)], [("१", 1)], [("च", 0.6), ("ज", 0.3)], [("२", 0.8), ("३", 0.2)]])
        ).parts
        #expect(parts.map(\.current) == ["BHE", "1", "CHA", "2"])
        #expect(parts[0].alternatives == ["ME"])
        #expect(parts[2].alternatives == ["JA"])
        #expect(parts[3].alternatives.first == "3")
    }

    @Test func `take what a format chose against the reader`() {
        let parts = PlateParts(reading("BA 1 YAN", [[("बा", 1)], [("१", 1)], [("३", 0.99), ("ञ", 0.001)]])).parts
        #expect(parts.map(\.current) == ["BA", "1", "YAN"])
        #expect(parts[2].alternatives == ["3"])
    }

    @Test func `keep a province's letter, which the reader did not see`() {
        let parts = PlateParts(reading("P3 02", [[("३", 1)], [("०", 1)], [("२", 1)]])).parts
        #expect(parts.map(\.current) == ["P", "3", "0", "2"])
    }

    @Test func `are single characters where nothing else is known, with what looks alike`() {
        let parts = PlateParts(reading("B 8", [])).parts
        #expect(parts.map(\.current) == ["B", "8"])
        #expect(parts[1].alternatives.contains("6"))
        #expect(parts.allSatisfy { $0.alternatives.count <= PlateParts.maximumAlternatives })
    }

    @Test func `of no plate are none`() {
        #expect(PlateParts(reading("", [])).parts.isEmpty)
    }
}
