/// A text that must not be seen: a password, a key, a token, an address with a login in it.
///
/// Whatever describes it says `…`: interpolation, `print`, `dump`, a description of what holds it, an encoder. A text that is written
/// to a log by mistake, or by a library that logs what it was given, then says nothing. Only ``revealed`` gives the text away; each
/// use of it can be looked up.
package struct Secret: Sendable, Hashable {
    /// What stands in its place.
    package static let mask = "…"

    /// The text itself, for the one place that needs it.
    package let revealed: String

    package init(_ text: String) {
        revealed = text
    }

    package var isEmpty: Bool { revealed.isEmpty }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { Self.mask }
    package var debugDescription: String { Self.mask }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) {
        self.init(text)
    }
}

extension Secret: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the mask: what is encoded ends in a report, a backup or a log.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.mask)
    }
}
