import Foundation

/// What `hand_in_text` takes: a signed text of another post that a box kept for it.
package struct HandedText: Codable, Sendable, Equatable {
    package var text: String

    package init(text: String) { self.text = text }
}

/// What it answers: what `receive_sms` says of it.
package struct HandedTextAnswer: Decodable, Sendable, Equatable {
    package var result: String
}
