import Enforcement
import Plates
import Testing

@testable import Recognition

@Suite("A plate that one way of telling its glyphs makes", .timeLimit(.minutes(10)))
struct OneWayTests {
    private static let row = GlyphChain(
        glyphs: (0..<7).map { Box(x: 60 + 30 * $0, y: 30, width: 20, height: 40) }, polarity: .lightOnDark)
    private static let candidate = PlateCandidate(rows: [row], score: 0.8)

    private func reading(_ symbols: [String]) -> RowReading {
        RowReading(
            characters: symbols.enumerated().map { index, symbol in
                let left = Double(60 + 30 * index)
                return RowReading.Character(
                    alternatives: .init([.init(symbol: symbol, probability: 0.95)]), left: left, right: left + 20)
            }, glyphs: symbols.count)
    }

    private let whole = ["बा", "४", "ख", "१", "९", "४", "०"]

    /// What the ways saw of the row, and what they make of it beside a vote that lost the zone.
    private func plate(_ seen: [Binarisation: [String]]) throws -> (compact: String, confidence: Double)? {
        let reader = try PlateReader(models: Places.models, country: nil)
        let model = try #require(reader.devanagari)
        for (way, symbols) in seen {
            reader.looked[.init(row: .init(Self.row, model), way: way)] = reading(symbols)
        }
        let vote = reading(["४", "ख", "१", "९", "४", "०"])
        let found = reader.byOneWay([vote], of: Self.candidate, as: model, nil)
        return found.flatMap { found in found.results.first.map { ($0.plate.compact, found.confidence) } }
    }

    @Test func `is found where the vote of all makes none`() throws {
        let found = try #require(try plate([.global: whole, .dark: ["४", "ख", "१", "९", "४", "०"]]))
        #expect(found.compact == "BA4KHA1940")
    }

    @Test func `is likelier when two ways make it, and never sure`() throws {
        let one = try #require(try plate([.global: whole]))
        let two = try #require(try plate([.global: whole, .bright: whole]))
        #expect(one.confidence < two.confidence)
        #expect(two.confidence <= Places.parameters.cascade.lostEndConfidence)
    }

    @Test func `is none where no way makes one`() throws {
        #expect(try plate([.global: ["४", "ख", "१"], .local: ["०", "०"]]) == nil)
        #expect(try plate([:]) == nil)
    }
}
