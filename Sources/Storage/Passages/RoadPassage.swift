import Enforcement
import Foundation
import GRDB

/// A passage of the other post with what is known of it here.
package struct OtherPassage: Sendable, Equatable {
    package var passage: MatchablePassage
    package var withdrawnAt: Instant?

    /// Whether it is matched, here or at the server.
    package var isMatched: Bool

    /// The passage of this post that it is matched with here.
    package var counterpart: UUID?

    /// The violation that holds.
    package var violation: Violation?

    static let query: SQL = """
        SELECT r.*, m.own_client_id AS own_client_id,
            v.id AS v_id, v.kind AS v_kind, v.entry_client_id AS v_entry_client_id, v.exit_client_id AS v_exit_client_id,
            v.plate AS v_plate, v.vehicle_type AS v_vehicle_type, v.entry_time AS v_entry_time,
            v.exit_time AS v_exit_time, v.distance_km AS v_distance_km, v.speed_limit_kmh AS v_speed_limit_kmh,
            v.tolerance_kmh AS v_tolerance_kmh, v.tolerance_percent AS v_tolerance_percent,
            v.calculated_speed_kmh AS v_calculated_speed_kmh, v.is_implausible AS v_is_implausible, v.state AS v_state
        FROM remote_passages AS r
        LEFT JOIN matches AS m ON m.remote_client_id = r.client_id AND m.certainty = 'exact' AND m.state <> 'withdrawn'
        LEFT JOIN violations AS v ON v.id = (SELECT x.id FROM violations AS x WHERE x.state <> 'withdrawn'
            AND (x.entry_client_id = r.client_id OR x.exit_client_id = r.client_id) LIMIT 1)
        """

    init(_ row: Row) throws {
        passage = try row.remotePassage()
        withdrawnAt = try row.optionalInstant("withdrawn_at")
        counterpart = try row.optionalUUID("own_client_id")
        isMatched = try counterpart != nil || row.flag("is_matched")
        violation = try row.optionalText("v_id") == nil ? nil : row.violation(prefix: "v_")
    }
}

/// A passage of either post.
package enum RoadPassage: Sendable, Equatable {
    case own(StoredPassage)
    case other(OtherPassage)
}

extension RoadPassage {
    fileprivate var mark: RoadMark {
        switch self {
        case .own(let stored): RoadMark(time: stored.passage.recordedAt.milliseconds, id: stored.id.stored)
        case .other(let other):
            RoadMark(time: other.passage.recordedAt.milliseconds, id: other.passage.clientID.stored)
        }
    }
}

/// A place among the passages of both posts, in the order of their times.
package struct RoadMark: Sendable, Equatable {
    fileprivate var time: Int64
    fileprivate var id: String
}

/// Whose passages are wanted.
package enum RoadPosts: String, Sendable, CaseIterable {
    case both
    case own
    case other
}

extension PassageTable {
    /// A passage of the other post; nil when it isn't known here.
    package func elsewhere(clientID: UUID) throws -> OtherPassage? {
        let query: SQL = "\(OtherPassage.query) WHERE r.client_id = \(clientID.stored)"
        return try read("Reading a passage of the other post") { db in
            try SQLRequest<Row>(literal: query).fetchOne(db).map(OtherPassage.init)
        }
    }

    /// Passages of the posts, the newest first.
    package func road(_ filter: PassageFilter, of posts: RoadPosts, limit: Int, offset: Int = 0) throws -> [RoadPassage]
    {
        // One query has all that is known of this post's own.
        if posts == .own { return try list(filter, limit: limit, offset: offset).map { .own($0) } }
        return try read("Reading passages") { db in
            let order: SQL = "ORDER BY recorded_at DESC, client_id DESC LIMIT \(limit) OFFSET \(offset)"
            return try Self.road(db, filter, posts, after: nil, order)
        }
    }

    /// Passages of the posts, the oldest first, a page at a time: memory stays small however long the span, and the write-ahead log is not
    /// held up by whoever takes long with a page.
    ///
    /// - Parameter mark: where the page before ended; nil for the first.
    /// - Returns: the page, and where it ended; nil when it was the last one.
    package func roadPage(
        _ filter: PassageFilter, of posts: RoadPosts, after mark: RoadMark?
    ) throws -> (passages: [RoadPassage], next: RoadMark?) {
        let order: SQL = "ORDER BY recorded_at, client_id LIMIT \(Self.exportPage)"
        let page = try read("Reading passages") { db in try Self.road(db, filter, posts, after: mark, order) }
        return (page, page.count == Self.exportPage ? page.last?.mark : nil)
    }

    /// The order stands on the compound itself, so that SQLite walks both tables by their indexes of time and sorts nothing.
    ///
    /// - Parameters:
    ///   - last: what is later is wanted alone.
    ///   - order: in which order, and how many.
    private static func road(
        _ db: Database, _ filter: PassageFilter, _ posts: RoadPosts, after last: RoadMark?,
        _ order: SQL
    ) throws -> [RoadPassage] {
        func later(_ table: String) -> SQL {
            last.map { " AND (\(sql: table).recorded_at, \(sql: table).client_id) > (\($0.time), \($0.id))" } ?? ""
        }
        let own: SQL = """
            SELECT p.client_id, p.recorded_at, 0 AS is_other FROM passages AS p
            LEFT JOIN matches AS m ON m.own_client_id = p.client_id AND m.certainty = 'exact' AND m.state <> 'withdrawn'
            LEFT JOIN violations AS v ON v.id = (SELECT x.id FROM violations AS x
                WHERE x.own_client_id = p.client_id AND x.state <> 'withdrawn' ORDER BY x.match_id IS NULL, x.id LIMIT 1)
            WHERE \(filter.condition)\(later("p"))
            """
        let other: SQL = """
            SELECT r.client_id, r.recorded_at, 1 AS is_other FROM remote_passages AS r
            WHERE \(filter.conditionElsewhere)\(later("r"))
            """
        let all: SQL =
            switch posts {
            case .own: own
            case .other: other
            case .both: "\(own) UNION ALL \(other)"
            }
        let request: SQL = "\(all) \(order)"
        return try SQLRequest<Row>(literal: request).fetchAll(db).compactMap { row in
            let id = try row.text("client_id")
            if try row.flag("is_other") {
                return try SQLRequest<Row>(literal: "\(OtherPassage.query) WHERE r.client_id = \(id)").fetchOne(db)
                    .map { .other(try OtherPassage($0)) }
            }
            return try SQLRequest<Row>(literal: "\(StoredPassage.query) WHERE p.client_id = \(id)").fetchOne(db)
                .map { .own(try StoredPassage($0)) }
        }
    }
}
