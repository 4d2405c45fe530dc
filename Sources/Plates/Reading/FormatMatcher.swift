import Foundation

/// Turns what every character may be into the likeliest legal plates.
///
/// Every format that takes as many symbols as were read is laid over them. A slot takes the likeliest symbol that may
/// stand there: one that the reader named, or one that looks the same (a slot for a digit takes the O that was read as 0).
/// A plate that the reader gave no reason for gets next to no weight: nothing is invented.
package struct FormatMatcher: Sendable {
    package let formats: [PlateFormat]

    /// The country whose formats are likelier here; it weighs and never blinds.
    package let country: String?

    /// Whether every plate of the country has a number: what has none is a name on a signboard there.
    private let isNumbered: Bool

    /// How many plates `match` names at most.
    package static let maximumResults = 10

    package init(formats: [PlateFormat] = PlateFormat.all, country: String? = nil) {
        self.formats = formats
        self.country = country
        isNumbered = country.map(PlateCountry.isCovered) ?? false
    }

    /// The characters as the formats of a script want them, without the words of a heading.
    package func withoutHeadings(
        _ characters: [CharacterAlternatives], script: PlateFormat.Script
    ) -> [CharacterAlternatives] {
        formats.reduce(characters) { characters, format in
            guard format.script == script, let heading = format.heading else { return characters }
            return heading.removed(from: characters)
        }
    }

    package struct Result: Sendable, Equatable {
        package var plate: Plate
        package var format: PlateFormat

        /// How well the characters carry it, 0…1: the geometric mean of their probabilities.
        package var support: Double

        /// How likely the least likely of its characters is: what a format put in the place of something else has next to nothing.
        package var weakest: Double

        /// `support` with the prior of its format as one more factor: what results are ranked by.
        package var score: Double
    }

    /// How likely four letters in a row and a digit beside them are a plate of no known format, and not a slogan: plates part
    /// letters and digits sooner.
    private static let wordOdds = 0.3

    private static func hasWord(_ canonical: String) -> Bool {
        canonical.split(separator: " ").contains { $0.count > 3 && $0.allSatisfy(\.isLetter) }
    }

    /// What a slot may take: its probability is that of the symbol that was read, times how alike the two look.
    struct Option {
        var symbol: String
        var probability: Double
        var likeness: Double
    }

    /// The likeliest plates, the best first.
    ///
    /// - Parameter colour: the plate's ground, where it was seen: a plate that doesn't stand on such a ground is less likely.
    package func match(
        _ characters: [CharacterAlternatives], script: PlateFormat.Script, colour: PlateColour? = nil
    ) -> [Result] {
        var best: [String: Result] = [:]
        for format in formats where format.script == script && format.lengths.contains(characters.count) {
            for layout in format.layouts(length: characters.count) {
                for var result in results(characters, format, layout) {
                    let odds = PlateColour.odds(of: colour, with: result.plate, format: format)
                    result.score *= geometricMean(odds, count: characters.count)
                    if result.score > best[result.plate.compact]?.score ?? 0 { best[result.plate.compact] = result }
                }
            }
        }
        return best.values.sorted { ($0.score, $1.plate.compact) > ($1.score, $0.plate.compact) }
            .prefix(Self.maximumResults).map { $0 }
    }

    private func results(
        _ characters: [CharacterAlternatives], _ format: PlateFormat, _ layout: [Int]
    ) -> [Result] {
        var choices: [[Option]] = []
        for (character, slot) in zip(characters, layout) {
            let options = options(character, format.slots[slot].symbols)
            guard !options.isEmpty else { return [] }
            choices.append(options)
        }
        // What a slot spells is a word of its own: the likeliest one of those that it may.
        let best = spelled(choices, format, layout)
        var found = [result(best, format, layout)]
        // The runners-up: the best plate with one character exchanged.
        for (position, options) in choices.enumerated() {
            for option in options.dropFirst().prefix(3) {
                var variant = best
                variant[position] = option
                found.append(result(variant, format, layout))
            }
        }
        return found.compactMap { $0 }
    }

    private func result(
        _ symbols: [Option], _ format: PlateFormat, _ layout: [Int]
    ) -> Result? {
        var groups: [String] = []
        var previous = -1
        for (symbol, slot) in zip(symbols, layout) {
            if slot != previous { groups.append("") }
            groups[groups.count - 1] += symbol.symbol
            previous = slot
        }
        for (slot, group) in zip(format.slots, groups) where slot.words?.contains(group) == false { return nil }
        // A word is not bent into a plate: one of the digits was read as a digit, where a plate may not go without.
        let hasDigit = symbols.contains { $0.likeness == 1 && $0.symbol.last?.isNumber == true }
        let mayGoWithout = !isNumbered && format.lengthsWithoutDigit?.contains(symbols.count) == true
        guard hasDigit || mayGoWithout else {
            return nil
        }
        var text = format.prefix
        for (slot, group) in zip(format.slots, groups) {
            if slot.startsGroup, !text.isEmpty { text += " " }
            text += group
        }
        if format.country == nil { text = PlateNormalizer.canonical(compact: text) }
        let product = symbols.reduce(1.0) { $0 * $1.probability }
        let isLocal = country != nil && format.country?.code == country
        // The country's bonus goes only to what stands as it was read (an O in the place of a 0 stands as read): otherwise it
        // would bend a foreign plate, surely read, into a local one.
        let isAsRead = symbols.allSatisfy { $0.likeness >= 0.9 }
        let prior = Self.prior(weight: format.weight) * (isLocal && isAsRead ? 2 : 1)
        let support = geometricMean(product, count: symbols.count)
        let word = format.country == nil && hasDigit && Self.hasWord(text) ? Self.wordOdds : 1
        let score = geometricMean(product * prior * word, count: symbols.count)
        let weakest = symbols.map(\.probability).min() ?? 0
        return Result(
            plate: Plate(canonical: text), format: format, support: support, weakest: weakest, score: score)
    }

    /// How likely a format is before anything is read. A tight one beats the general one where both fit: weight 1 is 1,
    /// 0.8 is 0.4, 0.4 is 0.06.
    static func prior(weight: Double) -> Double {
        pow(10, 2 * (weight - 1))
    }

    /// The likeliest option of each character, and where a slot may spell certain words only, those of the likeliest word; where it is none of
    /// them, the likeliest options after all.
    private func spelled(_ choices: [[Option]], _ format: PlateFormat, _ layout: [Int]) -> [Option] {
        var chosen = choices.map { $0[0] }
        for (slot, words) in format.slots.enumerated().compactMap({ slot in slot.element.words.map { (slot.offset, $0) }
        }) {
            let places = layout.indices.filter { layout[$0] == slot }
            var best: (options: [Option], chance: Double)?
            for word in words.sorted() where word.count == places.count {
                let options = zip(word, places).compactMap { letter, place in
                    choices[place].first { $0.symbol == String(letter) }
                }
                let chance = options.reduce(1) { $0 * $1.probability }
                if options.count == places.count, chance > best?.chance ?? 0 { best = (options, chance) }
            }
            for (place, option) in zip(places, best?.options ?? []) { chosen[place] = option }
        }
        return chosen
    }

    /// What may stand in a slot, the likeliest first.
    func options(
        _ character: CharacterAlternatives, _ symbols: PlateFormat.Symbols
    ) -> [Option] {
        var found: [String: Option] = [:]
        for alternative in character.alternatives where alternative.probability > 0.001 {
            for (symbol, likeness) in [(alternative.symbol, 1.0)] + LatinAlphabet.substitutes(alternative.symbol) {
                guard let allowed = symbols.canonical(symbol) else { continue }
                let option = Option(
                    symbol: allowed, probability: alternative.probability * likeness, likeness: likeness)
                if option.probability > found[allowed]?.probability ?? 0 { found[allowed] = option }
            }
        }
        return found.values.sorted { ($0.probability, $1.symbol) > ($1.probability, $0.symbol) }
    }
}
