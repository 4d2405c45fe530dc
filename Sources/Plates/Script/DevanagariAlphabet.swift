/// The syllables, words and digits that stand on Nepal's plates, with the Latin that each is written as.
///
/// Facts about Nepal's plates are data here, easy to correct. Source: the public descriptions of the Department of
/// Transport Management's zonal and provincial plates. The meanings of the class letters are from weaker sources.
package enum DevanagariAlphabet {
    /// The fourteen zones of the plates issued before the provinces, in Latin. `सा` is a painter's spelling of `स`.
    package static let zones: [String: String] = [
        "मे": "ME", "को": "KO", "स": "SA", "सा": "SA", "ज": "JA", "बा": "BA", "ना": "NA", "ग": "GA", "लु": "LU",
        "ध": "DHA", "रा": "RA", "भे": "BHE", "क": "KA", "से": "SE", "म": "MA",
    ]

    /// The class letters, in Latin. `पा` is written for `प` now and then.
    package static let classes: [String: String] = [
        "क": "KA", "ख": "KHA", "ग": "GA", "घ": "GHA", "च": "CHA", "ज": "JA", "झ": "JHA", "ञ": "YAN", "त": "TA",
        "थ": "THA", "प": "PA", "पा": "PA", "फ": "PHA", "ब": "BA", "म": "MA", "य": "YA", "ह": "HA",
    ]

    /// The provinces by number, 1 to 7, with their names.
    package static let provinces: [(number: Int, name: String)] = [
        (1, "कोशी"), (2, "मधेश"), (3, "बागमती"), (4, "गण्डकी"), (5, "लुम्बिनी"), (6, "कर्णाली"), (7, "सुदूरपश्चिम"),
    ]

    /// What painters shorten a province's name to before `प्रदेश`.
    package static let provinceAbbreviations: [String: Int] = [
        "को": 1, "कोशि": 1, "म": 2, "मधेस": 2, "बा": 3, "बाग": 3, "बाग्मती": 3, "वागमती": 3, "ग": 4, "गण्ड": 4,
        "लु": 5, "लुम्बि": 5, "लुंबिनी": 5, "लुम्बिनि": 5, "क": 6, "कर्ना": 6, "कर्णालि": 6, "सु": 7, "सुदूर": 7,
        "सुदुरपश्चिम": 7, "गण्डकि": 4, "बागमति": 3,
    ]

    /// How the word for province is written: in full, and shortened.
    package static let provinceWords = ["प्रदेश", "प्रा", "प्र"]

    /// Every other letter that a plate could carry, so that none is ever lost in transliteration.
    private static let otherConsonants: [Unicode.Scalar: String] = [
        "ङ": "NGA", "छ": "CHHA", "ट": "TTA", "ठ": "TTHA", "ड": "DDA", "ढ": "DDHA", "ण": "NNA", "द": "DA", "न": "NA",
        "भ": "BHA", "र": "RA", "ल": "LA", "व": "WA", "श": "SHA", "ष": "SSA", "स": "SA", "ध": "DHA", "अ": "A",
        "आ": "AA", "इ": "I", "उ": "U", "ए": "E", "ओ": "O",
    ]

    private static let vowelSigns: [Unicode.Scalar: String] = [
        "ा": "A", "ि": "I", "ी": "I", "ु": "U", "ू": "U", "े": "E", "ै": "AI", "ो": "O", "ौ": "AU",
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

    /// One syllable (a consonant with its signs) in Latin.
    ///
    /// Zones and class letters read as the tables above say; anything else consonant by consonant, an unwritten vowel
    /// as A. Example: `भे` is BHE, `प` is PA, `गण्डकी` is GANNDDAKI.
    package static func latin(_ syllable: String) -> String {
        if let known = zones[syllable] ?? classes[syllable] { return known }
        var result = ""
        for scalar in syllable.unicodeScalars {
            if let vowel = vowelSigns[scalar] {
                if result.hasSuffix("A") { result.removeLast() }
                result += vowel
            } else if scalar == "\u{094D}" {  // The virama: the consonant before it has no vowel.
                if result.hasSuffix("A") { result.removeLast() }
            } else if let consonant = classes[String(scalar)] ?? otherConsonants[scalar] {
                result += consonant
            }
        }
        return result
    }

    /// The syllable that a Latin zone or class reads as on a plate: `BA` as a zone is `बा`, as a class `ब`.
    package static func devanagari(zone latin: String) -> String? {
        zones.filter { $0.value == latin }.keys.min { $0.unicodeScalars.count < $1.unicodeScalars.count }
    }

    package static func devanagari(class latin: String) -> String? {
        classes.filter { $0.value == latin }.keys.min { $0.unicodeScalars.count < $1.unicodeScalars.count }
    }
}
