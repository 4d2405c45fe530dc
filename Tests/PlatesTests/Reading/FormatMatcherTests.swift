import Testing

@testable import Plates

@Suite("A format matcher", .timeLimit(.minutes(5)))
struct FormatMatcherTests {
    private func best(
        _ symbols: [String], _ script: PlateFormat.Script = .latin, country: String? = nil, sureness: Double = 0.95
    ) -> FormatMatcher.Result? {
        FormatMatcher(country: country).match(
            symbols.map { CharacterAlternatives([.init(symbol: $0, probability: sureness)]) }, script: script
        ).first
    }

    private func latin(_ text: String, country: String? = nil) -> FormatMatcher.Result? {
        best(text.map { String($0) }, country: country)
    }

    @Test(arguments: [
        (["बा", "१", "च", "१", "२", "३", "४"], "BA 1 CHA 1234", "np-zonal"),
        (["भे", "१", "२", "पा", "७"], "BHE 12 PA 7", "np-zonal"),
        (["सा", "3", "फ", "7", "7", "8"], "SA 3 PHA 778", "np-zonal"),
        (["३", "०", "२", "०", "१", "३", "प", "७", "१", "७", "३"], "P3 02 013 PA 7173", "np-provincial"),
    ])
    func `reads the formats of Devanagari plates`(symbols: [String], canonical: String, format: String) throws {
        let result = try #require(best(symbols, .devanagari))
        #expect(result.plate.canonical == canonical)
        #expect(result.format.name == format)
    }

    @Test(arguments: [
        ("BAC5763", "B AC 5763", "np-embossed"), ("KXY7", "K XY 7", "np-embossed"),
        ("UP32AB1234", "UP 32 AB 1234", "in"), ("DL3CAM0857", "DL 3 CAM 0857", "in"),
        ("RK019AF", "RK 019 AF", "eu AA 000 AA"), ("7X1Y2W", "7 X 1 Y 2 W", "latin"),
    ])
    func `reads the formats of Latin plates`(text: String, canonical: String, format: String) throws {
        let result = try #require(latin(text))
        #expect(result.plate.canonical == canonical)
        #expect(result.format.name == format)
    }

    @Test(arguments: [
        ("UP32A81234", "UP 32 AB 1234"), ("UPI2AB1O34", "UP 12 AB 1034"),
        ("UP32AB12I4", "UP 32 AB 1214"), ("0D32AB1234", "OD 32 AB 1234"),
    ])
    func `settles what looks alike by the place it stands in`(text: String, canonical: String) {
        #expect(latin(text)?.plate.canonical == canonical)
    }

    @Test(arguments: [
        ("K5", PlateFormat.Script.latin), ("", .latin), ("VWXY", .latin), ("ABCDEFGHJKL", .latin),
        // No digit was read as one: A8CD and KWI0 would be bent out of words.
        ("ABCD", .latin), ("KWID", .latin), ("SOBA", .latin),
    ])
    func `finds no plate in too little, too much or a word`(text: String, script: PlateFormat.Script) {
        #expect(best(text.map { String($0) }, script) == nil)
    }

    @Test func `invents no syllable that was not read`() {
        #expect(best(["बा", "१", "", "१", "२"], .devanagari) == nil)
        #expect(best(["अ", "१", "च", "१", "२"], .devanagari) == nil)
        #expect(best(["८", "०", "२", "०", "१", "३", "प", "७"], .devanagari) == nil)
    }

    @Test(arguments: ["ZZ32AB1234", "LX9EFG", "HWY4821"])
    func `keeps a foreign plate as it was read, wherever the post stands`(text: String) {
        #expect(latin(text, country: "np")?.plate.compact == latin(text)?.plate.compact)
    }

    @Test func `leans to the country's own formats where both fit`() throws {
        let abroad = try #require(latin("BAC5763"))
        let home = try #require(latin("BAC5763", country: "np"))
        #expect(home.plate == abroad.plate)
        #expect(home.score > abroad.score)
        #expect(home.support == abroad.support)
    }

    @Test func `takes a name for no plate where every plate has a number`() throws {
        #expect(latin("GLACIER")?.plate.canonical == "GLACIER", "a driver's choice abroad")
        #expect(latin("GLACIER", country: "np") == nil)
        #expect(latin("GLACIER", country: "in") == nil)
        #expect(latin("GLACIER7", country: "np") != nil, "the country never blinds to a foreign plate with a number")
    }

    @Test func `is surer the surer its characters are`() throws {
        let poor = try #require(best("BAC5763".map { String($0) }, sureness: 0.5))
        let good = try #require(best("BAC5763".map { String($0) }, sureness: 0.9))
        #expect(abs(poor.support - 0.5) < 1e-9)
        #expect(good.support > poor.support)
    }

    @Test func `exchanges a character for the three next likely ones and no others`() {
        var characters = "UP32AB1234".map { CharacterAlternatives([.init(symbol: String($0), probability: 0.95)]) }
        characters[9] = CharacterAlternatives(
            zip(["4", "3", "9", "7", "6"], [0.5, 0.2, 0.15, 0.1, 0.05]).map { .init(symbol: $0, probability: $1) })
        let results = FormatMatcher(formats: [.india]).match(characters, script: .latin)
        #expect(results.prefix(4).map { $0.plate.compact.last } == ["4", "3", "9", "7"])
        #expect(results.prefix(4).map(\.weakest) == [0.5, 0.2, 0.15, 0.1])
        #expect(!results.contains { $0.plate.compact.last == "6" })
    }

    @Test func `offers the runners-up, best first, each once, ten at most`() {
        let characters = "UP32AB1234".map { character in
            CharacterAlternatives([
                .init(symbol: String(character), probability: 0.6), .init(symbol: "8", probability: 0.2),
                .init(symbol: "K", probability: 0.1),
            ])
        }
        let results = FormatMatcher().match(characters, script: .latin)
        #expect(results.count == 10)
        #expect(results.map(\.score) == results.map(\.score).sorted(by: >))
        #expect(Set(results.map(\.plate)).count == results.count)
        #expect(results.first?.plate.canonical == "UP 32 AB 1234")
    }
}
