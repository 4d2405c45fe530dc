import Enforcement
import Foundation
import GRDB

extension ReconciliationTable {
    static func performOnRemote(_ db: Database, _ action: ReconciliationAction, at now: Instant) throws {
        switch action {
        case .writeRemote(let passage, let isMatched, let isInForceAgain):
            try db.execute(
                cached: """
                    INSERT INTO remote_passages (client_id, server_id, plate, plate_compact, vehicle_type, checkpost_code,
                        recorded_at, clock_state, server_sequence, is_matched, fetched_at, is_text, travel)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (client_id) DO UPDATE SET server_id = excluded.server_id,
                        plate = excluded.plate, plate_compact = excluded.plate_compact,
                        vehicle_type = excluded.vehicle_type, checkpost_code = excluded.checkpost_code,
                        recorded_at = excluded.recorded_at, clock_state = excluded.clock_state,
                        server_sequence = excluded.server_sequence, is_matched = excluded.is_matched,
                        fetched_at = excluded.fetched_at, is_text = excluded.is_text, travel = excluded.travel,
                        withdrawn_at = CASE WHEN ? THEN NULL ELSE withdrawn_at END
                    """,
                arguments: [
                    passage.clientID.stored, passage.serverID?.stored, passage.plate.canonical, passage.plate.compact,
                    passage.vehicleType.rawValue, passage.checkpostCode, passage.recordedAt.milliseconds,
                    passage.clockState.rawValue, passage.serverSequence, isMatched, now.milliseconds, passage.isOfText,
                    passage.travel?.rawValue, isInForceAgain,
                ])
        case .renameRemote(let old, let new):
            try db.execute(
                cached: "UPDATE remote_passages SET client_id = ? WHERE client_id = ?",
                arguments: [new.stored, old.stored])
            try moveFindings(db, of: old.stored, to: new.stored)
        case .mergeRemote(let old, let new):
            try db.execute(
                cached: "UPDATE OR IGNORE matches SET remote_client_id = ? WHERE remote_client_id = ?",
                arguments: [new.stored, old.stored])
            let known = try Row.fetchOne(
                db,
                cached: """
                    SELECT server_id, server_sequence, is_matched FROM remote_passages
                    WHERE client_id = ? AND server_id IS NOT NULL
                    """, arguments: [old.stored])
            try db.execute(
                cached: "UPDATE remote_passages SET server_id = NULL, is_matched = 1 WHERE client_id = ?",
                arguments: [old.stored])
            // What the server tells of its row from now on is about it.
            if let known {
                try db.execute(
                    cached: """
                        UPDATE remote_passages SET server_id = ?, server_sequence = ?, is_matched = max(is_matched, ?)
                        WHERE client_id = ? AND server_id IS NULL
                        """,
                    arguments: [
                        try known.text("server_id"), known["server_sequence"] as Int64?, try known.flag("is_matched"),
                        new.stored,
                    ])
            }
            try moveFindings(db, of: old.stored, to: new.stored)
        case .withdrawRemote(let id):
            try db.execute(
                cached: "UPDATE remote_passages SET withdrawn_at = ? WHERE client_id = ?",
                arguments: [now.milliseconds, id.stored])
        case .setMatched(let isMatched, let id):
            try db.execute(
                cached: "UPDATE remote_passages SET is_matched = ? WHERE client_id = ?",
                arguments: [isMatched, id.stored])
        default: preconditionFailure("\(action) is not about a passage of the other post.")
        }
    }

    private static func moveFindings(_ db: Database, of old: String, to new: String) throws {
        for column in ["entry_client_id", "exit_client_id"] {
            try db.execute(
                sql: "UPDATE OR IGNORE violations SET \(column) = ? WHERE \(column) = ?", arguments: [new, old])
        }
        try db.execute(
            cached: "UPDATE overstay_alerts SET resolved_by_client_id = ? WHERE resolved_by_client_id = ?",
            arguments: [new, old])
        try carryOutcome(db, ofPassage: new)
    }

    /// What somebody did about a violation stays with it: by its passage's other name it was found as one, and by this name taken back.
    private static func carryOutcome(_ db: Database, ofPassage id: String) throws {
        let twins = try Row.fetchOne(
            db,
            cached: """
                SELECT v.id AS holds, w.id AS gone FROM violations AS v
                CROSS JOIN violations AS w ON w.entry_client_id = v.entry_client_id
                    AND w.exit_client_id = v.exit_client_id AND w.state = 'withdrawn'
                WHERE v.state <> 'withdrawn' AND v.id IN (SELECT id FROM violations WHERE entry_client_id = ?1
                        UNION ALL SELECT id FROM violations WHERE exit_client_id = ?1)
                    AND NOT EXISTS (SELECT 1 FROM violation_outcomes WHERE violation_id = v.id)
                    AND EXISTS (SELECT 1 FROM violation_outcomes WHERE violation_id = w.id AND replaced_at IS NULL)
                ORDER BY w.withdrawn_at DESC LIMIT 1
                """, arguments: [id])
        guard let twins else { return }
        let holds = try twins.text("holds")
        try db.execute(
            cached: "UPDATE violation_outcomes SET violation_id = ? WHERE violation_id = ?",
            arguments: [holds, try twins.text("gone")])
        let rested = try Row.fetchAll(
            db,
            cached: """
                SELECT q.* FROM violation_outcomes AS o CROSS JOIN sync_queue AS q ON q.subject_id = o.id
                WHERE o.violation_id = ? AND q.entity = 'outcome' AND q.status = 'failed'
                """, arguments: [holds])
        for row in rested { try QueueTable.write(db, QueueTable.queueEntry(row).inLineAgain()) }
    }

    static func performOnFinding(_ db: Database, _ action: ReconciliationAction, at now: Instant) throws {
        switch action {
        case .confirmMatch(let id):
            try db.execute(cached: "UPDATE matches SET state = 'confirmed' WHERE id = ?", arguments: [id])
        case .doubtMatch(let id):
            try db.execute(cached: "UPDATE matches SET state = 'provisional' WHERE id = ?", arguments: [id])
        case .withdrawMatch(let id):
            try db.execute(
                cached: "UPDATE matches SET state = 'withdrawn', withdrawn_at = ? WHERE id = ?",
                arguments: [now.milliseconds, id])
        case .recordViolation(let violation, let own):
            try ViolationTable.insert(db, violation, matchID: nil, own: own, at: now)
        case .confirmViolation(let violation, let serverID, let own, let match):
            try confirm(db, violation, serverID: serverID, own: own, match: match)
        case .doubtViolation(let id): try doubt(db, violation: id)
        case .withdrawViolation(let id):
            try db.execute(
                cached: "UPDATE violations SET state = 'withdrawn', withdrawn_at = ? WHERE id = ?",
                arguments: [now.milliseconds, id.stored])
        case .recordOutcome(let outcome, let violation, let isSent):
            try ViolationTable.insert(db, outcome, violation: violation.stored, isOwn: isSent, at: now)
            if isSent { try noteAsSent(db, outcome, row: db.lastInsertedRowID, violation: violation.stored) }
        case .forgetOutcome(let violation):
            // What the other post told itself stays: it will tell the server, too.
            try db.execute(
                cached: """
                    UPDATE violation_outcomes SET replaced_at = ? WHERE violation_id = ? AND replaced_at IS NULL
                        AND id NOT IN (SELECT outcome_id FROM peer_outcomes WHERE outcome_id IS NOT NULL)
                    """,
                arguments: [now.milliseconds, violation.stored])
        default: preconditionFailure("\(action) is not about a finding.")
        }
    }

    /// With an entry that is synced it is sent again when the server loses it.
    private static func noteAsSent(_ db: Database, _ outcome: Outcome, row: Int64, violation: String) throws {
        try db.execute(
            cached: """
                INSERT INTO sync_queue (entity, passage_client_id, subject_id, status, created_at)
                SELECT 'outcome', own_client_id, ?, 'synced', ? FROM violations
                WHERE id = ? AND own_client_id IS NOT NULL
                """, arguments: [row, outcome.recordedAt.milliseconds, violation])
    }

    static func doubt(_ db: Database, violation id: UUID) throws {
        try db.execute(
            cached: "UPDATE violations SET state = 'provisional', server_id = NULL WHERE id = ?",
            arguments: [id.stored])
        try db.execute(
            cached: "UPDATE alert_deliveries SET told_of = NULL WHERE violation_id = ?", arguments: [id.stored])
    }

    private static func confirm(
        _ db: Database, _ violation: Violation, serverID: UUID, own: UUID, match: Int64?
    ) throws {
        try db.execute(
            cached: """
                UPDATE violations SET server_id = ?, match_id = coalesce(?, match_id), own_client_id = ?, kind = ?,
                    entry_client_id = ?, exit_client_id = ?, entry_time = ?, exit_time = ?, distance_km = ?,
                    vehicle_type = ?, speed_limit_kmh = ?, tolerance_kmh = ?, tolerance_percent = ?,
                    calculated_speed_kmh = ?, is_implausible = ?, state = 'confirmed', withdrawn_at = NULL
                WHERE id = ?
                """,
            arguments: [
                serverID.stored, match, own.stored, violation.kind.rawValue, violation.entryClientID.stored,
                violation.exitClientID.stored, violation.entryTime.milliseconds, violation.exitTime.milliseconds,
                violation.distanceKm, violation.vehicleType.rawValue, violation.speedLimitKmh, violation.toleranceKmh,
                violation.tolerancePercent, violation.calculatedSpeedKmh, violation.isImplausible, violation.id.stored,
            ])
    }

    /// Of an entry's alerts at most one is not withdrawn.
    static func performOnAlert(_ db: Database, _ action: ReconciliationAction, at now: Instant) throws {
        switch action {
        case .raiseAlert(let alert):
            try db.execute(
                cached: """
                    INSERT INTO overstay_alerts (entry_client_id, plate, vehicle_type, entry_time, expected_exit_by,
                        is_doubtful, raised_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    alert.entryClientID.stored, alert.plate.canonical, alert.vehicleType.rawValue,
                    alert.entryTime.milliseconds, alert.expectedExitBy.milliseconds, alert.isDoubtful, now.milliseconds,
                ])
        case .resolveAlert(let entry, let exit, let resolvedAt):
            try db.execute(
                cached: """
                    UPDATE overstay_alerts SET resolved_at = ?, resolved_by_client_id = ?
                    WHERE entry_client_id = ? AND withdrawn_at IS NULL
                    """, arguments: [resolvedAt.milliseconds, exit?.stored, entry.stored])
        case .reopenAlert(let entry):
            try db.execute(
                cached: """
                    UPDATE overstay_alerts SET resolved_at = NULL, resolved_by_client_id = NULL
                    WHERE entry_client_id = ? AND withdrawn_at IS NULL
                    """, arguments: [entry.stored])
        case .dismissAlert(let entry, let by, let reason, let dismissedAt):
            try db.execute(
                cached: """
                    UPDATE overstay_alerts SET dismissed_at = ?, dismissed_by = ?, dismissed_reason = ?
                    WHERE entry_client_id = ? AND withdrawn_at IS NULL
                    """, arguments: [dismissedAt.milliseconds, by, reason, entry.stored])
        case .withdrawAlert(let entry):
            try db.execute(
                cached:
                    "UPDATE overstay_alerts SET withdrawn_at = ? WHERE entry_client_id = ? AND withdrawn_at IS NULL",
                arguments: [now.milliseconds, entry.stored])
        default: preconditionFailure("\(action) is not about an alert.")
        }
    }
}
