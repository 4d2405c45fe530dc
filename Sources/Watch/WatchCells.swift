/// How many columns of a terminal a text takes. A letter of Devanagari is several characters to a terminal: a vowel sign above or below
/// stands in the column of its letter, one beside it has a column of its own.
enum WatchCells {
    static func count(_ text: String) -> Int {
        text.unicodeScalars.reduce(0) { $0 + count($1) }
    }

    static func count(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return 1
        }
    }

    /// The text's beginning, as far as the columns go. No letter loses its signs.
    static func prefix(_ text: String, _ columns: Int) -> String {
        var left = columns
        return String(
            text.prefix { character in
                left -= count(String(character))
                return left >= 0
            })
    }

    /// With spaces up to so many columns.
    static func padded(_ text: String, _ columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - count(text)))
    }
}
