import Crypto
import Enforcement
import Foundation

/// Whether a package comes from whoever the box trusts for its updates: an Ed25519 signature in a file beside it, `FILE.deb.sig`.
///
/// What is signed is the text `checkpost update`, a line feed, the package's SHA-256 in hexadecimal digits and a line feed: a signature made for
/// something else is none. The signature is written raw (64 bytes) or in base64.
package struct UpdateSignature: Sendable {
    private let key: Curve25519.Signing.PublicKey

    /// What comes before the 32 bytes of a key in `openssl pkey -pubout` (RFC 8410).
    private static let header = Data([0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00])

    /// - Parameter text: the key as it stands in the configuration: base64 of its 32 bytes, or of the line that `openssl pkey -pubout` prints.
    /// - Returns: nil for anything else.
    package init?(publicKey text: String) {
        guard var data = Data(base64Encoded: text.trimmingCharacters(in: .whitespacesAndNewlines)) else { return nil }
        if data.starts(with: Self.header) { data = data.dropFirst(Self.header.count) }
        guard data.count == 32, let key = try? Curve25519.Signing.PublicKey(rawRepresentation: data) else { return nil }
        self.key = key
    }

    /// What is signed for a package.
    package static func message(sha256: String) -> Data { Data("checkpost update\n\(sha256)\n".utf8) }

    package static func bytes(of file: Data) -> Data? {
        if file.count == 64 { return file }
        let text = String(decoding: file, as: UTF8.self).filter { !$0.isWhitespace }
        return Data(base64Encoded: text).flatMap { $0.count == 64 ? $0 : nil }
    }

    /// - Throws: `AdvisedError` when the file is not the one that was signed.
    func check(_ package: String, signature: Data, named name: String) throws {
        guard let bytes = Self.bytes(of: signature) else {
            throw AdvisedError(
                "\(name).sig is no signature.", hint: "Copy it again: 64 bytes, or 88 characters of base64.")
        }
        let sha256 = try Self.sha256(of: package)
        guard key.isValidSignature(bytes, for: Self.message(sha256: sha256)) else {
            throw AdvisedError(
                "\(name) is not what was signed: it is cut off or changed, or the signature is by another key.",
                hint:
                    "Copy file and signature again. Its SHA-256 is \(sha256); the key is public_key in [update] of the configuration."
            )
        }
    }

    /// Whether it is the signature for the package with this SHA-256, in hexadecimal.
    func signed(_ sha256: String, signature: String) -> Bool {
        Self.bytes(of: Data(signature.utf8)).map { key.isValidSignature($0, for: Self.message(sha256: sha256)) } == true
    }

    static func sha256(of path: String) throws -> String {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw AdvisedError("\(path) can't be read.", hint: "Is the file there?")
        }
        defer { try? file.close() }
        var hash = SHA256()
        while let part = try file.read(upToCount: 1 << 20), !part.isEmpty { hash.update(data: part) }
        return hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension UpdateSignature {
    static let configurationKeys: [ConfigurationKey] = [
        .init(
            "update", "public_key", .text, example: "\"MCowBQYDK2VwAyEAUHV0IHlvdXIgb3duIGtleSBpbiBoZXJlLCBwbGVhc2U=\"",
            "Whose packages the box takes: an Ed25519 key in base64, the line that `openssl pkey -pubout` prints.")
    ]
}

extension ConfigurationBuilder {
    /// [update]; nil without a key.
    mutating func updateKey() -> UpdateSignature? {
        guard let text = text("update.public_key") else { return nil }
        let key = UpdateSignature(publicKey: text)
        if key == nil {
            refuse(
                "update.public_key", "it is no Ed25519 key", "the line between BEGIN and END of `openssl pkey -pubout`")
        }
        return key
    }
}
