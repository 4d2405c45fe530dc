import Enforcement
import Foundation
import GRDB

/// The passages of a plate before and after a moment, matched or not. Each question is answered by an index, and bounded.
struct WalkQuery {
    let side: MatchWork.Side

    /// So many of each post, before the moment and after it.
    static let most = 50

    /// Arguments: plate, moment, limit.
    var before: String { query("< ?", "DESC") }
    var after: String { query(">= ?", "ASC") }

    private func query(_ moment: String, _ order: String) -> String {
        let (table, id, partner) =
            side == .own
            ? ("passages", "p.client_id", "m.remote_client_id") : ("remote_passages", "r.client_id", "m.own_client_id")
        let (alias, other) = side == .own ? ("p", "remote_passages AS r") : ("r", "passages AS p")
        let own = side == .own ? "own_client_id" : "remote_client_id"
        // The server's word keeps a pair, and so does a ranger's outcome.
        return """
            SELECT \(alias).*, \(partner) AS partner,
                p.server_matched_id IS NOT NULL OR coalesce(r.is_matched, 0) OR coalesce(m.state = 'confirmed', 0)
                    OR EXISTS (SELECT 1 FROM violations AS v JOIN violation_outcomes AS o ON o.violation_id = v.id
                        WHERE v.match_id = m.id AND v.state <> 'withdrawn' AND o.replaced_at IS NULL) AS is_kept
            FROM \(table) AS \(alias)
            LEFT JOIN matches AS m ON m.\(own) = \(id) AND m.certainty = 'exact' AND m.state <> 'withdrawn'
            LEFT JOIN \(other) ON \(side == .own ? "r.client_id" : "p.client_id") = \(partner)
            WHERE \(alias).plate_compact = ? AND \(alias).recorded_at \(moment) AND \(alias).withdrawn_at IS NULL
            ORDER BY \(alias).recorded_at \(order) LIMIT ?
            """
    }
}

extension MatchTable {
    /// The passages of both posts with this plate, around a moment, and how they are matched.
    package func steps(of plate: Plate, around moment: Instant) throws -> [PairWalk.Step] {
        try read("Looking for a vehicle's passages") { db in
            let before = try Self.steps(db, plate, moment) { $0.before }
            let after = try Self.steps(db, plate, moment) { $0.after }
            // Beyond the end of the shorter list there may be passages of that post that are not here.
            let from = before.filter { $0.count == WalkQuery.most }.compactMap { $0.map(\.passage.recordedAt).min() }
                .max()
            let to = after.filter { $0.count == WalkQuery.most }.compactMap { $0.map(\.passage.recordedAt).max() }.min()
            return before.joined().filter { step in from.map { step.passage.recordedAt >= $0 } ?? true }
                + after.joined().filter { step in to.map { step.passage.recordedAt <= $0 } ?? true }
        }
    }

    private static func steps(
        _ db: Database, _ plate: Plate, _ moment: Instant, _ question: (WalkQuery) -> String
    ) throws -> [[PairWalk.Step]] {
        try [MatchWork.Side.own, .remote].map { side in
            try Row.fetchAll(
                db.cachedStatement(sql: question(WalkQuery(side: side))),
                arguments: [plate.compact, moment.milliseconds, WalkQuery.most]
            ).compactMap { row in
                guard let passage = try row.matchable() else { return nil }
                return PairWalk.Step(passage, partner: try row.optionalUUID("partner"), isKept: try row.flag("is_kept"))
            }
        }
    }
}
