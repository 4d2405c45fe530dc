import Foundation

/// Votes several readings of one plate into one, column by column.
///
/// The readings of the commonest length set the columns; readings that are a character longer or shorter are aligned to
/// them. Each column then takes the symbols that the readings together find likeliest.
package enum CharacterVote {
    /// What one reading says.
    package struct Ballot {
        package var characters: [CharacterAlternatives]

        /// How likely the reading is right as a whole, 0…1.
        package var confidence: Double

        package init(characters: [CharacterAlternatives], confidence: Double) {
            self.characters = characters
            self.confidence = confidence
        }

        fileprivate var weight: Double { CharacterVote.weight(confidence: confidence) }
    }

    /// How much a reading counts beside others: a sure one (0.9) nine times a poor one (0.3).
    package static func weight(confidence: Double) -> Double { confidence * confidence }

    /// The least probability that one reading can give a symbol: one frame alone rules nothing out.
    private static let floor = 0.01

    /// What each character of the plate may be by all readings together; empty without readings.
    package static func columns(_ ballots: [Ballot]) -> [CharacterAlternatives] {
        let length = commonestLength(ballots)
        let template = ballots.filter { $0.characters.count == length }
        guard let first = template.max(by: { $0.confidence < $1.confidence }) else { return [] }
        var sums = [[String: Double]](repeating: [:], count: length)
        var weights = [Double](repeating: 0, count: length)
        var counts = [Int](repeating: 0, count: length)
        var presences = [Double](repeating: 0, count: length)
        let aligned = ballots.map {
            ($0.characters, $0.weight, CharacterAlignment.columns(of: $0.characters, along: first.characters))
        }
        for column in 0..<length {
            // Sorted, so that sums of fractions come out the same in every run.
            let symbols = Set(
                aligned.flatMap { characters, _, places in
                    places[column].map { characters[$0].alternatives.map(\.symbol) } ?? []
                }
            ).sorted()
            for (characters, weight, places) in aligned {
                guard let place = places[column] else { continue }
                weights[column] += weight
                counts[column] += 1
                presences[column] += weight * characters[place].presence
                for symbol in symbols {
                    let probability = max(Self.floor, characters[place].probability(of: symbol))
                    sums[column][symbol, default: 0] += weight * log(probability)
                }
            }
        }
        return sums.indices.map {
            normalised(sums[$0], weight: weights[$0], count: counts[$0], presence: presences[$0])
        }
    }

    /// - Parameter presence: the weighted sum of how likely it was in each reading that a character is there at all: readings
    ///   that agree on a smudge don't make it legible.
    private static func normalised(
        _ sums: [String: Double], weight: Double, count: Int, presence: Double
    ) -> CharacterAlternatives {
        // Without a weight, what comes out is no number, and is left out.
        let powers = sums.mapValues { exp($0 / weight * Double(count).squareRoot()) }
        let total = powers.values.sorted().reduce(0, +)
        return CharacterAlternatives(
            powers.map { .init(symbol: $0.key, probability: presence / weight * $0.value / total) }
                .filter { $0.probability > 0.001 })
    }

    private static func commonestLength(_ ballots: [Ballot]) -> Int {
        var weights: [Int: Double] = [:]
        for ballot in ballots { weights[ballot.characters.count, default: 0] += ballot.weight }
        return weights.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
    }
}
