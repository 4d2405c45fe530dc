import Enforcement
import Foundation

/// What `add-evidence` is asked: entries of one chain, in order.
package struct EvidenceParcel: Codable, Sendable {
    package struct Entry: Codable, Sendable {
        /// As it was hashed and signed, to the byte.
        package var text: String

        /// The public key that it is signed with, 64 hexadecimal digits; nil where its key was lost before.
        package var key: String?

        /// Base64 of 64 bytes.
        package var signature: String?

        package init(text: String, key: String?, signature: Data?) {
            self.text = text
            self.key = key
            self.signature = signature?.base64EncodedString()
        }

        /// Whether the signature is right.
        package var isSigned: Bool {
            guard let key, let bytes = signature.flatMap({ Data(base64Encoded: $0) }) else { return false }
            return EvidenceText(text).isSigned(by: bytes, key: key)
        }
    }

    package var entries: [Entry]

    package init(entries: [Entry]) {
        self.entries = entries
    }

    /// More go in another parcel.
    package static let most = 50
}

/// What it answers.
package struct EvidenceReceipt: Decodable, Sendable {
    /// By the server's clock.
    package var at: Instant

    /// The first number of the chain that the server lacks.
    package var next: Int

    enum CodingKeys: String, CodingKey { case at, next }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        at = try container.decode(ServerTime.self, forKey: .at).instant
        next = try container.decode(Int.self, forKey: .next)
    }
}

/// What `evidence_of` is asked: the entries of a passage, from the end of the parcel before to the end of its own.
package struct EvidenceQuestion: Codable, Sendable {
    package var passage: UUID

    package init(passage: UUID) {
        self.passage = passage
    }

    package enum CodingKeys: String, CodingKey, CaseIterable { case passage }

    package func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: CodingKeys.self)
        try body.write(id: passage, .passage)
    }
}

/// A row of its answer.
package struct EvidenceRow: Decodable, Sendable {
    package var chain: UUID
    package var number: Int
    package var text: String
    package var key: String?
    package var signature: Data?

    /// When the server had the chain up to here; nil within a parcel.
    package var anchoredAt: Instant?

    enum CodingKeys: String, CodingKey {
        case chain, number, text, key, signature
        case anchoredAt = "anchored_at"
    }

    package init(from decoder: any Decoder) throws {
        let cell = try decoder.container(keyedBy: CodingKeys.self)
        chain = try cell.decode(UUID.self, forKey: .chain)
        number = try cell.decode(Int.self, forKey: .number)
        text = try cell.decode(String.self, forKey: .text)
        key = try cell.decodeIfPresent(String.self, forKey: .key)
        signature = try cell.decodeIfPresent(String.self, forKey: .signature).flatMap { Data(base64Encoded: $0) }
        anchoredAt = try cell.decodeIfPresent(ServerTime.self, forKey: .anchoredAt)?.instant
    }
}
