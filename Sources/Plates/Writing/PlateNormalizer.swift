import Foundation

/// Turns a plate as somebody wrote it, in Devanagari or Latin, into its canonical form.
///
/// Examples: `बा १ च १२३४`, `ba1cha 1234` and `BA-1-CHA-1234` are BA 1 CHA 1234; `बागमती प्रदेश-०२ ०३७ प १६४३` and
/// `प्रदेश ३ ०२ ०३७ प १६४३` are P3 02 037 PA 1643. No letter is lost: one that no format knows is transliterated.
package enum PlateNormalizer {
    /// No plate of DESIGN's formats is longer; what is longer is no plate.
    package static let maximumCompactLength = 16

    /// - Returns: nil when the text holds no letter and no digit, or more of them than any plate has.
    package static func normalize(_ text: String) -> Plate? {
        guard text.unicodeScalars.count <= 200 else { return nil }
        let pieces = provincial(tokens(text)) ?? tokens(text)
        let compact = latin(pieces)
        guard !compact.isEmpty, compact.count <= maximumCompactLength else { return nil }
        return Plate(canonical: canonical(compact: compact, typed: text))
    }

    /// Puts the spaces into a compact Latin plate.
    ///
    /// The first of the formats that it fits says where they go; without one, they stand between letters and digits.
    /// Example: `P302013PA7173` is P3 02 013 PA 7173, `AB12CD` is AB 12 CD.
    package static func canonical(compact: String) -> String {
        canonical(compact: compact, typed: compact)
    }

    private static func canonical(compact: String, typed: String) -> String {
        for format in [PlateFormat.nepalProvincial, .india, .nepalZonal] {
            if let text = format.canonical(compactLatin: compact) { return text }
        }
        // An embossed plate looks like many foreign ones without their spaces: only spaces that were typed tell it apart.
        if let text = PlateFormat.nepalEmbossed.canonical(compactLatin: compact),
            typed.uppercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber }).first?.count == 1
        {
            return text
        }
        var groups: [String] = []
        for character in compact {
            if let last = groups.last?.last, last.isNumber == character.isNumber {
                groups[groups.count - 1].append(character)
            } else {
                groups.append(String(character))
            }
        }
        return groups.joined(separator: " ")
    }

    /// A token is a Devanagari syllable or a run of anything else of one kind.
    private enum Token: Equatable {
        case digit(Int)
        case syllable(String)
        case latin(Character)
    }

    private static func tokens(_ text: String) -> [Token] {
        var found: [Token] = []
        // The compatibility mapping makes ＢＡ of full-width letters BA.
        for scalar in text.precomposedStringWithCompatibilityMapping.unicodeScalars {
            if let digit = DevanagariAlphabet.digit(scalar) {
                found.append(.digit(digit))
            } else if DevanagariAlphabet.isDevanagari(scalar) {
                // A danda or an abbreviation sign (॰) belongs to no syllable.
                guard scalar.properties.generalCategory != .otherPunctuation else { continue }
                let joins = scalar.properties.generalCategory != .otherLetter
                if case .syllable(let syllable) = found.last, joins || syllable.unicodeScalars.last == "\u{094D}" {
                    found[found.count - 1] = .syllable(syllable + String(scalar))
                } else if !joins {
                    found.append(.syllable(String(scalar)))
                }
            } else if scalar.isASCII, scalar.properties.isAlphabetic {
                found.append(.latin(Character(scalar.properties.uppercaseMapping)))
            } else if (48...57).contains(scalar.value) {
                found.append(.digit(Int(scalar.value) - 48))
            } else if scalar.properties.isAlphabetic {
                // Ü is U: a letter loses its mark rather than getting lost.
                let bare = String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars.first
                if let bare, bare.isASCII, bare.properties.isAlphabetic {
                    found.append(.latin(Character(bare.properties.uppercaseMapping)))
                }
            }
        }
        return found
    }

    /// `प्रदेश नं. ३`: number 3.
    private static let numberWords: [Token] = ["नं", "न", "नम्बर"].map { .syllable($0) }

    /// The tokens with `P` and the province's number at the front, when they spell a provincial plate.
    private static func provincial(_ tokens: [Token]) -> [Token]? {
        var text = ""
        var ends: [(length: Int, index: Int)] = []
        for (index, token) in tokens.enumerated() {
            guard case .syllable(let syllable) = token else { break }
            text += syllable
            ends.append((text.unicodeScalars.count, index))
        }
        for word in DevanagariAlphabet.provinceWords {
            guard let range = text.range(of: word, options: .literal) else { continue }
            let name = String(text[..<range.lowerBound])
            let wordEnd = text[..<range.upperBound].unicodeScalars.count
            guard let last = ends.first(where: { $0.length >= wordEnd })?.index else { continue }
            let rest = Array(tokens[(last + 1)...])
            if name.isEmpty { return [.latin("P")] + rest.drop { numberWords.contains($0) } }
            let number =
                DevanagariAlphabet.provinces.first { $0.name == name }?.number
                ?? DevanagariAlphabet.provinceAbbreviations[name]
            if let number { return [.latin("P"), .digit(number)] + rest }
        }
        return nil
    }

    private static func latin(_ tokens: [Token]) -> String {
        tokens.map { token in
            switch token {
            case .digit(let digit): String(digit)
            case .syllable(let syllable): DevanagariAlphabet.latin(syllable)
            case .latin(let letter): String(letter)
            }
        }.joined()
    }
}

extension PlateFormat {
    /// Splits a compact Latin plate as this format does; nil when it doesn't fit.
    ///
    /// A slot that takes syllables takes their Latin here, the longest first: `BA1CHA1234` fits the zonal format.
    package func canonical(compactLatin: String) -> String? {
        fields(compactLatin: compactLatin).map { fields in
            var text = prefix
            for (slot, field) in zip(slots, fields) {
                if slot.startsGroup, !text.isEmpty { text += " " }
                text += field
            }
            return text
        }
    }

    /// What stands in each slot of a compact Latin plate; nil when it doesn't fit.
    package func fields(compactLatin: String) -> [String]? {
        guard compactLatin.hasPrefix(prefix) else { return nil }
        let characters = Array(compactLatin.dropFirst(prefix.count))
        func take(_ slot: Int, from start: Int) -> [String]? {
            if slot == slots.count { return start == characters.count ? [] : nil }
            for end in ends(of: slots[slot], from: start, in: characters) {
                let field = String(characters[start..<end])
                if slot == 0, let openings, !openings.contains(field) { continue }
                if let rest = take(slot + 1, from: end) { return [field] + rest }
            }
            return nil
        }
        return take(0, from: 0)
    }

    /// Where the slot can end when it starts at `start`, the longest first.
    private func ends(of slot: Slot, from start: Int, in characters: [Character]) -> [Int] {
        if case .only(let symbols) = slot.symbols {
            return Set(symbols.values).filter { characters[start...].starts(with: $0) }
                .map { start + $0.count }.sorted(by: >)
        }
        var end = start
        while end < characters.count, end - start < slot.count.upperBound, slot.symbols.allows(characters[end]) {
            end += 1
        }
        return end - start < slot.count.lowerBound ? [] : (start + slot.count.lowerBound...end).reversed()
    }
}

extension PlateFormat.Symbols {
    /// Whether one Latin character may stand here.
    package func allows(_ character: Character) -> Bool {
        guard let value = character.asciiValue else { return false }
        let isDigit = (48...57).contains(value)
        let isLetter = (65...90).contains(value)
        return switch self {
        case .digits: isDigit
        case .letters: isLetter
        case .lettersOrDigits: isDigit || isLetter
        case .only(let symbols): symbols[String(character)] != nil
        }
    }
}
