/// The 7-bit alphabet of SMS with its extension table (3GPP TS 23.038, 6.2.1).
package enum GSMAlphabet {
    /// The septet that introduces a character of the extension table.
    package static let escape: UInt8 = 0x1B

    /// The septets of `text`, each 0…127, or nil when a character is not in the alphabet.
    ///
    /// A character of the extension table takes two: `|` is `1B 40`.
    package static func septets(of text: String) -> [UInt8]? {
        var septets: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let encoded = Self.septets(of: scalar) else { return nil }
            septets += encoded
        }
        return septets
    }

    /// One septet, two for the extension table, nil when the alphabet doesn't have the character.
    package static func septets(of scalar: Unicode.Scalar) -> [UInt8]? {
        if let septet = basicSeptets[scalar] { return [septet] }
        return extendedSeptets[scalar].map { [escape, $0] }
    }

    /// The text of septets. An unknown extension shows the basic character, as the standard asks; a lone escape at the end
    /// is a space.
    package static func text(of septets: some Sequence<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        var isEscaped = false
        for septet in septets {
            let index = Int(septet & 0x7F)
            if isEscaped {
                text.append(extended[septet & 0x7F] ?? basic[index])
                isEscaped = false
            } else if septet & 0x7F == escape {
                isEscaped = true
            } else {
                text.append(basic[index])
            }
        }
        if isEscaped { text.append(" ") }
        return String(text)
    }

    /// The basic table in the order of its codes; the escape's place holds a space.
    private static let basic: [Unicode.Scalar] = {
        let rows = [
            "@£$¥èéùìòÇ\nØø\rÅå", "Δ_ΦΓΛΩΠΨΣΘΞ ÆæßÉ", " !\"#¤%&'()*+,-./", "0123456789:;<=>?",
            "¡ABCDEFGHIJKLMNO", "PQRSTUVWXYZÄÖÑÜ§", "¿abcdefghijklmno", "pqrstuvwxyzäöñüà",
        ]
        return rows.flatMap { Array($0.unicodeScalars) }
    }()

    private static let extended: [UInt8: Unicode.Scalar] = [
        0x0A: "\u{0C}", 0x14: "^", 0x28: "{", 0x29: "}", 0x2F: "\\", 0x3C: "[", 0x3D: "~", 0x3E: "]", 0x40: "|",
        0x65: "€",
    ]

    private static let basicSeptets: [Unicode.Scalar: UInt8] = {
        var table: [Unicode.Scalar: UInt8] = [:]
        for (code, scalar) in basic.enumerated() where UInt8(code) != escape { table[scalar] = UInt8(code) }
        return table
    }()

    private static let extendedSeptets = Dictionary(uniqueKeysWithValues: extended.map { ($0.value, $0.key) })
}
