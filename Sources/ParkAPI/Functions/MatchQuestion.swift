import Foundation

/// What `match-passage` is asked: entry and exit, in either order.
package struct MatchQuestion: Codable, Sendable, Equatable {
    package var entry: UUID
    package var exit: UUID

    package init(entry: UUID, exit: UUID) {
        self.entry = entry
        self.exit = exit
    }

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case entry = "entry_passage_id"
        case exit = "exit_passage_id"
    }

    package func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: CodingKeys.self)
        try body.write(id: entry, .entry)
        try body.write(id: exit, .exit)
    }
}

/// What it answers.
package struct MatchAnswer: Decodable, Sendable {
    package var matched: Bool

    /// Nil for a lawful match.
    package var violation: ViolationRow?
}
