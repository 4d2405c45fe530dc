import Enforcement
import Foundation

/// What `passage_days` is asked: the days of a post since one of them.
package struct DaysQuestion: Codable, Sendable {
    package var post: UUID

    /// `2026-11-21`
    package var since: String

    package init(post: UUID, since: Instant) {
        self.post = post
        self.since = CivilTime(since).dateText
    }

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case post
        case since
    }

    package func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: CodingKeys.self)
        try body.write(id: post, .post)
        try body.write(since, .since)
    }
}

/// A row of its answer: how many passages a day has, and the hash over them.
package struct DayRow: Codable, Sendable {
    package var day: String
    package var passages: Int
    package var hash: String

    package init(day: String, passages: Int, hash: String) {
        self.day = day
        self.passages = passages
        self.hash = hash
    }
}

/// What `accounts_open` is asked: which of these may still use a console. It answers with a list of those.
package struct AccountsQuestion: Codable, Sendable {
    package var names: [String]

    package init(names: [String]) {
        self.names = names
    }
}
