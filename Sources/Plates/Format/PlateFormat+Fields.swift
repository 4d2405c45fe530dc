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
                if slots[slot].words?.contains(field) == false { continue }
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

    /// The canonical Latin of a symbol that may stand here, or nil when it may not.
    package func canonical(_ symbol: String) -> String? {
        // A digit is the same in either script.
        let scalars = symbol.unicodeScalars
        let digit = scalars.count == 1 ? scalars.first.flatMap(DevanagariAlphabet.digit) : nil
        let symbol = digit.map { String($0) } ?? symbol
        if case .only(let symbols) = self { return symbols[symbol] }
        guard symbol.count == 1, let character = symbol.first else { return nil }
        return allows(character) ? symbol : nil
    }
}
