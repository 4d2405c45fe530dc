import Crypto
import Foundation

/// The keys of one conversation: X25519 agreed on them, HKDF-SHA256 made two of it, and AES-256-GCM keeps what is said.
///
/// A question has a counter that only grows, and its answer has the same one: neither is taken twice, in another place, or for the other.
struct PeerChannel: Sendable {
    enum Direction: String { case question, answer }

    static let sessionBytes = 16

    let session: Data
    private let keys: [Direction: SymmetricKey]

    /// - Parameter transcript: the welcome's, which holds all that was said before.
    init(
        session: Data, own: Curve25519.KeyAgreement.PrivateKey, other: Data, transcript: Transcript
    ) throws {
        let theirs = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: other)
        let secret = try own.sharedSecretFromKeyAgreement(with: theirs)
        let salt = Data(SHA256.hash(data: transcript.bytes))
        func key(_ direction: Direction) -> SymmetricKey {
            secret.hkdfDerivedSymmetricKey(
                using: SHA256.self, salt: salt, sharedInfo: Data("checkpost peer 1 \(direction.rawValue)".utf8),
                outputByteCount: 32)
        }
        self.session = session
        keys = [.question: key(.question), .answer: key(.answer)]
    }

    func seal(_ plain: Data, _ counter: UInt64, as direction: Direction) throws -> Data {
        guard let key = keys[direction] else { throw CryptoKitError.incorrectKeySize }
        let box = try AES.GCM.seal(plain, using: key, nonce: nonce(counter), authenticating: session)
        return Self.bytes(counter) + box.ciphertext + box.tag
    }

    /// - Throws: where it is not what the other said here, with this counter.
    func open(_ sealed: Data, _ counter: UInt64, as direction: Direction) throws -> Data {
        guard let key = keys[direction], sealed.count >= 8 + 16, Self.counter(of: sealed) == counter else {
            throw CryptoKitError.incorrectParameterSize
        }
        let body = sealed.dropFirst(8)
        let box = try AES.GCM.SealedBox(nonce: nonce(counter), ciphertext: body.dropLast(16), tag: body.suffix(16))
        return try AES.GCM.open(box, using: key, authenticating: session)
    }

    private func nonce(_ counter: UInt64) throws -> AES.GCM.Nonce {
        try AES.GCM.Nonce(data: Data(count: 4) + Self.bytes(counter))
    }

    static func counter(of sealed: Data) -> UInt64? {
        guard sealed.count >= 8 else { return nil }
        return sealed.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func bytes(_ counter: UInt64) -> Data { withUnsafeBytes(of: counter.bigEndian) { Data($0) } }
}
