/// Whether two readings are of one plate.
enum Resemblance {
    /// How many characters both readings are sure of and yet read differently: the expected number of places that tell two
    /// plates apart.
    ///
    /// A pair counts as much as both are sure of what they read, times how little one holds of the other's symbol. Two sure
    /// readings (0.9) of BA1PA1234 and BA1PA6688 contradict each other in about 3; a sure and a poor one of the
    /// same plate in less than 1. A character that one lacks counts half: edges are cut off often.
    static func contradictions(_ one: PlateReading, _ other: PlateReading) -> Double {
        let left = characters(one)
        let right = characters(other)
        var row = [0.0]
        for character in right { row.append(row[row.count - 1] + character.sureness / 2) }
        for character in left {
            var diagonal = row[0]
            row[0] += character.sureness / 2
            for (column, other) in right.enumerated() {
                let exchanged = diagonal + cost(character, other)
                diagonal = row[column + 1]
                row[column + 1] = min(
                    exchanged, diagonal + character.sureness / 2, row[column] + other.sureness / 2)
            }
        }
        return row[row.count - 1]
    }

    /// Whether the two stand on grounds that no light takes for each other: red and yellow, not black and red.
    static func haveOtherColours(_ one: PlateReading, _ other: PlateReading) -> Bool {
        guard let left = one.colour, let right = other.colour, !left.isUncertain, !right.isUncertain else {
            return false
        }
        return left != right
    }

    /// How many characters differ, as a share of the longer plate; O and 0, I and 1 are the same.
    static func difference(_ one: Plate, _ other: Plate) -> Double {
        let left = LookAlike.folded(one.compact)
        let right = LookAlike.folded(other.compact)
        return Double(editDistance(left, right)) / Double(max(left.count, right.count, 1))
    }

    private struct SureCharacter {
        var alternatives: CharacterAlternatives
        var best: String
        var sureness: Double
    }

    private static func characters(_ reading: PlateReading) -> [SureCharacter] {
        let trust = max(0, min(1, reading.confidence)).squareRoot()
        return reading.votable.map {
            let best = $0.best
            return SureCharacter(
                alternatives: $0, best: LookAlike.folded(best), sureness: trust * min(1, $0.probability(of: best)))
        }
    }

    private static func cost(_ one: SureCharacter, _ other: SureCharacter) -> Double {
        if one.best == other.best { return 0 }
        let shared = max(
            one.alternatives.probability(of: other.alternatives.best),
            other.alternatives.probability(of: one.alternatives.best))
        let likeness: Double
        if let left = one.best.first, let right = other.best.first, one.best.count == 1, other.best.count == 1,
            LookAlike.areAlike(left, right)
        {
            likeness = 0.5
        } else {
            likeness = 1
        }
        return one.sureness * other.sureness * likeness * max(0, 1 - shared)
    }
}

extension PlateReading {
    /// The characters to vote with: those that were read, or the plate's own where a reader gave none.
    var votable: [CharacterAlternatives] {
        guard characters.isEmpty else { return characters }
        return plate.compact.map {
            CharacterAlternatives([.init(symbol: String($0), probability: max(0.05, min(1, confidence)))])
        }
    }

    /// The reading without what no plate has and without values that no file can hold: the tracker's memory is bounded.
    func bounded() -> PlateReading {
        var copy = self
        copy.confidence = confidence.isNaN ? 0 : max(0, min(1, confidence))
        copy.candidates = candidates.prefix(Self.maximumCandidates).map {
            Candidate(plate: $0.plate, confidence: $0.confidence.isFinite ? $0.confidence : 0)
        }
        copy.characters = characters.prefix(24).map { character in
            CharacterAlternatives(
                character.alternatives.prefix(12).map {
                    .init(symbol: $0.symbol, probability: $0.probability.isFinite ? $0.probability : 0)
                })
        }
        return copy
    }
}
