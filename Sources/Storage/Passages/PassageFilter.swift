import Enforcement
import GRDB

/// Which passages are wanted. What is nil does not matter.
package struct PassageFilter: Sendable, Equatable {
    /// Recorded at or after this.
    package var from: Instant?

    /// Recorded before this.
    package var until: Instant?

    /// A part of the compact plate; spaces and case don't matter.
    package var platePart: String?

    /// Whether `platePart` also finds characters that look alike.
    package var includesLookAlikes: Bool

    package var vehicleType: VehicleType?

    /// Only those with a match (true) or without (false).
    package var isMatched: Bool?

    /// Only those with a violation (true) or without (false).
    package var hasViolation: Bool?

    package var includesWithdrawn: Bool

    package init(
        from: Instant? = nil, until: Instant? = nil, platePart: String? = nil, includesLookAlikes: Bool = false,
        vehicleType: VehicleType? = nil, isMatched: Bool? = nil, hasViolation: Bool? = nil,
        includesWithdrawn: Bool = true
    ) {
        self.from = from
        self.until = until
        self.platePart = platePart
        self.includesLookAlikes = includesLookAlikes
        self.vehicleType = vehicleType
        self.isMatched = isMatched
        self.hasViolation = hasViolation
        self.includesWithdrawn = includesWithdrawn
    }

    /// The condition on `passages AS p`, joined as in `StoredPassage.query`.
    var condition: SQL {
        var condition = shared(by: "p")
        if let isMatched {
            condition += " AND (m.id IS NOT NULL OR p.server_matched_id IS NOT NULL) = \(isMatched)"
        }
        if hasViolation == true {
            // Violations are few: starting from them spares a walk through all passages.
            condition += " AND p.client_id IN (SELECT own_client_id FROM violations WHERE state <> 'withdrawn')"
        } else if hasViolation == false {
            condition += " AND v.id IS NULL"
        }
        return condition
    }

    /// The same on `remote_passages AS r`.
    var conditionElsewhere: SQL {
        var condition = shared(by: "r")
        if let isMatched {
            condition += """
                 AND (r.is_matched = 1 OR EXISTS (SELECT 1 FROM matches AS m WHERE m.remote_client_id = r.client_id
                    AND m.certainty = 'exact' AND m.state <> 'withdrawn')) = \(isMatched)
                """
        }
        if let hasViolation {
            condition += """
                 AND (r.client_id IN (SELECT entry_client_id FROM violations WHERE state <> 'withdrawn'
                    UNION ALL SELECT exit_client_id FROM violations WHERE state <> 'withdrawn')) = \(hasViolation)
                """
        }
        return condition
    }

    /// What the tables of both posts' passages are asked alike.
    private func shared(by table: String) -> SQL {
        var condition: SQL = "1"
        if let from { condition += " AND \(sql: table).recorded_at >= \(from.milliseconds)" }
        if let until { condition += " AND \(sql: table).recorded_at < \(until.milliseconds)" }
        if let platePart {
            let part = platePart.uppercased().filter { !$0.isWhitespace }
            if includesLookAlikes, let pattern = PlateSearch.pattern(lookingLike: part) {
                condition += " AND \(sql: table).plate_compact GLOB \(pattern)"
            } else {
                condition += " AND instr(\(sql: table).plate_compact, \(part)) > 0"
            }
        }
        if let vehicleType { condition += " AND \(sql: table).vehicle_type = \(vehicleType.rawValue)" }
        if !includesWithdrawn { condition += " AND \(sql: table).withdrawn_at IS NULL" }
        return condition
    }
}
