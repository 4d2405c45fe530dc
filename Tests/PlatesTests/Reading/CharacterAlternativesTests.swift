import Testing

@testable import Plates

@Suite("What a character may be", .timeLimit(.minutes(10)))
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

    @Test func `is scaled to 1 where it sums to more`() {
        let alternatives = CharacterAlternatives(scaled: ["A": 1.5, "4": 0.5])
        #expect(alternatives.probability(of: "A") == 0.75 && alternatives.probability(of: "4") == 0.25)
    }

    private func character(_ alternatives: KeyValuePairs<String, Double>) -> CharacterAlternatives {
        CharacterAlternatives(alternatives.map { .init(symbol: $0.key, probability: $0.value) })
    }

    @Test func `stands the likeliest first, equal ones by their symbol, and nothing that is no number before them`() {
        let found = character(["C": 0.2, "A": 0.2, "X": .nan, "B": 0.5])
        #expect(found.alternatives.map(\.symbol) == ["B", "A", "C", "X"])
        #expect(found.probability(of: "X") == 0 && found.probability(of: "Z") == 0)
        #expect(found.likeliest == 0.5 && found.best == "B")
        #expect(character([:]).likeliest == 0 && character([:]).best == "")
    }

    @Test func `is there as likely as all of its symbols together, and never more than for certain`() {
        #expect(abs(character(["A": 0.2, "B": 0.3]).presence - 0.5) < 1e-9)
        #expect(character(["A": 0.8, "B": 0.8]).presence == 1)
        #expect(character([:]).presence == 0)
    }

    @Test func `is the weighted mean of several opinions`() {
        let one = character(["A": 0.8])
        let other = character(["A": 0.4, "B": 0.4])
        let mean = CharacterAlternatives.mean([(1, one), (3, other)])
        #expect(abs(mean.probability(of: "A") - 0.5) < 1e-9 && abs(mean.probability(of: "B") - 0.3) < 1e-9)
        // The weights are of any size: what counts is one beside another.
        let light = CharacterAlternatives.mean([(0.125, one), (0.375, other)])
        #expect(abs(light.probability(of: "A") - 0.5) < 1e-9 && abs(light.probability(of: "B") - 0.3) < 1e-9)
        #expect(CharacterAlternatives.mean([(0, one)]) == one)
        #expect(CharacterAlternatives.mean([(0, one), (0, other)]).alternatives.isEmpty)
    }

    @Test func `takes a root of as many factors as there are, and none of nothing`() {
        #expect(geometricMean(0.25, count: 2) == 0.5)
        #expect(geometricMean(-0.25, count: 2) == 0)
        #expect(geometricMean(1, count: 0) == 0 && geometricMean(0.5, count: 1) == 0.5)
    }
}
