import Foundation

/// Why what a person typed is no plate.
package enum TypedPlateError: Error, Equatable, CustomStringConvertible {
    /// A character that belongs to no plate: dropping it would make another vehicle's plate.
    case stranger(Character)
    case tooShort
    case tooLong
    /// Letters alone, or digits alone: what somebody remembers of a plate.
    case part

    package var description: String {
        switch self {
        case .stranger(let character): "a plate has no “\(character)”: only Latin and Devanagari letters and digits"
        case .tooShort: "a plate has at least two letters or digits"
        case .tooLong: "a plate has at most \(PlateNormalizer.maximumCompactLength) letters and digits"
        case .part: "that is a part of a plate; the whole one is wanted, with its letters and its digits"
        }
    }
}

extension PlateNormalizer {
    private static let separators: Set<Character> = ["-", "–", ".", "·", ",", "/", "_", ":", "।", "॰"]

    /// A plate as a person types it. Unlike a camera's reading, nothing of it is passed over but spaces and separators.
    package static func plate(typed text: String) throws(TypedPlateError) -> Plate {
        guard text.unicodeScalars.count <= 200 else { throw .tooLong }
        for character in text where !character.isWhitespace && !separators.contains(character) {
            if !isUnderstood(character) { throw .stranger(character) }
        }
        guard let plate = normalize(text) else {
            throw text.contains { $0.isLetter || $0.isNumber } ? .tooLong : .tooShort
        }
        guard plate.compact.count >= 2 else { throw .tooShort }
        return plate
    }

    /// A plate that vehicles are held to: a part of one would find none, and whoever listed it would feel safe.
    package static func wholePlate(typed text: String) throws(TypedPlateError) -> Plate {
        let plate = try plate(typed: text)
        guard plate.compact.contains(where: \.isNumber), plate.compact.contains(where: \.isLetter) else { throw .part }
        return plate
    }

    /// Whether every letter or digit of it comes through: Ü as U, ज्ञ as its transliteration.
    private static func isUnderstood(_ character: Character) -> Bool {
        guard let first = String(character).precomposedStringWithCompatibilityMapping.unicodeScalars.first else {
            return false
        }
        if DevanagariAlphabet.isDevanagari(first) {
            // A sign without its letter is dropped: the plate would lose it silently.
            return DevanagariAlphabet.digit(first) != nil || first.properties.generalCategory == .otherLetter
        }
        let bare = String(first).decomposedStringWithCompatibilityMapping.unicodeScalars.first ?? first
        return bare.isASCII && (bare.properties.isAlphabetic || (48...57).contains(bare.value))
    }
}
