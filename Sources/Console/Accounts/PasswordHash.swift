import Crypto
import CryptoExtras
import Foundation
import Pages

/// A password or PIN as it is stored: `scrypt$15$8$1$<salt>$<hash>`, both in base64.
///
/// The cost (2^15 rounds, block size 8: 32 MB and a tenth of a second) stands in the text, so that it can be raised later
/// and old hashes still hold. RFC 7914.
package enum PasswordHash {
    private static let logRounds = 15
    private static let blockSize = 8
    private static let length = 32

    /// Longer ones are refused before any work is done.
    package static let maximumBytes = 256

    package static func make(_ secret: String) throws -> String {
        var generator = SystemRandomNumberGenerator()
        let salt = Data((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        let hash = try derive(secret, salt: salt, logRounds: logRounds, blockSize: blockSize, parallelism: 1)
        return "scrypt$\(logRounds)$\(blockSize)$1$\(salt.base64EncodedString())$\(hash.base64EncodedString())"
    }

    /// Whether a secret is the one that was stored. A stored text that makes no sense is no secret's.
    package static func verify(_ secret: String, _ stored: String) -> Bool {
        let parts = stored.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        guard secret.utf8.count <= maximumBytes, parts.count == 6, parts[0] == "scrypt",
            let rounds = Int(parts[1]), (10...20).contains(rounds), let block = Int(parts[2]), (1...32).contains(block),
            let parallelism = Int(parts[3]), (1...16).contains(parallelism), let salt = Data(base64Encoded: parts[4]),
            let wanted = Data(base64Encoded: parts[5]), wanted.count == length,
            let found = try? derive(secret, salt: salt, logRounds: rounds, blockSize: block, parallelism: parallelism)
        else { return false }
        return isSame(found, wanted)
    }

    /// As long as a check of a real hash: who has no account must not be told apart by the time it takes.
    package static func verifyNothing(_ secret: String) {
        _ = try? derive(
            String(secret.prefix(maximumBytes)), salt: Data(count: 16), logRounds: logRounds, blockSize: blockSize,
            parallelism: 1)
    }

    /// What is wrong with a new password; nil when it will do.
    package static func problem(password: String) -> String? {
        guard password.count >= 8, password.utf8.count <= maximumBytes else {
            return "A password has 8 to \(maximumBytes) characters."
        }
        return nil
    }

    /// What is wrong with a new PIN; nil when it will do.
    package static func problem(pin: String) -> String? {
        guard (4...8).contains(pin.utf8.count), pin.utf8.allSatisfy({ (48...57).contains($0) }), Set(pin).count > 1
        else { return "A PIN has 4 to 8 digits, not all the same." }
        return nil
    }

    private static func derive(
        _ secret: String, salt: Data, logRounds: Int, blockSize: Int, parallelism: Int
    ) throws -> Data {
        // One letter may be typed in several ways; all of them are one password.
        let key = try KDF.Scrypt.deriveKey(
            from: Data(secret.precomposedStringWithCanonicalMapping.utf8), salt: salt, outputByteCount: length,
            rounds: 1 << logRounds, blockSize: blockSize, parallelism: parallelism)
        return key.withUnsafeBytes { Data($0) }
    }
}
