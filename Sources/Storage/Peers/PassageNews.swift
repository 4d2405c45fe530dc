import Enforcement
import Foundation
import GRDB

/// A part of what is new at this post, in the order of its changes.
package struct PassageNews: Sendable {
    package var passages: [StoredPassage] = []

    /// All up to this number is in it, or was before.
    package var upTo: Int64

    /// There is more behind it.
    package var hasMore = false
}

extension PassageTable {
    /// What changed of this post's passages behind a number.
    ///
    /// A number is given anew with each change of what another post is told, so that a passage is in it once, as it is now.
    ///
    /// - Parameters:
    ///   - since: older passages are left out.
    ///   - limit: so many are looked at.
    package func news(after number: Int64, of checkpost: String, since: Instant, limit: Int) throws -> PassageNews {
        try read("Reading what is new") { db in
            let rows = try Row.fetchAll(
                db, cached: "SELECT number, client_id FROM passage_news WHERE number > ? ORDER BY number LIMIT ?",
                arguments: [number, limit])
            var news = PassageNews(upTo: number, hasMore: rows.count == limit)
            for row in rows {
                let id = try row.text("client_id")
                let query: SQL = """
                    \(StoredPassage.query) WHERE p.client_id = \(id) AND p.checkpost_code = \(checkpost)
                        AND p.recorded_at >= \(since.milliseconds)
                    """
                if let found = try SQLRequest<Row>(literal: query).fetchOne(db) {
                    news.passages.append(try StoredPassage(found))
                }
                news.upTo = try row.decode(Int64.self, forColumn: "number")
            }
            return news
        }
    }

    /// The number of the last change; 0 when there was none.
    package func lastNews() throws -> Int64 {
        try read("Looking for news") { db in
            try Int64.fetchOne(db, cached: "SELECT max(number) FROM passage_news") ?? 0
        }
    }
}
