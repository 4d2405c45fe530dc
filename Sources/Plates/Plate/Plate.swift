/// A number plate in its two written forms.
///
/// Two plates are equal when their compact forms are: spaces are for people.
package struct Plate: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Upper-case Latin letters and digits, groups separated by one space: `BA 1 PA 1234`. What people are shown.
    package let canonical: String

    /// The canonical form without its spaces: `BA1PA1234`. What is matched, and what an SMS carries.
    package let compact: String

    /// Takes a canonical form as it stands, but for its case: what another system stored in lower case is the same plate.
    ///
    /// `PlateNormalizer` makes one from what a camera or a person wrote.
    package init(canonical: String) {
        self.canonical = canonical.uppercased()
        self.compact = self.canonical.filter { $0 != " " }
    }

    /// What stands for a character that could not be read.
    package static let gap: Character = "?"

    /// Whether some of it could not be read. Such a plate equals no other one for certain: it is matched as possible only.
    package var isPartial: Bool { compact.contains(Self.gap) }

    package init(from decoder: any Decoder) throws {
        self.init(canonical: try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(canonical)
    }

    package var description: String { canonical }

    package static func == (left: Plate, right: Plate) -> Bool { left.compact == right.compact }
    package func hash(into hasher: inout Hasher) { hasher.combine(compact) }
}
