import Crypto
import Enforcement
import Foundation

/// Signs requests as S3 asks for it: AWS Signature Version 4, with the whole body's hash in it.
struct S3Signature: Sendable {
    let accessKey: String
    let secretKey: Secret
    let region: String

    /// - Parameters:
    ///   - path: as it is sent, percent-encoded (``escaped(_:keeping:)``).
    ///   - query: not encoded.
    ///   - fields: what is signed beside the two that this adds; with `host`, and in lower-case letters.
    /// - Returns: every field that has to be sent.
    func signed(
        _ method: String, _ path: String, query: [(String, String)], fields: [String: String], bodyHash: String,
        at moment: Date
    ) -> [String: String] {
        let format = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        let time = moment.formatted(format)
        let day = String(time.prefix(8))
        var fields = fields
        fields["x-amz-date"] = time
        fields["x-amz-content-sha256"] = bodyHash
        let names = fields.keys.sorted()
        let lines = names.map { "\($0):\(fields[$0]?.trimmingCharacters(in: .whitespaces) ?? "")\n" }.joined()
        let signedNames = names.joined(separator: ";")
        let request = [method, path, Self.query(query), lines, signedNames, bodyHash].joined(separator: "\n")
        let scope = "\(day)/\(region)/s3/aws4_request"
        let text = ["AWS4-HMAC-SHA256", time, scope, Self.hash(Data(request.utf8))].joined(separator: "\n")
        var key = SymmetricKey(data: Data("AWS4\(secretKey.revealed)".utf8))
        for part in [day, region, "s3", "aws4_request"] {
            key = SymmetricKey(data: Data(HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: key)))
        }
        let signature = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key).hexadecimal
        fields["authorization"] =
            "AWS4-HMAC-SHA256 Credential=\(accessKey)/\(scope), SignedHeaders=\(signedNames), Signature=\(signature)"
        return fields
    }

    /// The query as it is signed, and as it is sent.
    static func query(_ query: [(String, String)]) -> String {
        query.map { (escaped($0.0), escaped($0.1)) }.sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
    }

    static func hash(_ data: Data) -> String { SHA256.hash(data: data).hexadecimal }

    /// Percent-encoded, all but letters, digits and `-._~`.
    static func escaped(_ text: String, keeping kept: String = "") -> String {
        text.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            let isPlain = character.isASCII && (character.isLetter || character.isNumber)
            return isPlain || "-._~".contains(character) || kept.contains(character)
                ? String(character) : String(format: "%%%02X", byte)
        }.joined()
    }
}

extension Sequence<UInt8> {
    /// Two small digits for each byte.
    var hexadecimal: String { map { String(format: "%02x", $0) }.joined() }
}
