import Testing

@testable import Plates

@Suite("The colour of a plate", .timeLimit(.minutes(5)))
struct PlateColourTests {
    private func agrees(_ colour: PlateColour, _ plate: String, _ format: PlateFormat) -> Bool? {
        colour.agrees(with: Plate(canonical: plate), format: format)
    }

    @Test(arguments: [
        (PlateColour.red, "BA 2 CHA 7318"), (.red, "KO 41 PA 6052"), (.red, "DHA 1 HA 2094"), (.red, "ME 1 KA 5924"),
        (.black, "NA 7 KHA 2835"), (.black, "LU 1 JA 9406"), (.black, "GA 2 PHA 8145"), (.black, "RA 1 THA 3769"),
        (.white, "KA 1 GA 7306"), (.white, "JA 3 JHA 4017"), (.white, "SE 4 BA 1187"), (.yellow, "MA 2 GHA 5290"),
        (.yellow, "BA 5 YAN 841"), (.yellow, "NA 11 MA 3657"), (.green, "BA 1 YA 502"),
    ])
    func `belongs to the class letter, and no other colour does`(colour: PlateColour, plate: String) {
        for other in PlateColour.allCases { #expect(agrees(other, plate, .nepalZonal) == (other == colour)) }
    }

    @Test func `says nothing of tractors and embossed plates, and India's are never red or blue`() {
        for colour in PlateColour.allCases {
            #expect(agrees(colour, "LU 2 TA 1840", .nepalZonal) == nil)
            #expect(agrees(colour, "B AC 5763", .nepalEmbossed) == nil)
        }
        #expect(agrees(.red, "UP 32 AB 1234", .india) == false)
        #expect(agrees(.yellow, "UP 32 AB 1234", .india) == true)
        #expect(agrees(.black, "P3 02 013 PA 7173", .nepalProvincial) == false)
    }

    @Test(
        arguments: [
            (0.9, 0.2, 0.642857), (0.9, 1, 0.9), (0.5, 0.5, 0.333333), (1, 0.2, 1), (0, 0.2, 0), (-0.5, 0.2, 0),
            (1.5, 0.5, 1),
            (0.9, 0, 0),
            // Certain against impossible: it stays as it was.
            (1, 0, 1),
        ] as [(Double, Double, Double)])
    func `multiplies the odds of a plate and never leaves what is a probability`(
        before: Double, factor: Double, after: Double
    ) {
        #expect(abs(probability(before, timesOdds: factor) - after) < 1e-6)
    }

    private func characters(_ list: [[(String, Double)]]) -> [CharacterAlternatives] {
        list.map { CharacterAlternatives($0.map { .init(symbol: $0.0, probability: $0.1) }) }
    }

    /// A plate whose class letter is torn between प (private, red) and फ (public, black).
    private var torn: [CharacterAlternatives] {
        characters([[("बा", 0.95)], [("१", 0.95)], [("प", 0.5), ("फ", 0.45)], [("४", 0.95)], [("२", 0.95)]])
    }

    @Test func `settles a class letter that was read in doubt`() {
        let matcher = FormatMatcher()
        #expect(matcher.match(torn, script: .devanagari).first?.plate.compact == "BA1PA42")
        #expect(matcher.match(torn, script: .devanagari, colour: .red).first?.plate.compact == "BA1PA42")
        #expect(matcher.match(torn, script: .devanagari, colour: .black).first?.plate.compact == "BA1PHA42")
    }
}
