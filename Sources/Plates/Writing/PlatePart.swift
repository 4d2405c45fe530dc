import Foundation

/// What somebody looks for who types a part of a plate.
package enum PlatePart {
    /// A search is no place for more.
    private static let most = 40

    /// Longer than any plate that is stored: no plate holds it.
    private static let inNoPlate = String(repeating: "Z", count: most)

    /// Letters and digits, upper case. Devanagari is looked for as the Latin that it is recorded as.
    ///
    /// Examples: `a12` is A12, `बा १ प` is BA1PA. Symbols alone are in no plate: whoever asks for them finds none, and not all.
    ///
    /// - Returns: nil where nothing is typed.
    package static func typed(_ text: some StringProtocol) -> String? {
        let text = String(text.trimmingCharacters(in: .whitespaces).prefix(most))
        guard !text.isEmpty else { return nil }
        let isDevanagari = text.unicodeScalars.contains(where: DevanagariAlphabet.isDevanagari)
        let latin = isDevanagari ? PlateNormalizer.normalize(text)?.compact ?? text : text
        let part = latin.uppercased().filter { $0.isLetter || $0.isNumber }
        return part.isEmpty ? inNoPlate : part
    }
}
