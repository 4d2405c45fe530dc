import Enforcement
import Foundation
import GRDB

/// A passage for a box of the road that begins.
package struct SeedPassage: Sendable {
    package var passage: MatchablePassage
    /// Whether the server has matched it.
    package var isMatched: Bool
}

extension OtherPostTable {
    /// Passages that are at the server and in force, the oldest first: those that this box has of the other post, or its own, for a box there.
    ///
    /// - Parameter own: this post's code, for its own passages; nil for those of the other post.
    package func seed(ofPost own: String?, since: Instant, limit: Int) throws -> [SeedPassage] {
        try read("Reading passages for a seed") { db in
            if let own {
                return try Row.fetchAll(
                    db,
                    cached: """
                        SELECT *, NULL AS server_sequence, server_matched_id IS NOT NULL AS is_matched FROM passages
                        WHERE recorded_at >= ? AND checkpost_code = ? AND withdrawn_at IS NULL AND server_id IS NOT NULL
                        ORDER BY recorded_at, client_id LIMIT ?
                        """, arguments: [since.milliseconds, own, limit]
                ).map(Self.seed)
            }
            return try Row.fetchAll(
                db,
                cached: """
                    SELECT * FROM remote_passages
                    WHERE recorded_at >= ? AND withdrawn_at IS NULL AND server_id IS NOT NULL
                    ORDER BY recorded_at, client_id LIMIT ?
                    """, arguments: [since.milliseconds, limit]
            ).map(Self.seed)
        }
    }

    private static func seed(_ row: Row) throws -> SeedPassage {
        SeedPassage(passage: try row.remotePassage(), isMatched: try row.flag("is_matched"))
    }

    /// Of these ids those that no passage of the other post has here.
    package func unknown(among ids: [UUID]) throws -> Set<UUID> {
        try read("Looking up the other post's passages") { db in
            Set(
                try ids.filter { id in
                    try Bool.fetchOne(
                        db, cached: "SELECT EXISTS (SELECT 1 FROM remote_passages WHERE client_id = ?)",
                        arguments: [id.stored]) != true
                })
        }
    }
}
