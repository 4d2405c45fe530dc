import Testing

@testable import Plates

@Suite("Why characters are no plate", .timeLimit(.minutes(5)))
struct FormatMisfitTests {
    private func misfits(_ text: [String], _ script: PlateFormat.Script) -> [String: String] {
        let characters = text.map { CharacterAlternatives([.init(symbol: $0, probability: 0.95)]) }
        let found = FormatMatcher().misfits(characters, script: script).map { ($0.format.name, $0.reason) }
        return Dictionary(uniqueKeysWithValues: found)
    }

    @Test func `names the character that stops each format, and the length`() {
        let misfits = misfits(["८", "८", "१", "४"], .devanagari)
        #expect(misfits["np-zonal"] == "character 1 can't be ८")
        #expect(misfits["np-provincial"] == "has 8 to 11 characters, not 4")
    }

    @Test func `leaves out the format that fits`() {
        let misfits = misfits(["बा", "१", "च", "१", "२", "३", "४"], .devanagari)
        #expect(misfits["np-zonal"] == nil)
        #expect(misfits["np-provincial"] != nil)
    }

    @Test func `says so where a plate begins with no code that there is`() {
        #expect(misfits("QQ32AB1234".map(String.init), .latin)["in"] == "no plate begins so, or has no digit in it")
    }
}

@Suite("A zonal plate in Latin letters", .timeLimit(.minutes(5)))
struct LatinZonalTests {
    private func best(_ text: String, country: String?) -> FormatMatcher.Result? {
        FormatMatcher(country: country).match(
            text.map { CharacterAlternatives([.init(symbol: String($0), probability: 0.95)]) }, script: .latin
        ).first
    }

    @Test(arguments: [
        ("BA1HA4085", "BA 1 HA 4085"), ("BAIHA4O85", "BA 1 HA 4085"), ("NA6KHA1957", "NA 6 KHA 1957"),
        ("BHE12PA7", "BHE 12 PA 7"),
    ])
    func `is the plate that stands on the other side in Devanagari`(text: String, canonical: String) throws {
        let result = try #require(best(text, country: "np"))
        #expect(result.plate.canonical == canonical)
        #expect(result.format.name == "np-zonal-latin")
        #expect(PlateNormalizer.normalize(canonical)?.canonical == canonical)
    }

    @Test(arguments: ["QA1HA4085", "BA1XA4085", "BA123HA4"])
    func `is nothing without a zone, a class and a lot`(text: String) {
        #expect(best(text, country: "np")?.format.name != "np-zonal-latin")
    }

    @Test func `takes the word that a slot may spell, though another letter was likelier`() throws {
        var characters = "BA1HA4085".map { CharacterAlternatives([.init(symbol: String($0), probability: 0.95)]) }
        // Two letters of the zone and the class are read wrong, each with the right one as the second choice.
        characters[0] = CharacterAlternatives([
            .init(symbol: "U", probability: 0.6), .init(symbol: "B", probability: 0.3),
        ])
        characters[3] = CharacterAlternatives([
            .init(symbol: "N", probability: 0.6), .init(symbol: "H", probability: 0.3),
        ])
        characters[4] = CharacterAlternatives([
            .init(symbol: "4", probability: 0.6), .init(symbol: "A", probability: 0.3),
        ])
        let results = FormatMatcher(country: "np").match(characters, script: .latin)
        #expect(results.contains { $0.plate.canonical == "BA 1 HA 4085" && $0.format.name == "np-zonal-latin" })
    }

    @Test func `takes nothing away from the plates of India`() {
        #expect(best("KA01HA4085", country: "np")?.format.name == "in")
    }
}
