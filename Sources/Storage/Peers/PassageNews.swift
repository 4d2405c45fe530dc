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
    /// A number is given anew with each change of what another post is told, so that a passage is in it once, as it is now. A number that
    /// was not given yet is of records that are gone, as after a card's older copy was put back: then all is told once more.
    ///
    /// - Parameters:
    ///   - since: older passages are left out.
    ///   - limit: so many at most.
    package func news(after number: Int64, of checkpost: String, since: Instant, limit: Int) throws -> PassageNews {
        try read("Reading what is new") { db in
            let last = try Self.lastNews(db)
            let number = number > last ? 0 : number
            let rows = try Row.fetchAll(
                db,
                cached: """
                    SELECT n.number, n.client_id FROM passage_news AS n
                    CROSS JOIN passages AS p ON p.client_id = n.client_id
                    WHERE n.number > ? AND p.checkpost_code = ? AND p.recorded_at >= ? ORDER BY n.number LIMIT ?
                    """, arguments: [number, checkpost, since.milliseconds, limit])
            var news = PassageNews(upTo: number, hasMore: rows.count == limit)
            for row in rows {
                let query: SQL = "\(StoredPassage.query) WHERE p.client_id = \(try row.text("client_id"))"
                if let found = try SQLRequest<Row>(literal: query).fetchOne(db) {
                    news.passages.append(try StoredPassage(found))
                }
                news.upTo = try row.decode(Int64.self, forColumn: "number")
            }
            // What is left out is not looked at once more.
            if !news.hasMore { news.upTo = last }
            return news
        }
    }

    /// The number of the last change; 0 when there was none.
    package func lastNews() throws -> Int64 {
        try read("Looking for news") { db in
            try Self.lastNews(db)
        }
    }

    private static func lastNews(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, cached: "SELECT max(number) FROM passage_news") ?? 0
    }
}
