import Enforcement
import Foundation
import GRDB

/// What waits for review, here and at the other post: overstays are judged by it.
extension OtherPostTable {
    /// What is known of the other post.
    package func known() throws -> OtherPost {
        try read("Reading what is known of the other post") { try Self.known($0) }
    }

    /// Keeps what the other post said of its reviews; nil when the server has no word of it any more, which says nothing of what the
    /// post told itself a moment ago. An older word changes nothing.
    package func learn(reviews: OtherPost.Reviews?, at now: Instant) throws {
        try write("Keeping what waits at the other post") { db in
            guard let reviews else {
                return try db.execute(
                    cached: """
                        DELETE FROM other_post_reviews
                        WHERE updated_at < ?
                            OR NOT EXISTS (SELECT 1 FROM peers WHERE status = 'active' AND kind = 'post')
                        """, arguments: [(now - Self.toldItself).milliseconds])
            }
            let waiting = reviews.waiting.prefix(OtherPost.Reviews.most).map {
                StoredWaiting(
                    at: $0.seenAt.milliseconds, plate: $0.plate.canonical, unwatchedFrom: $0.unwatchedFrom?.milliseconds
                )
            }
            try db.execute(
                cached: """
                    INSERT INTO other_post_reviews (id, as_of, waiting, updated_at) VALUES (1, ?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET as_of = excluded.as_of, waiting = excluded.waiting,
                        updated_at = excluded.updated_at
                    WHERE excluded.as_of >= other_post_reviews.as_of
                    """,
                arguments: [
                    reviews.asOf.milliseconds,
                    String(decoding: try JSONEncoder().encode(Array(waiting)), as: UTF8.self),
                    now.milliseconds,
                ])
        }
    }

    /// A post with a direct link tells again within less.
    private static let toldItself = TimeSpan.minutes(15)

    /// When the newest passage was recorded that the other post sent to the server, by a clock that can be believed. A text proves
    /// nothing of what was before it, nor does a time ahead of ours, nor what came in a part of the post's own news.
    package func newestSent(notAfter now: Instant) throws -> Instant? {
        try read("Looking for the other post's newest passage") { db in
            try Int64.fetchOne(
                db,
                cached: """
                    SELECT recorded_at FROM remote_passages
                    WHERE recorded_at <= ? AND is_text = 0 AND clock_state <> 'untrusted' AND server_id IS NOT NULL
                    ORDER BY recorded_at DESC LIMIT 1
                    """, arguments: [now.milliseconds]
            ).map(Instant.init(milliseconds:))
        }
    }

    /// Keeps that the other post is known up to a moment, unless it is known further.
    ///
    /// - Parameter since: from when on; nil for always. Who entered before it, and before what is known already, is not looked for.
    package func learn(knownUpTo moment: Instant, since: Instant? = nil, at now: Instant) throws {
        try write("Keeping up to when the other post is known") { db in
            let known = try Self.knownUpTo(db)
            guard known.map({ $0 < moment }) ?? true else { return }
            if let since, known.map({ $0 < since }) ?? true {
                try db.execute(
                    cached: """
                        INSERT INTO match_progress (name, recorded_at, client_id, window_ms) VALUES ('overstay', ?, '', 0)
                        ON CONFLICT (name) DO UPDATE SET recorded_at = excluded.recorded_at, client_id = ''
                        WHERE excluded.recorded_at > match_progress.recorded_at
                        """, arguments: [since.milliseconds])
            }
            try CursorTable.setCursor(
                db, SyncCursor(name: SyncCursor.otherPostKnownUpTo, value: moment.milliseconds), at: now)
        }
    }

    static func knownUpTo(_ db: Database) throws -> Instant? {
        try CursorTable.value(db, SyncCursor.otherPostKnownUpTo).map(Instant.init(milliseconds:))
    }

    static func known(_ db: Database) throws -> OtherPost {
        let known = try knownUpTo(db)
        let row = try Row.fetchOne(db, cached: "SELECT * FROM other_post_reviews")
        let reviews = try row.map { row in
            OtherPost.Reviews(
                asOf: try row.instant("as_of"),
                waiting: try JSONDecoder().decode([StoredWaiting].self, from: Data(try row.text("waiting").utf8)).map {
                    WaitingSighting(
                        seenAt: Instant(milliseconds: $0.at), plate: Plate(canonical: $0.plate),
                        unwatchedFrom: $0.unwatchedFrom.map(Instant.init(milliseconds:)))
                })
        }
        return OtherPost(knownUpTo: known, reviews: reviews)
    }

    private struct StoredWaiting: Codable {
        let at: Int64
        let plate: String
        let unwatchedFrom: Int64?
    }
}
