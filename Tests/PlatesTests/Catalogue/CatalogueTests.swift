import Testing

@testable import Plates

@Suite("Every plate format", .timeLimit(.minutes(5)))
struct CatalogueTests {
    private static let examples = PlateFormat.all.flatMap { format in format.examples.map { (format, $0) } }

    @Test func `has a name of its own, a weight and slots`() {
        #expect(Set(PlateFormat.all.map(\.name)).count == PlateFormat.all.count)
        for format in PlateFormat.all {
            #expect((0...1).contains(format.weight), "\(format.name)")
            #expect(!format.slots.isEmpty && format.slots.allSatisfy { $0.count.lowerBound >= 1 }, "\(format.name)")
        }
    }

    @Test func `of a covered country shows examples, and has a number on each plate`() {
        for format in PlateFormat.covered {
            #expect(!format.examples.isEmpty, "\(format.name)")
            #expect(format.slots.contains { $0.symbols == .digits }, "\(format.name)")
            #expect(format.lengthsWithoutDigit == nil, "\(format.name)")
        }
    }

    @Test(arguments: examples)
    func `understands its examples as they are painted`(format: PlateFormat, example: PlateFormat.Example) throws {
        let plate = try #require(PlateNormalizer.normalize(example.painted))
        #expect(plate.canonical == example.canonical)
        #expect(try PlateNormalizer.plate(typed: example.painted) == plate)
        if format.country != nil { #expect(format.canonical(compactLatin: plate.compact) == example.canonical) }
        #expect(Plate(told: plate.compact)?.compact == plate.compact)
    }

    @Test(arguments: examples)
    func `is found in the characters of its examples`(format: PlateFormat, example: PlateFormat.Example) throws {
        let plate = Plate(canonical: example.canonical)
        let painted = try #require(PlateSpelling.painted(plate, raw: example.painted.filter { !"-. ".contains($0) }))
        let matcher = FormatMatcher(country: format.country?.code)
        let read = matcher.withoutHeadings(symbols(of: painted, in: format), script: format.script)
        let best = try #require(matcher.match(read, script: format.script, colour: example.ground).first)
        #expect(best.plate.canonical == example.canonical)
        #expect(best.format.name == format.name)
    }

    @Test(arguments: examples)
    func `tells the vehicle and the ground of its examples`(format: PlateFormat, example: PlateFormat.Example) {
        let plate = Plate(canonical: example.canonical)
        #expect(VehicleType(format: format, plate: plate) == example.type)
        #expect(VehicleType.guess(of: plate, format: format.name) == example.type ?? .car)
        guard let ground = example.ground else { return }
        #expect(ground.agrees(with: plate, format: format) == true)
    }

    /// The server's rule for a plate in an SMS, which is the strictest of all: 2 to 16 Latin capitals and digits.
    @Test(arguments: examples)
    func `comes through an SMS`(format: PlateFormat, example: PlateFormat.Example) {
        let compact = Plate(canonical: example.canonical).compact
        #expect((2...PlateNormalizer.maximumCompactLength).contains(compact.count), "\(format.name)")
        #expect(compact.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) }, "\(format.name)")
    }

    @Test func `of one covered country is usual there, and beside its neighbours' only`() {
        func usual(in country: String?) -> Set<String> {
            Set(PlateFormat.all.filter { $0.isUsual(in: country) }.map(\.name))
        }
        let nepal: Set = ["np-zonal", "np-zonal-latin", "np-provincial", "np-embossed"]
        let india = Set(([.india] + PlateFormat.indiaSpecial).map(\.name))
        #expect(usual(in: "np") == nepal.union(india))
        #expect(usual(in: "in").isSuperset(of: nepal.union(india)))
        #expect(!usual(in: "in").contains("latin") && !usual(in: "in").contains("de"))
        #expect(usual(in: "de").count == PlateFormat.all.count)
        #expect(usual(in: nil).count == PlateFormat.all.count)
    }

    /// What a sure reader sees: words and syllables of Devanagari as one symbol each, everything else character by character.
    private func symbols(of painted: String, in format: PlateFormat) -> [CharacterAlternatives] {
        var rest = Substring(painted)
        var symbols: [String] = []
        let words = (format.heading.map { $0.words + $0.names.keys } ?? []).sorted { $0.count > $1.count }
        while let first = rest.first {
            let symbol = words.first { rest.hasPrefix($0) } ?? String(first)
            symbols.append(symbol)
            rest = rest.dropFirst(symbol.count)
        }
        return symbols.map { CharacterAlternatives([.init(symbol: $0, probability: 0.95)]) }
    }
}
