import Crypto
import Foundation

/// An entry as it was stored or sent: its text, and what can be said of it without trusting who wrote it.
package struct EvidenceText: Sendable, Equatable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package var hash: String { EvidenceEntry.hash(of: text) }

    package var number: Int? { value("number").flatMap(Int.init) }

    package var chain: UUID? { value("chain").flatMap { UUID(uuidString: $0) } }

    /// The hash of the entry before that it names.
    package var before: String? {
        lines.first { $0.hasPrefix("SHA256 (") }?.components(separatedBy: ") = ").last
    }

    private var lines: [String] { text.components(separatedBy: "\n") }

    /// What stands behind a name; nil where it has no such line, or says `none`.
    package func value(_ name: String) -> String? {
        guard let line = lines.first(where: { $0.hasPrefix(name + ": ") }) else { return nil }
        let value = String(line.dropFirst(name.count + 2))
        return value == "none" ? nil : value
    }

    /// Whether it follows that one.
    package func follows(_ other: EvidenceText) -> Bool {
        guard let number, let earlier = other.number else { return false }
        return chain == other.chain && number == earlier + 1 && before == other.hash
    }

    /// Whether it was signed with the private part of this key.
    ///
    /// - Parameters:
    ///   - signature: 64 bytes, Ed25519 of the text's.
    ///   - key: the public part's 32 bytes, as 64 hexadecimal digits.
    package func isSigned(by signature: Data, key: String) -> Bool {
        guard let raw = Self.bytes(ofKey: key),
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: raw)
        else { return false }
        return key.isValidSignature(signature, for: Data(text.utf8))
    }

    /// The 32 bytes of a key in hexadecimal; nil when it is none.
    package static func bytes(ofKey key: String) -> Data? {
        let digits = Array(key.utf8)
        guard digits.count == 64 else { return nil }
        let bytes = stride(from: 0, to: 64, by: 2).compactMap { start in
            UInt8(String(decoding: digits[start..<start + 2], as: UTF8.self), radix: 16)
        }
        return bytes.count == 32 ? Data(bytes) : nil
    }

    /// The public key as `openssl` reads it.
    package static func pem(ofKey key: String) -> String? {
        guard let raw = bytes(ofKey: key) else { return nil }
        // An Ed25519 key in X.509's SubjectPublicKeyInfo is these twelve bytes and its own (RFC 8410).
        let head: [UInt8] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]
        let body = (Data(head) + raw).base64EncodedString()
        return "-----BEGIN PUBLIC KEY-----\n\(body)\n-----END PUBLIC KEY-----\n"
    }
}
