extension PlateReading {
    /// Below this a reading is shown with its gaps instead of guesses.
    package static let completeConfidence = 0.7

    /// A character less likely than this is a gap.
    private static let legible = 0.5

    /// A doubtful reading with a gap for every character that could not be read: `KO ?? PA 403`.
    ///
    /// The guesses stay among the candidates. A reading that is sure as a whole, whose characters are all legible, or of
    /// which less than half was read, stays as it is. Gaps are never filled by the program: a ranger does.
    package func withGaps() -> PlateReading {
        guard confidence < Self.completeConfidence, !plate.isPartial, let format = PlateFormat.named(format),
            let symbols = format.symbols(of: plate), symbols.count == characters.count
        else { return self }
        let isGap = zip(symbols, characters).map { symbol, character in
            character.probability(ofCanonical: symbol.text, in: symbol.allowed) < Self.legible
        }
        let gaps = isGap.count { $0 }
        guard gaps > 0, 2 * gaps <= isGap.count else { return self }
        var text = format.prefix
        for (symbol, isGap) in zip(symbols, isGap) {
            if symbol.startsGroup, !text.isEmpty { text += " " }
            text += isGap ? String(Plate.gap) : symbol.text
        }
        var partial = self
        partial.plate = Plate(canonical: text)
        partial.candidates = Array(
            ([Candidate(plate: partial.plate, confidence: confidence)]
                + (candidates.isEmpty ? [Candidate(plate: plate, confidence: confidence)] : candidates))
                .prefix(Self.maximumCandidates))
        return partial
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
