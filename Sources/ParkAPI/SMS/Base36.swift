/// Whole numbers in signed texts: digits and capital letters, no zero in front, so that one number has one text.
enum Base36 {
    static func text(_ number: Int64) -> String { String(number, radix: 36, uppercase: true) }

    /// - Returns: nil for what is no such number; nothing and 0 are none.
    static func number(_ text: String, longest: Int) -> Int64? {
        guard (1...longest).contains(text.unicodeScalars.count), !text.hasPrefix("0"),
            text.unicodeScalars.allSatisfy({ $0.isASCIIDigit || $0.isASCIIUppercase })
        else { return nil }
        return Int64(text, radix: 36)
    }
}
