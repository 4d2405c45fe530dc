import Crypto
import Foundation

/// What one post shows and somebody types at the other: 80 bits that nobody guesses, in 16 symbols.
///
/// It never goes over the wire: each side shows by an HMAC-SHA256 that it has it.
package struct PairingCode: Sendable, Equatable, CustomStringConvertible {
    /// Base 32 without I, L, O and U, after Crockford: what is read out is not taken for another.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let length = 16

    /// 16 symbols, without what parts them.
    package let symbols: String

    /// - Parameter typed: in any case, with or without what parts its groups; O is a 0, I and L are a 1.
    /// - Returns: nil when it is none.
    package init?(typed: String) {
        let plain = typed.uppercased().filter { $0 != "-" && !$0.isWhitespace }
            .map { $0 == "O" ? "0" : $0 == "I" || $0 == "L" ? "1" : $0 }
        guard plain.count == Self.length, plain.allSatisfy(Self.alphabet.contains) else { return nil }
        symbols = String(plain)
    }

    private init(symbols: String) { self.symbols = symbols }

    package static func random() -> PairingCode {
        let bytes = SymmetricKey(size: .init(bitCount: length * 8)).withUnsafeBytes { Array($0) }
        return PairingCode(symbols: String(bytes.map { alphabet[Int($0) % alphabet.count] }))
    }

    /// `7K2M-9QXR-0ABC-DE45`.
    package var description: String {
        stride(from: 0, to: symbols.count, by: 4).map { symbols.dropFirst($0).prefix(4) }.joined(separator: "-")
    }

    /// Shows to whoever has the code that it was said by one who has it.
    func proof(_ transcript: Transcript) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: transcript.bytes, using: key))
    }

    func isProof(_ proof: Data, of transcript: Transcript) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(proof, authenticating: transcript.bytes, using: key)
    }

    private var key: SymmetricKey { SymmetricKey(data: Data("checkpost peer 1 code \(symbols)".utf8)) }
}

/// What is signed, or proved: each piece with its length before it, so that no two lists of pieces are the same bytes.
struct Transcript {
    private(set) var bytes = Data()

    init(_ purpose: String, _ pieces: [Data]) {
        for piece in [Data("checkpost peer 1 \(purpose)".utf8)] + pieces {
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: piece.count).bigEndian) { bytes.append(contentsOf: $0) }
            bytes.append(piece)
        }
    }
}
