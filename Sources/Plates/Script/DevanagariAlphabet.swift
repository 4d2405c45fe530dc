/// The letters and digits of Devanagari, with the Latin that each is written as: the one place where a letter is mapped.
///
/// What stands where on which plate is a trait of its format.
package enum DevanagariAlphabet {
    /// Every letter that a plate could carry, so that none is ever lost in transliteration. ञ is YAN by custom.
    private static let letters: [Unicode.Scalar: String] = [
        "क": "KA", "ख": "KHA", "ग": "GA", "घ": "GHA", "ङ": "NGA", "च": "CHA", "छ": "CHHA", "ज": "JA", "झ": "JHA",
        "ञ": "YAN", "ट": "TTA", "ठ": "TTHA", "ड": "DDA", "ढ": "DDHA", "ण": "NNA", "त": "TA", "थ": "THA", "द": "DA",
        "ध": "DHA", "न": "NA", "प": "PA", "फ": "PHA", "ब": "BA", "भ": "BHA", "म": "MA", "य": "YA", "र": "RA", "ल": "LA",
        "व": "WA", "श": "SHA", "ष": "SSA", "स": "SA", "ह": "HA", "अ": "A", "आ": "AA", "इ": "I", "उ": "U", "ए": "E",
        "ओ": "O",
    ]

    private static let vowelSigns: [Unicode.Scalar: String] = [
        "ा": "A", "ि": "I", "ी": "I", "ु": "U", "ू": "U", "े": "E", "ै": "AI", "ो": "O", "ौ": "AU",
    ]

    /// Digits that look alike, as the Latin ones that they are written as: ५ and ४, ६ and ८, १ and ९, २ and ३.
    package static let alikeDigits = ["45", "68", "19", "15", "23", "09", "59", "07"]

    /// Syllables that painters draw almost alike, in Latin: प and फ, प and य, थ and य, क and फ, ब and क, भे, मे and से, स
    /// and म, रा and सा, ग and म. By eye; no figures are known.
    package static let alikeSyllables = [
        ("PA", "PHA"), ("PA", "YA"), ("THA", "YA"), ("KA", "PHA"), ("BA", "KA"), ("BHE", "ME"), ("ME", "SE"),
        ("BHE", "SE"), ("SA", "MA"), ("RA", "SA"), ("GA", "MA"),
    ]

    /// `०` to `९` as 0 to 9; nil for anything else.
    package static func digit(_ scalar: Unicode.Scalar) -> Int? {
        (0x0966...0x096F).contains(scalar.value) ? Int(scalar.value - 0x0966) : nil
    }

    /// `1` as `१`: the digit as a Devanagari plate shows it.
    package static func devanagariDigit(_ digit: Int) -> String {
        String(UnicodeScalar(UInt32(0x0966 + digit)).map(Character.init) ?? " ")
    }

    package static func isDevanagari(_ scalar: Unicode.Scalar) -> Bool {
        (0x0900...0x097F).contains(scalar.value)
    }

    /// One syllable (a consonant with its signs) in Latin, consonant by consonant, an unwritten vowel as A.
    ///
    /// Example: `भे` is BHE, `प` is PA, `पा` is PA too, `गण्डकी` is GANNDDAKI.
    package static func latin(_ syllable: String) -> String {
        var result = ""
        for scalar in syllable.unicodeScalars {
            if let vowel = vowelSigns[scalar] {
                if result.hasSuffix("A") { result.removeLast() }
                result += vowel
            } else if scalar == "\u{094D}" {  // The virama: the consonant before it has no vowel.
                if result.hasSuffix("A") { result.removeLast() }
            } else if let letter = letters[scalar] {
                result += letter
            }
        }
        return result
    }

    /// A number's Latin digits as a Devanagari plate shows them: `13` as `१३`.
    package static func digits(_ text: String) -> String {
        text.compactMap { $0.wholeNumberValue }.map(devanagariDigit).joined()
    }
}

extension PlateFormat.Symbols {
    /// Only these syllables, each as its Latin.
    package static func syllables(_ syllables: [String]) -> Self {
        .only(Dictionary(uniqueKeysWithValues: syllables.map { ($0, DevanagariAlphabet.latin($0)) }))
    }
}
