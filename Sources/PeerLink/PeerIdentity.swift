import Crypto
import Foundation

/// What a post is known by to another: its public key (Ed25519, 32 bytes).
package struct PeerKey: Sendable, Hashable, CustomStringConvertible {
    package let raw: Data

    /// - Returns: nil when these bytes are no key.
    package init?(raw: Data) {
        guard raw.count == 32 else { return nil }
        self.raw = Data(raw)
    }

    /// - Parameter text: 64 hexadecimal digits.
    package init?(text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 64 else { return nil }
        var raw = Data()
        for index in stride(from: 0, to: 64, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16) else {
                return nil
            }
            raw.append(byte)
        }
        self.raw = raw
    }

    /// 64 hexadecimal digits in lower case.
    package var description: String { raw.map { String(format: "%02x", $0) }.joined() }

    func isSignature(_ signature: Data, of transcript: Transcript) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: raw) else { return false }
        return key.isValidSignature(signature, for: transcript.bytes)
    }
}

/// The private key of this box.
package struct PeerIdentity: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    package init() { key = Curve25519.Signing.PrivateKey() }

    /// - Returns: nil when these bytes are no key.
    package init?(raw: Data) {
        guard raw.count == 32, let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: raw) else { return nil }
        self.key = key
    }

    /// 32 bytes, to be kept where nobody else reads them.
    package var raw: Data { key.rawRepresentation }

    package var publicKey: PeerKey {
        guard let key = PeerKey(raw: key.publicKey.rawRepresentation) else {
            preconditionFailure("Ed25519 has 32 bytes.")
        }
        return key
    }

    func signature(of transcript: Transcript) throws -> Data { try key.signature(for: transcript.bytes) }
}
