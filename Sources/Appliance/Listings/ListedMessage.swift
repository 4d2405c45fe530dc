import Enforcement
import Foundation
import Storage

/// A message as programs get it.
package struct ListedMessage: Encodable {
    package let id: Int64
    package let passage: String?
    package let number: String
    package let text: String
    package let state: String
    package let handOvers: Int
    package let reason: String?
    package let createdAt: String
    package let handedOverAt: String?
    package let settledAt: String?

    package enum CodingKeys: String, CodingKey {
        case id, passage, number, text, state
        case handOvers = "hand_overs"
        case reason
        case createdAt = "created_at"
        case handedOverAt = "handed_over_at"
        case settledAt = "settled_at"
    }

    package init(_ message: StoredMessage) {
        id = message.id
        passage = message.passageClientID?.uuidString.lowercased()
        number = message.number
        text = message.text
        state = message.state.rawValue
        handOvers = message.handOvers
        reason = message.reason
        createdAt = message.createdAt.iso8601
        handedOverAt = message.handedOverAt?.iso8601
        settledAt = message.settledAt?.iso8601
    }
}
