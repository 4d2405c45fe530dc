import Enforcement
import Foundation
import GRDB

/// A passage that matching has to look at: it is new, it changed, or it lost its match.
package struct MatchWork: Sendable, Equatable {
    package enum Side: String, Sendable, Codable {
        /// Of this post.
        case own
        /// Of the other post.
        case remote
    }

    package var id: Int64
    package var side: Side

    /// nil where the database holds something else: it is ticked off with the others.
    package var clientID: UUID?
}

/// How far a walk through this post's passages has come: after the one that was recorded then and has this id.
package struct MatchProgress: Sendable, Equatable {
    package var recordedAt: Instant
    package var clientID: String

    /// The matching window of the walk; another one begins anew.
    package var window: TimeSpan

    package init(recordedAt: Instant, clientID: String, window: TimeSpan) {
        self.recordedAt = recordedAt
        self.clientID = clientID
        self.window = window
    }

    /// The walk that looks for matches once more, after the window changed.
    package static let sweep = "sweep"

    /// The walk that judges each entry when its longest time is over.
    package static let overstay = "overstay"
}

extension MatchTable {
    /// What matching has to look at, in the order in which it came.
    package func work(limit: Int) throws -> [MatchWork] {
        try read("Reading what is to be matched") { db in
            try Row.fetchAll(db, cached: "SELECT * FROM match_work ORDER BY id LIMIT ?", arguments: [limit]).map {
                MatchWork(
                    id: try $0.decode(Int64.self, forColumn: "id"), side: try $0.choice("side"),
                    clientID: UUID(uuidString: try $0.text("client_id")))
            }
        }
    }

    /// Takes passages off the list. One that changed meanwhile is on it under another id, and stays.
    package func finish(_ work: [MatchWork]) throws {
        guard !work.isEmpty else { return }
        try write("Ticking off what was matched") { db in
            let statement = try db.makeStatement(sql: "DELETE FROM match_work WHERE id = ?")
            for item in work { try statement.execute(arguments: [item.id]) }
        }
    }

    package func progress(_ name: String) throws -> MatchProgress? {
        try read("Reading how far matching has come") { db in
            try Row.fetchOne(db, cached: "SELECT * FROM match_progress WHERE name = ?", arguments: [name]).map {
                MatchProgress(
                    recordedAt: try $0.instant("recorded_at"), clientID: try $0.text("client_id"),
                    window: TimeSpan(milliseconds: try $0.decode(Int64.self, forColumn: "window_ms")))
            }
        }
    }

    package func set(_ progress: MatchProgress, of name: String) throws {
        try write("Noting how far matching has come") { db in
            try db.execute(
                cached: """
                    INSERT INTO match_progress (name, recorded_at, client_id, window_ms) VALUES (?, ?, ?, ?)
                    ON CONFLICT (name) DO UPDATE SET recorded_at = excluded.recorded_at, client_id = excluded.client_id,
                        window_ms = excluded.window_ms
                    """,
                arguments: [
                    name, progress.recordedAt.milliseconds, progress.clientID, progress.window.milliseconds,
                ])
        }
    }

    /// One step of a walk through this post's passages in the order of time.
    ///
    /// - Returns: the unmatched ones among the next `limit`, and how far it came; nil when there is nothing further.
    package func nextPassages(
        after progress: MatchProgress, limit: Int
    ) throws -> (unmatched: [MatchablePassage], progress: MatchProgress)? {
        try read("Walking through the passages") { db in
            let page = try Row.fetchAll(
                db,
                cached: """
                    SELECT recorded_at, client_id FROM passages WHERE (recorded_at, client_id) > (?, ?)
                    ORDER BY recorded_at, client_id LIMIT ?
                    """, arguments: [progress.recordedAt.milliseconds, progress.clientID, limit])
            guard let last = page.last else { return nil }
            let unmatched = try page.compactMap {
                try Self.unmatched(db, .own, clientID: try $0.text("client_id"))
            }
            return (
                unmatched,
                MatchProgress(
                    recordedAt: try last.instant("recorded_at"), clientID: try last.text("client_id"),
                    window: progress.window)
            )
        }
    }

    /// Passages of either post recorded from `from` to `to`, both included, that have no match, the oldest first.
    package func unmatched(_ side: MatchWork.Side, from: Instant, to: Instant) throws -> [MatchablePassage] {
        let (table, isUnmatched) = side.source
        return try read("Reading unmatched passages") { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM \(table) WHERE recorded_at BETWEEN ? AND ? AND \(isUnmatched)
                    ORDER BY recorded_at, client_id
                    """, arguments: [from.milliseconds, to.milliseconds]
            ).compactMap { try $0.matchable() }
        }
    }

    /// A passage of either post; nil when it is matched, withdrawn, gone, or makes no sense.
    package func unmatched(_ side: MatchWork.Side, clientID: UUID) throws -> MatchablePassage? {
        try read("Reading an unmatched passage") { try Self.unmatched($0, side, clientID: clientID.stored) }
    }

    private static func unmatched(
        _ db: Database, _ side: MatchWork.Side, clientID: String
    ) throws -> MatchablePassage? {
        let (table, isUnmatched) = side.source
        let statement = try db.cachedStatement(
            sql: "SELECT * FROM \(table) WHERE client_id = ? AND \(isUnmatched)")
        return try Row.fetchOne(statement, arguments: [clientID]).flatMap { try $0.matchable() }
    }
}

extension MatchWork.Side {
    /// The table, with the alias that the condition for its unmatched rows needs.
    var source: (table: String, isUnmatched: String) {
        switch self {
        case .own: ("passages AS p", MatchTable.ownIsUnmatched)
        case .remote: ("remote_passages AS r", MatchTable.remoteIsUnmatched)
        }
    }
}
