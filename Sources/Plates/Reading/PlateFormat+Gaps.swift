/// What of a plate could not be read.
extension PlateFormat {
    /// A character less likely than this is a gap.
    private static let legible = 0.5

    /// The plate with a gap for every character that could not be read; nil when there is no gap, or less than half of it was
    /// read.
    ///
    /// - Parameter characters: what each of the plate's characters may be.
    package func withGaps(_ plate: Plate, read characters: [CharacterAlternatives]) -> Plate? {
        guard !plate.isPartial, let symbols = symbols(of: plate), symbols.count == characters.count else { return nil }
        let isGap = zip(symbols, characters).map { symbol, character in
            character.probability(ofCanonical: symbol.text, in: symbol.allowed) < Self.legible
        }
        let gaps = isGap.count { $0 }
        guard gaps > 0, 2 * gaps <= isGap.count else { return nil }
        var text = prefix
        for (symbol, isGap) in zip(symbols, isGap) {
            if symbol.startsGroup, !text.isEmpty { text += " " }
            text += isGap ? String(Plate.gap) : symbol.text
        }
        return Plate(canonical: text)
    }
}

extension CharacterAlternatives {
    /// How likely it is that this character is what a slot was given for it; what looks the same counts as read.
    fileprivate func probability(ofCanonical text: String, in allowed: PlateFormat.Symbols) -> Double {
        let folded = LookAlike.folded(text)
        return alternatives.reduce(0) { sum, alternative in
            let canonical = allowed.canonical(alternative.symbol) ?? alternative.symbol
            return sum + (LookAlike.folded(canonical) == folded ? alternative.probability : 0)
        }
    }
}

extension PlateFormat {
    /// What a reader sees as one thing in a plate: a digit, a letter, a syllable.
    fileprivate struct Symbol {
        var text: String
        var allowed: Symbols
        var startsGroup: Bool
    }

    /// A plate's symbols from left to right; nil when it doesn't fit.
    fileprivate func symbols(of plate: Plate) -> [Symbol]? {
        guard country != nil else {
            return plate.canonical.split(separator: " ").flatMap { group in
                group.enumerated().map {
                    Symbol(text: String($1), allowed: .lettersOrDigits, startsGroup: $0 == 0)
                }
            }
        }
        return fields(compactLatin: plate.compact).map { fields in
            zip(slots, fields).flatMap { slot, field in
                if case .only = slot.symbols {
                    return [Symbol(text: field, allowed: slot.symbols, startsGroup: slot.startsGroup)]
                }
                return field.enumerated().map {
                    Symbol(text: String($1), allowed: slot.symbols, startsGroup: slot.startsGroup && $0 == 0)
                }
            }
        }
    }
}
