import Enforcement
import GRDB

@testable import Storage

/// What has no match, at a look: the program never asks for all of it.
extension Store {
    /// Passages of this post recorded from `from` to `to`, both included, the oldest first.
    func unmatchedPassages(from: Instant, to: Instant) throws -> [MatchablePassage] {
        try unmatched(.own, from: from, to: to)
    }

    /// Passages of the other post recorded from `from` to `to`, both included, the oldest first.
    func unmatchedRemotePassages(from: Instant, to: Instant) throws -> [MatchablePassage] {
        try unmatched(.remote, from: from, to: to)
    }

    private func unmatched(_ side: MatchWork.Side, from: Instant, to: Instant) throws -> [MatchablePassage] {
        let (table, isUnmatched) = side.source
        return try read("Reading unmatched passages") { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM \(table) WHERE recorded_at BETWEEN ? AND ? AND \(isUnmatched)
                    ORDER BY recorded_at, client_id
                    """, arguments: [from.milliseconds, to.milliseconds]
            ).map { try $0.matchablePassage() }
        }
    }
}
