/// RFC 4648's base 32, as apps for codes want a secret.
enum Base32 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

    static func text(_ bytes: [UInt8]) -> String {
        var (text, buffer, count) = ("", 0, 0)
        for byte in bytes {
            buffer = buffer << 8 | Int(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(letters[buffer >> count & 31])
            }
            buffer &= (1 << count) - 1
        }
        if count > 0 { text.append(letters[buffer << (5 - count) & 31]) }
        return text
    }

    static func bytes(hexadecimal text: String) -> [UInt8]? {
        let digits = Array(text)
        guard digits.count % 2 == 0, text.allSatisfy(\.isHexDigit) else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        return bytes.count * 2 == digits.count ? bytes : nil
    }
}
