import Enforcement
import Foundation
import GRDB

/// A violation as the server judged it. Its passages are named by the server's row ids.
package struct ServerViolation: Sendable, Equatable {
    package var serverID: UUID
    package var kind: Violation.Kind
    package var entryServerID: UUID
    package var exitServerID: UUID
    package var plate: Plate
    package var vehicleType: VehicleType
    package var entryTime: Instant
    package var exitTime: Instant
    package var distanceKm: Double
    package var speedLimitKmh: Double
    package var toleranceKmh: Double
    package var tolerancePercent: Double
    package var calculatedSpeedKmh: Double?
    package var isImplausible: Bool

    package init(
        serverID: UUID, kind: Violation.Kind, entryServerID: UUID, exitServerID: UUID, plate: Plate,
        vehicleType: VehicleType, entryTime: Instant, exitTime: Instant, distanceKm: Double, speedLimitKmh: Double,
        toleranceKmh: Double = 0, tolerancePercent: Double = 0, calculatedSpeedKmh: Double?, isImplausible: Bool
    ) {
        self.serverID = serverID
        self.kind = kind
        self.entryServerID = entryServerID
        self.exitServerID = exitServerID
        self.plate = plate
        self.vehicleType = vehicleType
        self.entryTime = entryTime
        self.exitTime = exitTime
        self.distanceKm = distanceKm
        self.speedLimitKmh = speedLimitKmh
        self.toleranceKmh = toleranceKmh
        self.tolerancePercent = tolerancePercent
        self.calculatedSpeedKmh = calculatedSpeedKmh
        self.isImplausible = isImplausible
    }
}

/// An overstay alert as the server raised it.
package struct ServerAlert: Sendable, Equatable {
    package var entryServerID: UUID
    package var plate: Plate
    package var vehicleType: VehicleType
    package var entryTime: Instant
    package var expectedExitBy: Instant
    package var resolvedAt: Instant?

    /// Who answered for the vehicle, and how; nil when it came out, or when nobody did.
    package var resolvedBy: String?
    package var resolvedReason: String?

    package init(
        entryServerID: UUID, plate: Plate, vehicleType: VehicleType, entryTime: Instant, expectedExitBy: Instant,
        resolvedAt: Instant?, resolvedBy: String? = nil, resolvedReason: String? = nil
    ) {
        self.entryServerID = entryServerID
        self.plate = plate
        self.vehicleType = vehicleType
        self.entryTime = entryTime
        self.expectedExitBy = expectedExitBy
        self.resolvedAt = resolvedAt
        self.resolvedBy = resolvedBy
        self.resolvedReason = resolvedReason
    }
}

extension Store {
    /// Takes in violations that the server judged: those found here are confirmed and take its figures, the others are new.
    /// Repeating it changes nothing.
    ///
    /// - Parameter cursor: moves in the same transaction.
    /// - Throws: `StoreError` of kind `unknown` when a passage that one refers to is not here; then nothing is written, and
    ///   the cursor stays.
    package func take(_ violations: [ServerViolation], cursor: SyncCursor? = nil, at now: Instant) throws {
        try write("Taking in violations") { db in
            for violation in violations { try Self.take(db, violation, at: now) }
            if let cursor { try Self.setCursor(db, cursor, at: now) }
        }
    }

    /// Withdraws violations of matches that the server confirmed without a violation: those found here, and those that the server itself
    /// had found, lost, and not found again. To be asked when the server's violations are all here.
    ///
    /// - Returns: how many.
    @discardableResult
    package func withdrawUnconfirmedViolations(at now: Instant) throws -> Int {
        try write("Withdrawing violations") { db in
            try db.execute(
                cached: """
                    UPDATE violations SET state = 'withdrawn', withdrawn_at = ?
                    WHERE state = 'provisional' AND server_id IS NULL
                        AND (match_id IN (SELECT id FROM matches WHERE state = 'confirmed')
                            OR (match_id IS NULL AND own_client_id IN (
                                SELECT client_id FROM passages WHERE server_matched_id IS NOT NULL)))
                    """, arguments: [now.milliseconds])
            return db.changesCount
        }
    }

    /// Takes in the server's overstay alerts. Those of the other post's entries are left out: they are that post's.
    package func take(_ alerts: [ServerAlert], cursor: SyncCursor? = nil, at now: Instant) throws {
        try write("Taking in overstay alerts") { db in
            for alert in alerts { try Self.take(db, alert, at: now) }
            if let cursor { try Self.setCursor(db, cursor, at: now) }
        }
    }

    private static func take(_ db: Database, _ violation: ServerViolation, at now: Instant) throws {
        let entry = try side(db, violation.entryServerID)
        let exit = try side(db, violation.exitServerID)
        guard let own = [entry, exit].first(where: \.isOwn)?.clientID else { return }
        let serverID = violation.serverID.stored
        let known =
            try String.fetchOne(
                db,
                cached: """
                    SELECT id FROM violations
                    WHERE server_id = ?1 OR (server_id IS NULL AND state <> 'withdrawn'
                        AND entry_client_id IN (?2, ?3) AND exit_client_id IN (?2, ?3))
                    ORDER BY server_id IS NULL LIMIT 1
                    """, arguments: [serverID, entry.clientID, exit.clientID])
            ?? settledBefore(db, entry, exit)
        let id = known ?? serverID
        let standsThere =
            try Bool.fetchOne(
                db, cached: "SELECT server_id IS ? AND state <> 'withdrawn' FROM violations WHERE id = ?",
                arguments: [serverID, id]) ?? true
        // Found here with another passage: the server holds otherwise.
        try db.execute(
            cached: """
                UPDATE violations SET state = 'withdrawn', withdrawn_at = ?
                WHERE entry_client_id = ? AND state <> 'withdrawn' AND id <> ?
                """, arguments: [now.milliseconds, entry.clientID, id])
        if known == nil { try insert(db, violation, id: violation.serverID, entry, exit, own: own, at: now) }
        let matchID = try Int64.fetchOne(
            db,
            cached: "SELECT id FROM matches WHERE own_client_id = ? AND certainty = 'exact' AND state <> 'withdrawn'",
            arguments: [own])
        try db.execute(
            cached: """
                UPDATE violations SET server_id = ?, match_id = coalesce(?, match_id), own_client_id = ?, kind = ?,
                    entry_client_id = ?, exit_client_id = ?, entry_time = ?, exit_time = ?, distance_km = ?,
                    vehicle_type = ?, speed_limit_kmh = ?, tolerance_kmh = ?, tolerance_percent = ?,
                    calculated_speed_kmh = ?, is_implausible = ?, state = 'confirmed', withdrawn_at = NULL
                WHERE id = ?
                """,
            arguments: [
                serverID, matchID, own, violation.kind.rawValue, entry.clientID, exit.clientID,
                violation.entryTime.milliseconds, violation.exitTime.milliseconds, violation.distanceKm,
                violation.vehicleType.rawValue, violation.speedLimitKmh, violation.toleranceKmh,
                violation.tolerancePercent, violation.calculatedSpeedKmh, violation.isImplausible, id,
            ])
        // The server has it for the first time, or lost it and judged it anew: what was done about it is told again, also what had
        // nowhere to go meanwhile.
        guard !standsThere else { return }
        try db.execute(
            cached: """
                UPDATE sync_queue
                SET status = 'pending', attempts = 0, is_refused = 0, next_attempt_at = NULL, last_error = NULL
                WHERE entity = 'outcome' AND status IN ('synced', 'failed') AND subject_id IN (
                    SELECT id FROM violation_outcomes WHERE violation_id = ? AND replaced_at IS NULL)
                """, arguments: [id])
    }

    /// A violation of these two passages that was withdrawn after a ranger had recorded an outcome: the server lost the match for a
    /// while. What it finds again is that one.
    private static func settledBefore(_ db: Database, _ entry: Side, _ exit: Side) throws -> String? {
        try String.fetchOne(
            db,
            cached: """
                SELECT v.id FROM violations AS v
                WHERE v.state = 'withdrawn' AND v.entry_client_id = ? AND v.exit_client_id = ? AND EXISTS (
                    SELECT 1 FROM violation_outcomes AS o WHERE o.violation_id = v.id AND o.replaced_at IS NULL)
                ORDER BY v.withdrawn_at DESC LIMIT 1
                """, arguments: [entry.clientID, exit.clientID])
    }

    private static func insert(
        _ db: Database, _ violation: ServerViolation, id: UUID, _ entry: Side, _ exit: Side, own: String,
        at now: Instant
    ) throws {
        guard let entryID = UUID(uuidString: entry.clientID), let exitID = UUID(uuidString: exit.clientID) else {
            return
        }
        // The server has no spaces in a plate; the passage here was read with them.
        let plate = try String.fetchOne(
            db, cached: "SELECT plate FROM passages WHERE client_id = ? AND plate_compact = ?",
            arguments: [own, violation.plate.compact])
        let row = Violation(
            id: id, kind: violation.kind, entryClientID: entryID, exitClientID: exitID,
            plate: plate.map(Plate.init(canonical:)) ?? violation.plate,
            vehicleType: violation.vehicleType, entryTime: violation.entryTime, exitTime: violation.exitTime,
            distanceKm: violation.distanceKm, speedLimitKmh: violation.speedLimitKmh,
            toleranceKmh: violation.toleranceKmh, tolerancePercent: violation.tolerancePercent,
            calculatedSpeedKmh: violation.calculatedSpeedKmh, isImplausible: violation.isImplausible, state: .confirmed)
        try insertViolation(db, row, matchID: nil, own: UUID(uuidString: own), at: now)
    }

    private struct Side {
        var clientID: String
        var isOwn: Bool
    }

    private static func side(_ db: Database, _ serverID: UUID) throws -> Side {
        let id = serverID.stored
        if let own = try String.fetchOne(
            db, cached: "SELECT client_id FROM passages WHERE server_id = ?", arguments: [id])
        {
            return Side(clientID: own, isOwn: true)
        }
        let remote = try String.fetchOne(
            db, cached: "SELECT client_id FROM remote_passages WHERE server_id = ?", arguments: [id])
        guard let remote else {
            throw StoreError(.unknown, "The server refers to its passage \(id), which is not here yet.")
        }
        return Side(clientID: remote, isOwn: false)
    }

    private static func take(_ db: Database, _ alert: ServerAlert, at now: Instant) throws {
        let entry = try String.fetchOne(
            db, cached: "SELECT client_id FROM passages WHERE server_id = ?", arguments: [alert.entryServerID.stored])
        guard let entry else { return }
        // The server asked before, and an older one never does. What waits for the other post's ranger by now is raised here when it is
        // due.
        let isHeld = OverstayWatch.isHeld(
            alert.plate, enteredAt: alert.entryTime, expectedBy: alert.expectedExitBy, other: try otherPost(db),
            now: now)
        if isHeld, alert.resolvedAt == nil { return }
        try db.execute(
            sql: """
                INSERT INTO overstay_alerts (entry_client_id, plate, vehicle_type, entry_time, expected_exit_by,
                    is_doubtful, raised_at)
                SELECT client_id, plate, ?, ?, ?, 0, ? FROM passages AS p WHERE client_id = ? AND \(ownIsUnmatched)
                ON CONFLICT DO NOTHING
                """,
            arguments: [
                alert.vehicleType.rawValue, alert.entryTime.milliseconds, alert.expectedExitBy.milliseconds,
                now.milliseconds, entry,
            ])
        guard let resolvedAt = alert.resolvedAt else { return }
        if let reason = alert.resolvedReason {
            // A ranger's word here stays as it is: it is on its way, or the server has an earlier one.
            return try db.execute(
                cached: """
                    UPDATE overstay_alerts SET dismissed_at = ?, dismissed_by = ?, dismissed_reason = ?
                    WHERE entry_client_id = ? AND dismissed_at IS NULL AND resolved_at IS NULL
                        AND withdrawn_at IS NULL
                    """, arguments: [resolvedAt.milliseconds, alert.resolvedBy, reason, entry])
        }
        try db.execute(
            cached: """
                UPDATE overstay_alerts SET resolved_at = ?
                WHERE entry_client_id = ? AND resolved_at IS NULL AND withdrawn_at IS NULL
                """, arguments: [resolvedAt.milliseconds, entry])
    }
}
