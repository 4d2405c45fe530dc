import Crypto
import Enforcement
import Foundation

/// A text that a gateway of the park's own choice hands on: JSON with `from`, `body` and `id`, signed with a secret that both know.
///
/// The signature is HMAC-SHA256 in hexadecimal over the time in seconds since 1970, a point, and the body as it was sent. One that is older
/// than five minutes is refused, so that nobody sends what was overheard; within them `id` keeps it from counting twice.
struct SignedText: Decodable, Sendable, Equatable {
    static let timeField = "x-checkpost-timestamp"
    static let signatureField = "x-checkpost-signature"
    static let longestAge = TimeSpan.minutes(5)
    private static let mostID = 100

    var from: String
    var body: String
    var id: String

    enum Refusal: Error, Equatable {
        case signature, time, content
    }

    /// - Throws: ``Refusal`` for what is not signed with the secret, not of now, or no text.
    static func read(
        _ data: Data, time: String?, signature: String?, secret: Secret, now: Instant
    ) throws(Refusal) -> SignedText {
        guard let time, let seconds = Int64(time), (0...99_999_999_999).contains(seconds),
            let code = signature.flatMap(bytes(hexadecimal:)),
            HMAC<SHA256>.isValidAuthenticationCode(
                code, authenticating: Data("\(time).".utf8) + data,
                using: SymmetricKey(data: Data(secret.revealed.utf8)))
        else { throw .signature }
        guard (now - Instant(milliseconds: seconds * 1000)).magnitude <= longestAge else { throw .time }
        guard let text = try? JSONDecoder().decode(SignedText.self, from: data), !text.id.isEmpty,
            text.id.count <= mostID
        else { throw .content }
        return text
    }

    private static func bytes(hexadecimal text: String) -> Data? {
        guard text.utf8.count == 64 else { return nil }
        var bytes = Data()
        var rest = Substring(text)
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
