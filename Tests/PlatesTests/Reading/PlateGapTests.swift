import Testing

@testable import Plates

@Suite("What of a plate could not be read", .timeLimit(.minutes(5)))
struct PlateGapTests {
    private func gaps(_ sureness: [Double]) -> String? {
        let characters = zip(["B", "A", "C", "5", "7", "6"], sureness).map {
            CharacterAlternatives([.init(symbol: $0, probability: $1)])
        }
        return PlateFormat.nepalEmbossed.withGaps(Plate(canonical: "B AC 576"), read: characters)?.canonical
    }

    @Test func `is each character that is less likely than not`() {
        #expect(gaps([0.9, 0.9, 0.9, 0.5, 0.9, 0.49]) == "B AC 57?")
        #expect(gaps([0.5, 0.5, 0.5, 0.5, 0.5, 0.5]) == nil, "nothing is missing")
    }

    @Test func `is half of the plate at most`() {
        #expect(gaps([0.9, 0.1, 0.9, 0.1, 0.9, 0.1]) == "B ?C ?7?")
        #expect(gaps([0.1, 0.1, 0.9, 0.1, 0.9, 0.1]) == nil)
    }

    @Test func `is told of the whole plate or not at all`() {
        #expect(gaps([0.9, 0.9, 0.9, 0.9, 0.1]) == nil)
        let partial = Plate(canonical: "B AC 57?")
        let characters = "BAC57".map { CharacterAlternatives([.init(symbol: String($0), probability: 0.9)]) }
        #expect(PlateFormat.nepalEmbossed.withGaps(partial, read: characters) == nil)
    }
}

@Suite("A format of the catalogue", .timeLimit(.minutes(5)))
struct NamedFormatTests {
    @Test func `is found by its name, and by no other`() {
        for format in PlateFormat.all { #expect(PlateFormat.named(format.name) == format) }
        #expect(Set(PlateFormat.all.map(\.name)).count == PlateFormat.all.count && PlateFormat.named("none") == nil)
    }
}
