import Enforcement
import Foundation
import GRDB

/// Which violations are wanted. What is nil does not matter.
package struct ViolationFilter: Sendable, Equatable {
    /// The exit was at or after this.
    package var from: Instant?

    /// The exit was before this.
    package var until: Instant?

    package var kind: Violation.Kind?

    /// A part of the compact plate; spaces and case don't matter.
    package var platePart: String?

    /// Of this passage, as the entry or the exit.
    package var passage: UUID?

    /// Only this plate's.
    package var plate: Plate?

    /// Only those with an outcome (true) or without (false).
    package var hasOutcome: Bool?

    package var includesWithdrawn: Bool

    package init(
        from: Instant? = nil, until: Instant? = nil, kind: Violation.Kind? = nil, platePart: String? = nil,
        plate: Plate? = nil, passage: UUID? = nil, hasOutcome: Bool? = nil, includesWithdrawn: Bool = false
    ) {
        self.from = from
        self.until = until
        self.kind = kind
        self.platePart = platePart
        self.passage = passage
        self.plate = plate
        self.hasOutcome = hasOutcome
        self.includesWithdrawn = includesWithdrawn
    }

    var condition: SQL {
        var condition: SQL = "1"
        if let from { condition += " AND v.exit_time >= \(from.milliseconds)" }
        if let until { condition += " AND v.exit_time < \(until.milliseconds)" }
        if let kind { condition += " AND v.kind = \(kind.rawValue)" }
        if let platePart {
            condition += " AND instr(v.plate_compact, \(platePart.uppercased().filter { !$0.isWhitespace })) > 0"
        }
        if let passage { condition += " AND \(passage.stored) IN (v.entry_client_id, v.exit_client_id)" }
        if let plate { condition += " AND v.plate_compact = \(plate.compact)" }
        if let hasOutcome { condition += " AND (o.id IS NOT NULL) = \(hasOutcome)" }
        if !includesWithdrawn { condition += " AND v.state <> 'withdrawn'" }
        return condition
    }
}

/// A violation with what the ranger did about it.
package struct StoredViolation: Sendable, Equatable, Identifiable {
    package var violation: Violation
    package var outcome: Outcome?

    /// Whether the plate is on the list of exempt vehicles, and why.
    package var exemptReason: String?

    package var createdAt: Instant
    package var id: UUID { violation.id }
}

/// Violations, and what rangers did about them.
package struct ViolationTable: Table {
    let store: Store
}

extension ViolationTable {
    /// Hands them to `body`, the newest exit first, a page at a time.
    package func forEach(_ filter: ViolationFilter, _ body: (StoredViolation) throws -> Void) throws {
        let page = PassageTable.exportPage
        for offset in stride(from: 0, to: Int.max, by: page) {
            let violations = try list(filter, limit: page, offset: offset)
            try violations.forEach(body)
            if violations.count < page { return }
        }
    }

    /// Violations, the newest exit first.
    package func list(_ filter: ViolationFilter = ViolationFilter(), limit: Int = 100, offset: Int = 0) throws
        -> [StoredViolation]
    {
        let query: SQL = """
            \(Self.violationQuery) WHERE \(filter.condition)
            ORDER BY v.exit_time DESC, v.id LIMIT \(limit) OFFSET \(offset)
            """
        return try read("Reading violations") { db in
            try SQLRequest<Row>(literal: query).fetchAll(db).map(Self.storedViolation)
        }
    }

    /// Violations that were taken back since then, whoever did it, though a driver had been troubled with them; the last first, a hundred at
    /// most. None of them is one whose entry or exit belongs to a violation that holds: there it was found anew.
    package func takenBackThoughActedOn(since: Instant) throws -> [StoredViolation] {
        let kinds = Outcome.Kind.allCases.filter(\.reachedDriver).map(\.rawValue)
        let query: SQL = """
            \(Self.violationQuery) WHERE v.state = 'withdrawn' AND v.withdrawn_at >= \(since.milliseconds) AND o.kind IN \(kinds)
                AND NOT EXISTS (
                    SELECT 1 FROM violations AS a WHERE a.state <> 'withdrawn' AND a.exit_client_id = v.exit_client_id)
                AND NOT EXISTS (
                    SELECT 1 FROM violations AS a WHERE a.state <> 'withdrawn' AND a.entry_client_id = v.entry_client_id)
            ORDER BY v.withdrawn_at DESC, v.id LIMIT 100
            """
        return try read("Reading violations that were taken back") { db in
            try SQLRequest<Row>(literal: query).fetchAll(db).map(Self.storedViolation)
        }
    }

    package func violation(id: UUID) throws -> StoredViolation? {
        let query: SQL = "\(Self.violationQuery) WHERE v.id = \(id.stored)"
        return try read("Reading a violation") { db in
            try SQLRequest<Row>(literal: query).fetchOne(db).map(Self.storedViolation)
        }
    }

    /// Records what the ranger did. An earlier outcome of the same violation stays on record as its history. The queue gets
    /// an entry of its own when the violation belongs to a passage of this post.
    ///
    /// - Throws: `StoreError` of kind `unknown` when there is no such violation.
    package func record(_ outcome: Outcome, ofViolation id: UUID) throws {
        try write("Recording an outcome") { db in
            guard
                let row = try Row.fetchOne(db, cached: "SELECT * FROM violations WHERE id = ?", arguments: [id.stored])
            else {
                throw StoreError(.unknown, "There is no violation \(id.stored).")
            }
            try Self.insert(db, outcome, violation: id.stored, isOwn: true, at: outcome.recordedAt)
            guard let own = try row.optionalText("own_client_id") else { return }
            try QueueTable.enqueue(db, .outcome, passage: own, subject: db.lastInsertedRowID, at: outcome.recordedAt)
        }
    }

    /// Writes what holds from now on; what held before stays as its history. Part of a transaction.
    ///
    /// - Parameter isOwn: whether somebody of this post recorded it.
    static func insert(_ db: Database, _ outcome: Outcome, violation: String, isOwn: Bool, at now: Instant) throws {
        try db.execute(
            cached: "UPDATE violation_outcomes SET replaced_at = ? WHERE violation_id = ? AND replaced_at IS NULL",
            arguments: [now.milliseconds, violation])
        try db.execute(
            cached: """
                INSERT INTO violation_outcomes (violation_id, kind, fine_amount, notes, recorded_by, recorded_at, is_own)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                violation, outcome.kind.rawValue, outcome.fineAmount, outcome.notes, outcome.recordedBy,
                outcome.recordedAt.milliseconds, isOwn,
            ])
    }

    /// All outcomes that a violation ever had, the newest first.
    package func outcomes(ofViolation id: UUID) throws -> [Outcome] {
        try read("Reading outcomes") { db in
            try Row.fetchAll(
                db, cached: "SELECT * FROM violation_outcomes WHERE violation_id = ? ORDER BY id DESC",
                arguments: [id.stored]
            ).map { try Self.outcome($0, prefix: "") }
        }
    }

    static func insert(
        _ db: Database, _ violation: Violation, matchID: Int64?, own: UUID?, at now: Instant
    ) throws {
        try db.execute(
            cached: """
                INSERT INTO violations (id, match_id, own_client_id, kind, entry_client_id, exit_client_id, plate,
                    plate_compact, vehicle_type, entry_time, exit_time, distance_km, speed_limit_kmh, tolerance_kmh,
                    tolerance_percent, calculated_speed_kmh, is_implausible, state, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                violation.id.stored, matchID, own?.stored, violation.kind.rawValue, violation.entryClientID.stored,
                violation.exitClientID.stored, violation.plate.canonical, violation.plate.compact,
                violation.vehicleType.rawValue, violation.entryTime.milliseconds, violation.exitTime.milliseconds,
                violation.distanceKm, violation.speedLimitKmh, violation.toleranceKmh, violation.tolerancePercent,
                violation.calculatedSpeedKmh, violation.isImplausible, violation.state.rawValue, now.milliseconds,
            ])
    }

    private static let violationQuery: SQL = """
        SELECT v.*, x.reason AS exempt_reason, o.kind AS o_kind, o.fine_amount AS o_fine_amount, o.notes AS o_notes,
            o.recorded_by AS o_recorded_by, o.recorded_at AS o_recorded_at
        FROM violations AS v
        LEFT JOIN violation_outcomes AS o ON o.violation_id = v.id AND o.replaced_at IS NULL
        LEFT JOIN every_exempt_plate AS x ON x.compact = v.plate_compact
        """

    private static func storedViolation(_ row: Row) throws -> StoredViolation {
        StoredViolation(
            violation: try row.violation(),
            outcome: try row.optionalText("o_kind") == nil ? nil : outcome(row, prefix: "o_"),
            exemptReason: try row.optionalText("exempt_reason"), createdAt: try row.instant("created_at"))
    }

    static func outcome(_ row: Row, prefix: String) throws -> Outcome {
        Outcome(
            kind: try row.choice(prefix + "kind"), fineAmount: try row.optionalNumber(prefix + "fine_amount"),
            notes: try row.optionalText(prefix + "notes"), recordedBy: try row.text(prefix + "recorded_by"),
            recordedAt: try row.instant(prefix + "recorded_at"))
    }
}
