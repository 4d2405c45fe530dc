import Enforcement

/// What was read in one row, glyph by glyph.
package struct RowReading: Sendable, Equatable {
    /// One glyph of the row.
    package struct Character: Sendable, Equatable {
        package var alternatives: CharacterAlternatives

        /// The glyph's edges in the row's crop, in pixels.
        package var left: Double
        package var right: Double

        var center: Double { (left + right) / 2 }
    }

    /// From left to right.
    package var characters: [Character]

    /// How many glyphs stood in the row.
    package var glyphs: Int

    /// How likely the characters are, 0…1: the geometric mean of the best ones.
    package var sureness: Double {
        guard !characters.isEmpty else { return 0 }
        let product = characters.reduce(1.0) { $0 * $1.alternatives.likeliest }
        return geometricMean(product, count: characters.count)
    }

    /// Whether nothing is gained by looking again: a plate's usual length, every glyph read, none in doubt.
    ///
    /// - Parameter expected: how many glyphs the finder saw.
    func isSure(expected: Int) -> Bool {
        characters.count == glyphs && glyphs >= expected && (6...8).contains(glyphs)
            && characters.allSatisfy { $0.alternatives.likeliest >= Self.sure }
    }

    var text: String { characters.map(\.alternatives.best).joined() }

    private static let sure = 0.9

    /// How much was read: characters that are likely add to it, unlikely ones take away.
    private var evidence: Double {
        characters.reduce(0) { $0 + $1.alternatives.presence - Self.doubtful }
    }

    /// A character less likely than this is more likely none.
    private static let doubtful = 0.45
}

extension RowReading {
    /// Gives every symbol that was read to the glyph that it stands on.
    ///
    /// A line reader that wavers between two symbols for one glyph writes both, one behind the other: they become
    /// alternatives of one character. Only a glyph that is wide enough for two keeps them apart.
    init(_ symbols: [TesseractEngine.Symbol], of line: LineImage) {
        let widths = line.glyphs.map(\.width).sorted()
        let usualWidth = Double(max(8, widths[widths.count / 2]))
        var owned = [[TesseractEngine.Symbol]](repeating: [], count: line.glyphs.count)
        for symbol in symbols { owned[Self.nearest(line.glyphs, symbol.center)].append(symbol) }
        characters = []
        for (glyph, symbols) in zip(line.glyphs, owned) where !symbols.isEmpty {
            let left = Double(glyph.x + line.offset)
            let right = Double(glyph.right + line.offset)
            let room = Double(glyph.width) > 1.45 * usualWidth && glyph.width * 10 > glyph.height * 7
            if room {
                let step = (right - left) / Double(symbols.count)
                for (index, symbol) in symbols.enumerated() {
                    let start = left + Double(index) * step
                    characters.append(
                        Character(alternatives: symbol.alternatives, left: start, right: start + step))
                }
            } else {
                characters.append(
                    Character(
                        alternatives: .mean(symbols.map { (1, $0.alternatives) }), left: left, right: right))
            }
        }
        glyphs = line.glyphs.count
    }

    private static func nearest(_ glyphs: [Box], _ x: Double) -> Int {
        var best = (index: 0, distance: Double.infinity)
        for (index, glyph) in glyphs.enumerated() {
            let distance = max(Double(glyph.x) - x, x - Double(glyph.right), 0)
            if distance < best.distance { best = (index, distance) }
        }
        return best.index
    }

    /// The readings of one row, voted character by character.
    ///
    /// The reading that says most is the skeleton: a binarisation that lost glyphs can't outvote one that kept them. The
    /// others vote at its places, and add what two of them saw surely where it saw nothing.
    static func voted(_ readings: [RowReading]) -> RowReading {
        let sorted = readings.sorted { $0.evidence > $1.evidence }
        guard let skeleton = sorted.first else { return RowReading(characters: [], glyphs: 0) }
        var places = skeleton.characters.map { Place(character: $0, weight: skeleton.weight) }
        let first = places.count
        for reading in sorted.dropFirst() {
            for character in reading.characters {
                if let index = places.firstIndex(where: { $0.isUnder(character) }) {
                    places[index].votes.append((reading.weight, character.alternatives))
                } else {
                    places.append(Place(character: character, weight: reading.weight))
                }
            }
        }
        let kept = places.enumerated().filter { index, place in
            let mean = CharacterAlternatives.mean(place.votes)
            // What just one of several readings saw is a glyph only when it was sure what it saw.
            if place.votes.count == 1, readings.count > 1 { return index < first && mean.likeliest >= 0.85 }
            return index < first ? mean.presence >= doubtful : mean.likeliest >= 0.8
        }.map(\.element).sorted { $0.left < $1.left }
        return RowReading(
            characters: kept.map { place in
                Character(alternatives: .mean(place.votes), left: place.left, right: place.right)
            }, glyphs: max(kept.count, skeleton.glyphs - (first - kept.count)))
    }

    /// A place in the row where at least one reading saw a character.
    private struct Place {
        var left: Double
        var right: Double
        var votes: [(weight: Double, alternatives: CharacterAlternatives)]

        init(character: Character, weight: Double) {
            left = character.left
            right = character.right
            votes = [(weight, character.alternatives)]
        }

        func isUnder(_ character: Character) -> Bool {
            let common = min(right, character.right) - max(left, character.left)
            return common > 0.5 * min(right - left, character.right - character.left)
        }
    }

    /// How much this reading counts in a vote: sure ones, whose characters are as many as the glyphs, count most.
    private var weight: Double {
        let agreement = 1 - 0.2 * Double(min(4, abs(glyphs - characters.count)))
        return max(0.001, sureness * sureness * agreement)
    }
}

extension CharacterAlternatives {
    /// The probability of the likeliest.
    var likeliest: Double { alternatives.first?.probability ?? 0 }

    /// How likely it is that there is a character at all: two that are taken for each other are one for certain.
    var presence: Double { min(1, alternatives.reduce(0) { $0 + $1.probability }) }

    /// The weighted mean of several opinions about one character.
    static func mean(_ opinions: [(weight: Double, alternatives: CharacterAlternatives)]) -> CharacterAlternatives {
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
