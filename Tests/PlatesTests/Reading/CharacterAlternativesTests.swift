import Testing

@testable import Plates

@Suite("What a character may be", .timeLimit(.minutes(2)))
struct CharacterAlternativesTests {
    @Test func `is the same to the last bit, in whatever order a reader names it`() {
        let symbols = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789".map(String.init)
        let found = symbols.enumerated().map { ($1, 0.1 + Double($0) / 7.3) }
        // A dictionary's order follows from the room that it has.
        let results = [1, 40, 100, 1000, 10_000].map { room in
            var dictionary: [String: Double] = [:]
            dictionary.reserveCapacity(room)
            for (symbol, probability) in found { dictionary[symbol] = probability }
            return CharacterAlternatives(scaled: dictionary)
        }
        #expect(Set(results.map { $0.alternatives.map { "\($0.symbol) \($0.probability)" } }).count == 1)
        #expect(abs((results.first?.presence ?? 0) - 1) < 1e-9)
    }

    @Test func `keeps what sums to less than 1`() {
        let alternatives = CharacterAlternatives(scaled: ["A": 0.5, "4": 0.25])
        #expect(alternatives.probability(of: "A") == 0.5 && alternatives.probability(of: "4") == 0.25)
    }
}
