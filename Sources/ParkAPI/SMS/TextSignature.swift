import Crypto
import Foundation

/// The end of a signed text: a point and twelve characters.
enum TextSignature {
    static let length = 12

    /// All that stands before the last point, which is signed, and what stands behind it.
    ///
    /// - Returns: nil where that can't be a signature.
    static func parts(of text: String) -> (body: String, signature: Substring)? {
        guard let point = text.lastIndex(of: ".") else { return nil }
        let signature = text[text.index(after: point)...]
        guard signature.utf8.count == length, signature.utf8.allSatisfy(isOfSignature) else { return nil }
        return (String(text[..<point]), signature)
    }

    private static func isOfSignature(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x2D: true
        default: false
        }
    }
}

extension TextKey {
    /// The first 72 bits of HMAC-SHA256 over all that stands before the last point, in the letters of base 64 with `-` and `:` for `+` and `/`.
    func signature(of body: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data(body.utf8), using: SymmetricKey(data: bytes))
        return Data(code.prefix(9)).base64EncodedString().replacing("+", with: "-").replacing("/", with: ":")
    }

    /// All of a signature is compared, so that the time taken tells nothing.
    func hasMade(_ signature: Substring, of body: String) -> Bool {
        let made = self.signature(of: body)
        return made.utf8.count == signature.utf8.count
            && zip(made.utf8, signature.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
