/// What a person may type next of a plate, as the formats know it: on a screen's keys the others step back. They still work: a vehicle
/// from far away has a plate too.
package enum PlateBeginning {
    /// Of some keys, those after which what stands there may still become a plate that is met every day.
    ///
    /// - Parameters:
    ///   - keys: Latin and Devanagari letters, signs, digits and words.
    ///   - text: what stands before the caret.
    ///   - country: where that is, as two letters of ISO 3166.
    /// - Returns: all keys where nothing is known of that: without a country, when the text fits no format already, and when it is whole.
    package static func keys(_ keys: [String], after text: String, in country: String?) -> [String] {
        guard let country, PlateCountry.isCovered(country) else { return keys }
        let formats = PlateFormat.covered.filter { $0.isUsual(in: country) }
        let begun = scalars(text)
        guard begun.count <= PlateNormalizer.maximumCompactLength * 4, formats.contains(where: { $0.canBegin(begun) })
        else { return keys }
        let likely = keys.filter { key in
            let next = begun + scalars(key)
            return formats.contains { $0.canBegin(next) }
        }
        return likely.isEmpty ? keys : likely
    }

    /// Without what stands between groups, in capitals, with Latin digits.
    fileprivate static func scalars(_ text: String) -> [Unicode.Scalar] {
        text.uppercased().unicodeScalars.compactMap { scalar in
            if let digit = DevanagariAlphabet.digit(scalar) { return Unicode.Scalar(UInt8(48 + digit)) }
            let isSign =
                scalar.properties.generalCategory == .nonspacingMark
                || scalar.properties.generalCategory == .spacingMark
            return scalar.properties.isAlphabetic || isSign || (48...57).contains(scalar.value) ? scalar : nil
        }
    }
}

extension PlateFormat {
    /// Whether a plate of this format, painted or in Latin, may begin like this.
    fileprivate func canBegin(_ text: [Unicode.Scalar]) -> Bool {
        beginnings.contains { words, slot in
            text.count < words.count
                ? words.starts(with: text)
                : text.starts(with: words) && goesOn(text[words.count...], in: slot, taken: [])
        }
    }

    /// What may stand before the slots, and the first slot after it.
    private var beginnings: [(words: [Unicode.Scalar], slot: Int)] {
        var found = [(PlateBeginning.scalars(prefix), 0)]
        guard let heading else { return found }
        for word in heading.words {
            for number in [""] + heading.numberWords { found.append((PlateBeginning.scalars(word + number), 0)) }
            for name in [String](heading.names.keys) + heading.shortNames.keys {
                found.append((PlateBeginning.scalars(name + word), 1))
            }
        }
        return found
    }

    /// - Parameter taken: what stands in the slot already, symbol by symbol.
    private func goesOn(_ rest: ArraySlice<Unicode.Scalar>, in slot: Int, taken: [[Unicode.Scalar]]) -> Bool {
        if rest.isEmpty { return true }
        guard slot < slots.count else { return false }
        let one = slots[slot]
        if taken.count < one.count.upperBound {
            for symbol in one.symbols.beginning(rest) where one.mayHold(taken + [symbol]) {
                // The last symbol may be begun only.
                if symbol.count >= rest.count { return true }
                if goesOn(rest.dropFirst(symbol.count), in: slot, taken: taken + [symbol]) { return true }
            }
        }
        return taken.count >= one.count.lowerBound && one.isWhole(taken) && goesOn(rest, in: slot + 1, taken: [])
    }
}

extension PlateFormat.Slot {
    /// Whether these symbols may begin what it spells as a whole.
    fileprivate func mayHold(_ symbols: [[Unicode.Scalar]]) -> Bool {
        words?.contains { $0.unicodeScalars.starts(with: symbols.joined()) } ?? true
    }

    fileprivate func isWhole(_ symbols: [[Unicode.Scalar]]) -> Bool {
        words?.contains { $0.unicodeScalars.elementsEqual(symbols.joined()) } ?? true
    }
}

extension PlateFormat.Symbols {
    /// The symbols that stand at the beginning of a text, or of which the text is the beginning, painted or in Latin.
    fileprivate func beginning(_ text: ArraySlice<Unicode.Scalar>) -> [[Unicode.Scalar]] {
        guard let first = text.first else { return [] }
        guard case .only(let symbols) = self else { return allows(Character(first)) ? [[first]] : [] }
        return symbols.flatMap { [Array($0.key.unicodeScalars), Array($0.value.unicodeScalars)] }.filter { symbol in
            symbol.count <= text.count ? text.starts(with: symbol) : symbol.starts(with: text)
        }
    }
}
