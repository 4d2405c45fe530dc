import Enforcement
import Plates

/// What was read in one row, glyph by glyph.
package struct RowReading: Sendable, Equatable {
    /// One glyph of the row.
    package struct Character: Sendable, Equatable {
        package var alternatives: CharacterAlternatives

        /// The glyph's edges in the row's crop, in pixels.
        package var left: Double
        package var right: Double

        /// Whether it stands beyond the glyphs that the finder saw: a piece of the frame, a seal, or a glyph that it missed.
        package var isBeyond = false

        var center: Double { (left + right) / 2 }
    }

    /// From left to right.
    package var characters: [Character]

    /// How many glyphs stood in the row.
    package var glyphs: Int

    /// How many the finder saw.
    var expected = 0

    /// How much it counts beside the row read whole.
    var share = 1.0

    /// Whether a glyph is as wide as two and was read as one: two that touch, perhaps.
    var hasWideGlyph = false

    /// How likely the characters are, 0…1: the geometric mean of the best ones.
    package var sureness: Double {
        guard !characters.isEmpty else { return 0 }
        let product = characters.reduce(1.0) { $0 * $1.alternatives.likeliest }
        return geometricMean(product, count: characters.count)
    }

    /// Notes what the finder saw of the row.
    ///
    /// - Parameter shown: the glyphs that stand on the plate, as far as its place is known.
    mutating func note(_ crop: RowCrop, expected: Int, shown: Range<Int>) {
        self.expected = expected
        let seen = crop.columns[shown.clamped(to: crop.columns.indices)]
        guard let first = seen.first?.lowerBound, let last = seen.last?.upperBound else { return }
        for index in characters.indices {
            let middle = Int(characters[index].center)
            characters[index].isBeyond = middle < first || middle > last
        }
    }

    /// Whether nothing is gained by looking again: a plate's usual length, every glyph read, none in doubt.
    ///
    /// - Parameter expected: how many glyphs the finder saw.
    func isSure(expected: Int, _ limits: ReaderParameters.Rows) -> Bool {
        !hasWideGlyph && characters.count == glyphs && glyphs >= expected && Self.usualLength.contains(glyphs)
            && characters.allSatisfy { $0.alternatives.likeliest >= limits.sureCharacter }
    }

    /// How many characters most plates have that stand in one row.
    static let usualLength = 6...8

    /// Whether it is more than one row of a plate in two: five characters and more.
    var isLong: Bool { characters.count >= PlateReader.longRow }

    /// Whether a short row, one of a plate's two, was read glyph by glyph as the finder saw it, and clearly.
    func isWholeAndClear(expected: Int, _ limits: ReaderParameters.Rows) -> Bool {
        // Two glyphs are texture as often as they are a row.
        characters.count == glyphs && glyphs == expected && glyphs >= 3 && sureness >= limits.sureCharacter
    }

    /// How well the row's glyphs were told apart: twice as well where each was read and none that the finder saw is missing.
    func worth(expected: Int) -> Double {
        sureness * (characters.count == glyphs && glyphs >= expected ? 2 : 1)
    }

    /// Whether another reading of the row surely saw something else.
    func contradicts(_ other: RowReading, _ limits: ReaderParameters.Rows) -> Bool {
        guard characters.count == other.characters.count else {
            return characters.count > other.characters.count ? sureness > limits.contradictingSureness : false
        }
        return zip(characters, other.characters).contains {
            $0.alternatives.best != $1.alternatives.best && $0.alternatives.likeliest > limits.contradictingCharacter
        }
    }

    var text: String { characters.map(\.alternatives.best).joined() }

    /// How much was read: characters that are likely add to it, unlikely ones take away.
    private func evidence(_ limits: ReaderParameters.Rows) -> Double {
        characters.reduce(0) { $0 + $1.alternatives.presence - limits.doubtfulCharacter }
    }
}

extension RowReading {
    /// Gives every symbol that was read to the glyph that it stands on.
    ///
    /// A line reader that wavers between two symbols for one glyph writes both, one behind the other: they become
    /// alternatives of one character. Only a glyph that is wide enough for two keeps them apart.
    init(_ symbols: [TesseractEngine.Symbol], of line: LineImage) {
        let widths = line.glyphs.map(\.width).sorted()
        // Bars alone (1, I) would make every other glyph a wide one.
        let usualWidth = Double(max(Self.leastWidth, widths[widths.count / 2]))
        var owned = [[TesseractEngine.Symbol]](repeating: [], count: line.glyphs.count)
        for (symbol, glyph) in zip(symbols, Self.owners(of: symbols, among: line.glyphs, usualWidth: usualWidth)) {
            owned[glyph].append(symbol)
        }
        characters = []
        for (glyph, symbols) in zip(line.glyphs, owned) where !symbols.isEmpty {
            let left = Double(glyph.x + line.offset)
            let right = Double(glyph.right + line.offset)
            let room = Double(glyph.width) > Self.roomForTwo * usualWidth && glyph.width * 10 > glyph.height * 7
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
            if symbols.count == 1, Double(glyph.width) > Self.wide * usualWidth, symbols[0].best.utf8.count == 1,
                !"MWQ".contains(symbols[0].best)
            {
                hasWideGlyph = true
            }
        }
        glyphs = zip(line.glyphs, owned).count { glyph, symbols in !symbols.isEmpty || line.isWhole(glyph) }
    }

    /// The least usual width of a row's glyphs, in pixels of the line.
    private static let leastWidth = 8

    /// A glyph this many times as wide as usual, and more than seven tenths as wide as it is high, has room for two characters, …
    private static let roomForTwo = 1.45

    /// … and one this many times as wide, read as one, is in doubt, unless the letter is a wide one (M, W, Q).
    private static let wide = 1.6

    // What it costs to lay symbols along glyphs, in usual glyph widths by which a symbol stands beside its glyph: off the glyph's middle, …
    private static let offMiddleCost = 0.2
    /// … as the second symbol on a glyph with room for two, …
    private static let secondOnWideCost = 0.1
    /// … and on one without: nearly a glyph's width, so that a neighbour without a symbol is taken first.
    private static let secondCost = 0.8

    /// For every symbol the glyph that it stands on: the cheapest way to lay the symbols along the glyphs in their order.
    ///
    /// A symbol's place is right to some pixels only. So distance costs little, a second symbol on a narrow glyph more.
    private static func owners(
        of symbols: [TesseractEngine.Symbol], among glyphs: [Box], usualWidth: Double
    ) -> [Int] {
        guard !symbols.isEmpty else { return [] }
        // costs[i][g]: symbols 0...i are placed, the last of them on glyph g.
        var costs = [[Double]](repeating: [Double](repeating: .infinity, count: glyphs.count), count: symbols.count)
        var former = [[Int]](repeating: [Int](repeating: 0, count: glyphs.count), count: symbols.count)
        for (index, symbol) in symbols.enumerated() {
            for (place, glyph) in glyphs.enumerated() {
                let away = max(Double(glyph.x) - symbol.center, symbol.center - Double(glyph.right), 0)
                let own = away / usualWidth + offMiddleCost * abs(glyph.centerX - symbol.center) / usualWidth
                guard index > 0 else {
                    costs[0][place] = own
                    continue
                }
                for earlier in 0...place {
                    let isShared = earlier == place
                    let isWide = Double(glyph.width) > roomForTwo * usualWidth
                    let cost =
                        costs[index - 1][earlier] + own + (isShared ? (isWide ? secondOnWideCost : secondCost) : 0)
                    if cost < costs[index][place] {
                        costs[index][place] = cost
                        former[index][place] = earlier
                    }
                }
            }
        }
        var place = glyphs.indices.min { costs[symbols.count - 1][$0] < costs[symbols.count - 1][$1] } ?? 0
        var owners = [Int](repeating: 0, count: symbols.count)
        for index in symbols.indices.reversed() {
            owners[index] = place
            place = former[index][place]
        }
        return owners
    }

    /// The readings of one row, voted character by character.
    ///
    /// The reading that says most, of those as long as most, is the skeleton. The others vote at its places, and add what
    /// two of them saw surely where it saw nothing.
    static func voted(_ readings: [RowReading], _ limits: ReaderParameters.Rows) -> RowReading {
        if let agreed = agreed(readings) { return agreed }
        let count = commonestCount(readings)
        let sorted = readings.sorted {
            let (first, second) = ($0.characters.count == count, $1.characters.count == count)
            return first == second ? $0.evidence(limits) > $1.evidence(limits) : first
        }
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
            if place.votes.count == 1, readings.count > 1 {
                return index < first && mean.likeliest >= limits.loneCharacter
            }
            return index < first ? mean.presence >= limits.doubtfulCharacter : mean.likeliest >= limits.addedCharacter
        }.map(\.element).sorted { $0.left < $1.left }
        return RowReading(
            characters: kept.map { place in
                Character(
                    alternatives: .mean(place.votes), left: place.left, right: place.right, isBeyond: place.isBeyond)
            }, glyphs: max(kept.count, skeleton.glyphs - (first - kept.count)))
    }

    /// How many characters most of the readings have, by their weights; one that lost glyphs which the finder saw, or the
    /// longest reading where it isn't known what the finder saw, weighs less.
    private static func commonestCount(_ readings: [RowReading]) -> Int {
        let most = Double(readings.map(\.characters.count).max() ?? 0)
        var weights: [Int: Double] = [:]
        for reading in readings where !reading.characters.isEmpty {
            let whole = reading.expected > 0 ? Double(reading.expected) : most
            let share = min(1, Double(reading.characters.count) / whole)
            weights[reading.characters.count, default: 0] += reading.weight * share * share
        }
        return weights.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
    }

    /// Readings of so few characters agree by chance.
    private static let texture = 2

    /// The vote of the readings that say the same, when two or more do and all the others together weigh less.
    private static func agreed(_ readings: [RowReading]) -> RowReading? {
        let groups = Dictionary(grouping: readings.filter { $0.characters.count > Self.texture }, by: \.text)
        let weights = groups.mapValues { group in group.reduce(0) { $0 + $1.weight } }
        guard let text = weights.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key, let group = groups[text],
            group.count > 1, let first = group.max(by: { $0.weight < $1.weight }),
            first.characters.count >= first.expected || group.count > 2,
            2 * weights[text, default: 0] >= readings.reduce(0, { $0 + $1.weight })
        else { return nil }
        var result = first
        for index in first.characters.indices {
            result.characters[index].alternatives = .mean(
                group.map { ($0.weight, $0.characters[index].alternatives) })
        }
        // What several saw alike is read, whatever else stands beside it.
        result.glyphs = group.map(\.glyphs).min() ?? first.glyphs
        return result
    }

    /// A place in the row where at least one reading saw a character.
    private struct Place {
        var left: Double
        var right: Double
        var isBeyond: Bool
        var votes: [(weight: Double, alternatives: CharacterAlternatives)]

        init(character: Character, weight: Double) {
            left = character.left
            right = character.right
            isBeyond = character.isBeyond
            votes = [(weight, character.alternatives)]
        }

        func isUnder(_ character: Character) -> Bool {
            let common = min(right, character.right) - max(left, character.left)
            // Half of the narrower one: neighbours touch, and don't overlap.
            return common > 0.5 * min(right - left, character.right - character.left)
        }
    }

    /// Each glyph too few or too many, up to four, takes this part of a reading's weight.
    private static let costOfGlyph = 0.2

    /// How much this reading counts in a vote: sure ones, whose characters are as many as the glyphs, count most.
    private var weight: Double {
        let missing = max(0, max(glyphs, expected) - characters.count)
        let spare = max(0, characters.count - max(glyphs, expected))
        let agreement = 1 - Self.costOfGlyph * Double(min(4, missing + spare))
        // No reading is worth nothing: the mean of several would have no weight to divide by.
        return max(0.001, sureness * sureness * agreement * share)
    }
}
