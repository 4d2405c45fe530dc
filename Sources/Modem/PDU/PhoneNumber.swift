/// A telephone number as SMS carries it: digits, and whether they start with the country.
package struct PhoneNumber: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// With country code, written with a plus.
        case international

        /// As dialled within the network; short codes too.
        case national

        /// A sender's name in the 7-bit alphabet. It can't be sent to.
        case alphanumeric
    }

    package let kind: Kind

    /// Digits without the plus (at most 20, with `*` and `#` possible), or the sender's name.
    package let digits: String

    package static let maximumDigits = 20

    /// Reads a number as people write it: spaces, hyphens, dots and brackets are left out, `00` at the start is a plus.
    ///
    /// - Returns: nil when there is no digit, or anything else than digits, `*` and `#` remains.
    package init?(_ text: String) {
        var rest = Substring(String(text.unicodeScalars.filter { !" -.()/\u{A0}".unicodeScalars.contains($0) }))
        let kind: Kind
        if rest.hasPrefix("+") {
            kind = .international
            rest = rest.dropFirst()
        } else if rest.hasPrefix("00"), rest.utf8.count > 4 {
            kind = .international
            rest = rest.dropFirst(2)
        } else {
            kind = .national
        }
        guard (1...Self.maximumDigits).contains(rest.utf8.count),
            rest.utf8.allSatisfy({ Self.isDialable($0, kind: kind) })
        else { return nil }
        self.init(kind: kind, digits: String(rest))
    }

    init(kind: Kind, digits: String) {
        self.kind = kind
        self.digits = digits
    }

    private static func isDialable(_ byte: UInt8, kind: Kind) -> Bool {
        if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { return true }
        return kind == .national && (byte == UInt8(ascii: "*") || byte == UInt8(ascii: "#"))
    }
}

extension PhoneNumber: CustomStringConvertible {
    package var description: String { kind == .international ? "+" + digits : digits }

    /// The number with all but its last two digits hidden, for logs.
    package var masked: String {
        (kind == .international ? "+" : "") + String(repeating: "•", count: max(0, digits.count - 2))
            + digits.suffix(2)
    }
}

extension PhoneNumber {
    /// Type of number and numbering plan (3GPP TS 23.040, 9.1.2.5).
    var typeOctet: UInt8 {
        switch kind {
        case .international: 0x91
        case .national: 0x81
        case .alphanumeric: 0xD0
        }
    }

    /// Two digits to an octet, the first in the low half; an odd last half is filled with F.
    ///
    /// Worked example: `97798` is `79 97 F8`.
    var semiOctets: [UInt8] {
        let values = digits.utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "*"): 0xA
            case UInt8(ascii: "#"): 0xB
            default: byte & 0x0F
            }
        }
        return stride(from: 0, to: values.count, by: 2).map { index in
            (index + 1 < values.count ? values[index + 1] : 0xF) << 4 | values[index]
        }
    }

    /// The digits of semi-octets, at most `count` of them, up to the filler.
    static func digits(of octets: some Sequence<UInt8>, count: Int) -> String {
        let signs = Array("0123456789*#abc")
        var text = ""
        for octet in octets {
            for half in [octet & 0x0F, octet >> 4] {
                guard half != 0xF, text.count < count else { return text }
                text.append(signs[Int(half)])
            }
        }
        return text
    }
}
