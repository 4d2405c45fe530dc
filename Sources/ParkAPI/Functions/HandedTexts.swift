import Foundation

/// What `hand_in_texts` takes: signed texts of other posts that a box kept for them, in the order in which it got them.
package struct HandedTexts: Codable, Sendable, Equatable {
    /// More are not taken at once.
    package static let most = 20

    package var texts: [String]

    package init(texts: [String]) { self.texts = texts }
}

/// What it answers: of each text, in order, what `receive_sms` says of it.
package struct HandedTextsAnswer: Decodable, Sendable, Equatable {
    package var results: [String]
}
