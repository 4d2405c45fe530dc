import Foundation

/// Turns a plate as somebody wrote it, in Devanagari or Latin, into its canonical form.
///
/// Examples: `बा १ च १२३४`, `ba1cha 1234` and `BA-1-CHA-1234` are BA 1 CHA 1234; `बागमती प्रदेश-०२ ०३७ प १६४३` and
/// `प्रदेश ३ ०२ ०३७ प १६४३` are P3 02 037 PA 1643. No letter is lost: one that no format knows is transliterated.
package enum PlateNormalizer {
    /// No plate of the catalogue is longer; what is longer is no plate.
    package static let maximumCompactLength = 16

    /// - Returns: nil when the text holds no letter and no digit, or more of them than any plate has.
    package static func normalize(_ text: String) -> Plate? {
        guard text.unicodeScalars.count <= 200 else { return nil }
        let pieces = withoutHeading(tokens(text)) ?? tokens(text)
        let compact = latin(pieces)
        guard !compact.isEmpty, compact.count <= maximumCompactLength else { return nil }
        return Plate(canonical: canonical(compact: compact, typed: text))
    }

    /// Puts the spaces into a compact Latin plate.
    ///
    /// The first of the formats that it fits says where they go; without one, they stand between letters and digits.
    /// Example: `P302013PA7173` is P3 02 013 PA 7173, `AB12CD` is AB 12 CD, `BA1PA12?4` is BA 1 PA 12?4.
    package static func canonical(compact: String) -> String {
        canonical(compact: compact, typed: compact)
    }

    private static func canonical(compact: String, typed: String) -> String {
        for format in PlateFormat.covered {
            guard let text = format.canonical(compactLatin: compact) else { continue }
            if !format.isToldBySpaces || startsAlike(text, typed) { return text }
        }
        var groups: [String] = []
        for character in compact {
            // A gap may be either.
            let kind = groups.last.map { $0.first { $0 != Plate.gap } ?? character }
            if let kind, character == Plate.gap || kind.isNumber == character.isNumber {
                groups[groups.count - 1].append(character)
            } else {
                groups.append(String(character))
            }
        }
        return groups.joined(separator: " ")
    }

    /// Whether the typed text parts its first letters from the rest as the canonical one does.
    private static func startsAlike(_ canonical: String, _ typed: String) -> Bool {
        typed.uppercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber }).first?.count
            == canonical.split(separator: " ").first?.count
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

    /// The tokens with the prefix and the first field of a format in place of the words that they begin with.
    private static func withoutHeading(_ tokens: [Token]) -> [Token]? {
        PlateFormat.covered.lazy.compactMap { format in
            format.heading.flatMap { withoutHeading($0, prefix: format.prefix, tokens) }
        }.first
    }

    private static func withoutHeading(_ heading: PlateFormat.Heading, prefix: String, _ tokens: [Token]) -> [Token]? {
        var text = ""
        var ends: [(length: Int, index: Int)] = []
        for (index, token) in tokens.enumerated() {
            guard case .syllable(let syllable) = token else { break }
            text += syllable
            ends.append((text.unicodeScalars.count, index))
        }
        for word in heading.words {
            guard let range = text.range(of: word, options: .literal) else { continue }
            let name = String(text[..<range.lowerBound])
            let wordEnd = text[..<range.upperBound].unicodeScalars.count
            guard let last = ends.first(where: { $0.length >= wordEnd })?.index else { continue }
            let rest = Array(tokens[(last + 1)...])
            if name.isEmpty {
                let numberWords = heading.numberWords.map { Token.syllable($0) }
                return Self.tokens(prefix) + rest.drop { numberWords.contains($0) }
            }
            if let field = heading.field(named: name) { return Self.tokens(prefix + field) + rest }
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
