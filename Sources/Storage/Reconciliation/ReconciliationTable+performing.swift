import Enforcement
import Foundation
import GRDB

/// Performs what the machines decide about passages and findings, in the transaction in which their state was read.
extension ReconciliationTable {
    static func perform(_ db: Database, _ actions: [ReconciliationAction], at now: Instant) throws {
        for action in actions { try perform(db, action, at: now) }
    }

    private static func perform(_ db: Database, _ action: ReconciliationAction, at now: Instant) throws {
        switch action {
        case .putOnRecord(let restored): try putOnRecord(db, restored)
        case .takeIDs(let restored, let passage):
            try takeIDs(db, of: restored, passage: passage.stored)
            try EvidenceTable.append(db, .renamed(passage: passage, to: restored.passage.clientID), at: now)
        case .setServerID(let id, let passage):
            try db.execute(
                cached: "UPDATE OR IGNORE passages SET server_id = ? WHERE client_id = ?",
                arguments: [id.stored, passage.stored])
        case .setServerMatch(let row, let passage):
            try db.execute(
                cached: "UPDATE passages SET server_matched_id = ? WHERE client_id = ?",
                arguments: [row?.stored, passage.stored])
        case .forgetServerRow(let passage):
            try db.execute(
                cached: """
                    UPDATE passages SET server_id = NULL, server_matched_id = NULL, photo_path = NULL
                    WHERE client_id = ?
                    """, arguments: [passage.stored])
        case .setPlate(let plate, let passage):
            try db.execute(
                cached: "UPDATE passages SET plate = ?, plate_compact = ? WHERE client_id = ?",
                arguments: [plate.canonical, plate.compact, passage.stored])
        case .withdrawPassage(let passage):
            try db.execute(
                cached: "UPDATE passages SET withdrawn_at = ? WHERE client_id = ?",
                arguments: [now.milliseconds, passage.stored])
        case .markDeletedThere(let passage):
            try db.execute(
                cached: "UPDATE passages SET server_deleted_at = ? WHERE client_id = ?",
                arguments: [now.milliseconds, passage.stored])
        case .putInForce(let passage):
            try db.execute(
                cached: "UPDATE passages SET withdrawn_at = NULL, server_deleted_at = NULL WHERE client_id = ?",
                arguments: [passage.stored])
        case .note(let amendment, let passage, let isToldToServer):
            let subject = try note(db, amendment, passage: passage.stored, at: now)
            try EvidenceTable.append(db, EvidenceFact(amendment, passage: passage), at: now)
            guard isToldToServer else { return }
            try QueueTable.enqueue(db, .correction, passage: passage.stored, subject: subject, at: now)
        case .write(let entry): try QueueTable.write(db, entry)
        case .uploadPhoto, .uploadPhotoAgain, .dropPhotoUpload, .markPhotoUploaded:
            try performOnPhoto(db, action)
        case .writeRemote, .renameRemote, .mergeRemote, .withdrawRemote, .setMatched:
            try performOnRemote(db, action, at: now)
        case .confirmMatch, .doubtMatch, .withdrawMatch, .recordViolation, .confirmViolation, .doubtViolation,
            .withdrawViolation, .recordOutcome, .forgetOutcome:
            try performOnFinding(db, action, at: now)
        case .raiseAlert, .resolveAlert, .reopenAlert, .dismissAlert, .withdrawAlert:
            try performOnAlert(db, action, at: now)
        }
    }

    /// - Returns: its row.
    private static func note(_ db: Database, _ amendment: Amendment, passage: String, at now: Instant) throws -> Int64 {
        try db.execute(
            cached: """
                INSERT INTO passage_corrections (passage_client_id, kind, old_plate, new_plate, reason, actor, at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                passage, amendment.newPlate == nil ? "withdrawn" : "corrected", amendment.oldPlate.canonical,
                amendment.newPlate?.canonical, amendment.reason, amendment.actor, now.milliseconds,
            ])
        return db.lastInsertedRowID
    }

    private static func performOnPhoto(_ db: Database, _ action: ReconciliationAction) throws {
        switch action {
        case .uploadPhoto(let passage):
            try db.execute(
                cached: """
                    INSERT INTO photo_uploads (passage_client_id, sha256)
                    SELECT p.client_id, p.photo_sha256 FROM passages AS p JOIN photos AS f ON f.sha256 = p.photo_sha256
                    WHERE p.client_id = ? AND f.removed_at IS NULL
                    ON CONFLICT (passage_client_id) DO UPDATE SET status = 'pending', attempts = 0, last_error = NULL
                    """, arguments: [passage.stored])
        case .uploadPhotoAgain(let passage):
            try db.execute(
                cached: """
                    UPDATE photo_uploads SET status = 'pending', attempts = 0 WHERE passage_client_id = ?
                        AND EXISTS (SELECT 1 FROM photos AS f WHERE f.sha256 = photo_uploads.sha256 AND f.removed_at IS NULL)
                    """, arguments: [passage.stored])
            // What is removed here can't be sent again: it is lost at both.
            guard db.changesCount > 0 else { return }
            try db.execute(
                cached: "UPDATE passages SET photo_path = NULL WHERE client_id = ?", arguments: [passage.stored])
        case .dropPhotoUpload(let passage):
            try db.execute(
                cached: "DELETE FROM photo_uploads WHERE passage_client_id = ? AND status <> 'uploaded'",
                arguments: [passage.stored])
        case .markPhotoUploaded(let passage):
            try db.execute(
                cached: "UPDATE photo_uploads SET status = 'uploaded' WHERE passage_client_id = ?",
                arguments: [passage.stored])
        default: preconditionFailure("\(action) is not about a photo.")
        }
    }

    /// A row that is there under one of its ids stays as it is.
    private static func putOnRecord(_ db: Database, _ restored: RestoredPassage) throws {
        let passage = restored.passage
        try db.execute(
            cached: """
                INSERT INTO passages (client_id, plate, plate_compact, plate_raw, vehicle_type, checkpost_code, recorded_at,
                    clock_state, confidence, origin, acted_by, travel, created_at, server_id, sms_client_id, photo_path)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
            arguments: [
                passage.clientID.stored, passage.plate.canonical, passage.plate.compact, passage.plateRaw,
                passage.vehicleType.rawValue, passage.checkpostCode, passage.recordedAt.milliseconds,
                passage.clockState.rawValue, passage.confidence, passage.origin.rawValue, passage.actedBy,
                passage.travel?.rawValue, passage.recordedAt.milliseconds, restored.serverID.stored,
                restored.smsClientID?.stored,
                restored.photoPath,
            ])
        guard db.changesCount == 1 else { return }
        // What is changed about it later goes after an entry that is synced.
        try db.execute(
            cached: """
                INSERT INTO sync_queue (entity, passage_client_id, status, sms_sent, created_at)
                VALUES ('passage', ?, 'synced', ?, ?)
                """,
            arguments: [passage.clientID.stored, restored.smsClientID != nil, passage.recordedAt.milliseconds])
    }

    /// Columns that refer to a passage of this post.
    private static let references = [
        ("sync_queue", "passage_client_id"), ("photo_uploads", "passage_client_id"), ("sightings", "passage_client_id"),
        ("passage_corrections", "passage_client_id"), ("passage_times", "passage_client_id"),
        ("sms_messages", "passage_client_id"),
        ("matches", "own_client_id"),
        ("violations", "own_client_id"), ("violations", "entry_client_id"), ("violations", "exit_client_id"),
        ("overstay_alerts", "entry_client_id"), ("overstay_alerts", "resolved_by_client_id"),
    ]

    private static func takeIDs(_ db: Database, of restored: RestoredPassage, passage old: String) throws {
        let new = restored.passage.clientID.stored
        // Until the transaction ends: the passage and what refers to it change together.
        try db.execute(cached: "PRAGMA defer_foreign_keys = ON")
        try db.execute(
            cached: """
                UPDATE passages SET client_id = ?, server_id = ?, sms_client_id = coalesce(sms_client_id, ?),
                    photo_path = ? WHERE client_id = ?
                """,
            arguments: [new, restored.serverID.stored, restored.smsClientID?.stored, restored.photoPath, old])
        for (table, column) in references {
            try db.execute(sql: "UPDATE \(table) SET \(column) = ? WHERE \(column) = ?", arguments: [new, old])
        }
    }
}
