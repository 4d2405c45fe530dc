/// What one character of a plate may be.
package struct CharacterAlternatives: Sendable, Equatable, Codable {
    package struct Alternative: Sendable, Equatable, Codable {
        /// One symbol: a Latin letter, a digit, or a Devanagari syllable.
        package var symbol: String

        /// 0…1; the alternatives of a character sum to at most 1.
        package var probability: Double

        package init(symbol: String, probability: Double) {
            self.symbol = symbol
            self.probability = probability
        }
    }

    /// The likeliest first.
    package var alternatives: [Alternative]

    package init(_ alternatives: [Alternative]) {
        // No number counts as zero, and equal ones stand in a fixed order: the same reading must always vote the same.
        self.alternatives =
            alternatives
            .map { Alternative(symbol: $0.symbol, probability: $0.probability.isNaN ? 0 : $0.probability) }
            .sorted { ($0.probability, $1.symbol) > ($1.probability, $0.symbol) }
    }

    /// What a reader gave to each symbol, scaled where it sums to more than 1.
    package init(scaled found: [String: Double]) {
        // In a fixed order: the last bit of a sum depends on it, and on that which of two equal readings is first.
        let sum = max(1, found.values.sorted().reduce(0, +))
        self.init(found.map { Alternative(symbol: $0.key, probability: $0.value / sum) })
    }

    /// The probability that it is `symbol`; zero when the reader never thought of it.
    package func probability(of symbol: String) -> Double {
        alternatives.first { $0.symbol == symbol }?.probability ?? 0
    }

    package var best: String { alternatives.first?.symbol ?? "" }
}

extension CharacterAlternatives {
    /// The probability of the likeliest.
    package var likeliest: Double { alternatives.first?.probability ?? 0 }

    /// How likely it is that there is a character at all: two that are taken for each other are one for certain.
    package var presence: Double { min(1, alternatives.reduce(0) { $0 + $1.probability }) }

    /// The weighted mean of several opinions about one character.
    package static func mean(
        _ opinions: [(weight: Double, alternatives: CharacterAlternatives)]
    ) -> CharacterAlternatives {
        if opinions.count == 1 { return opinions[0].alternatives }
        let total = opinions.reduce(0) { $0 + $1.weight }
        guard total > 0 else { return CharacterAlternatives([]) }
        var sums: [String: Double] = [:]
        for (weight, alternatives) in opinions {
            for alternative in alternatives.alternatives {
                sums[alternative.symbol, default: 0] += weight * alternative.probability / total
            }
        }
        return CharacterAlternatives(sums.map { .init(symbol: $0.key, probability: $0.value) })
    }
}
