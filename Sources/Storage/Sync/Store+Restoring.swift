import Enforcement
import Foundation
import GRDB

/// A passage of this post that the server has and this disk has not: the disk is new, or another client recorded it.
package struct RestoredPassage: Sendable, Equatable {
    package var passage: Passage
    package var serverID: UUID
    package var smsClientID: UUID?
    package var photoPath: String?

    package init(passage: Passage, serverID: UUID, smsClientID: UUID?, photoPath: String?) {
        self.passage = passage
        self.serverID = serverID
        self.smsClientID = smsClientID
        self.photoPath = photoPath
    }
}

extension Store {
    /// Of these ids of passages of this post those that no passage has, neither as its own nor as that of its SMS.
    package func unknownOwn(among ids: [UUID]) throws -> Set<UUID> {
        try read("Looking up passages") { db in
            Set(
                try ids.filter { id in
                    try Bool.fetchOne(
                        db,
                        cached: """
                            SELECT EXISTS (SELECT 1 FROM passages WHERE client_id = ?1)
                                OR EXISTS (SELECT 1 FROM passages WHERE sms_client_id = ?1)
                            """, arguments: [id.stored]) != true
                })
        }
    }

    /// Puts passages back on record, without their photos. They are at the server, so nothing of them waits to be sent.
    ///
    /// What is here already, under any of its ids, stays as it is. A passage that was recorded here once more before it came back,
    /// and that is not at the server yet, takes over the server's ids and is not sent.
    ///
    /// - Returns: how many were new.
    @discardableResult
    package func restore(_ passages: [RestoredPassage]) throws -> Int {
        try write("Taking back passages") { db in try passages.count { try Self.restore(db, $0) } }
    }

    private static func restore(_ db: Database, _ restored: RestoredPassage) throws -> Bool {
        let passage = restored.passage
        if try adopt(db, restored) { return false }
        try db.execute(
            cached: """
                INSERT INTO passages (client_id, plate, plate_compact, plate_raw, vehicle_type, checkpost_code, recorded_at,
                    clock_state, confidence, origin, acted_by, created_at, server_id, sms_client_id, photo_path)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
            arguments: [
                passage.clientID.stored, passage.plate.canonical, passage.plate.compact, passage.plateRaw,
                passage.vehicleType.rawValue, passage.checkpostCode, passage.recordedAt.milliseconds,
                passage.clockState.rawValue, passage.confidence, passage.origin.rawValue, passage.actedBy,
                passage.recordedAt.milliseconds, restored.serverID.stored, restored.smsClientID?.stored,
                restored.photoPath,
            ])
        guard db.changesCount == 1 else { return false }
        // What is changed about it later goes after an entry that is synced.
        try db.execute(
            cached: """
                INSERT INTO sync_queue (entity, passage_client_id, status, sms_sent, created_at)
                VALUES ('passage', ?, 'synced', ?, ?)
                """,
            arguments: [passage.clientID.stored, restored.smsClientID != nil, passage.recordedAt.milliseconds])
        return true
    }

    /// Columns that refer to a passage of this post.
    private static let references = [
        ("sync_queue", "passage_client_id"), ("photo_uploads", "passage_client_id"), ("sightings", "passage_client_id"),
        ("passage_corrections", "passage_client_id"), ("sms_messages", "passage_client_id"),
        ("matches", "own_client_id"),
        ("violations", "own_client_id"), ("violations", "entry_client_id"), ("violations", "exit_client_id"),
        ("overstay_alerts", "entry_client_id"), ("overstay_alerts", "resolved_by_client_id"),
    ]

    /// - Returns: whether a passage that is here and not at the server is the restored one, and has its ids now.
    private static func adopt(_ db: Database, _ restored: RestoredPassage) throws -> Bool {
        let (passage, new) = (restored.passage, restored.passage.clientID.stored)
        let isKnown = try Bool.fetchOne(
            db,
            cached:
                "SELECT EXISTS (SELECT 1 FROM passages WHERE client_id = ?1 OR sms_client_id = ?1 OR server_id = ?2)",
            arguments: [new, restored.serverID.stored])
        guard isKnown != true, let old = try onRecord(db, passage)?.stored else { return false }
        let isUnsent = try Bool.fetchOne(
            db,
            cached: """
                SELECT p.server_id IS NULL AND p.withdrawn_at IS NULL AND p.plate_compact = ? AND q.status <> 'synced'
                FROM passages AS p JOIN sync_queue AS q ON q.passage_client_id = p.client_id AND q.entity = 'passage'
                WHERE p.client_id = ?
                """, arguments: [passage.plate.compact, old])
        guard isUnsent == true else { return false }
        // Until the transaction ends: the passage and what refers to it change together.
        try db.execute(cached: "PRAGMA defer_foreign_keys = ON")
        try db.execute(
            cached: """
                UPDATE passages SET client_id = ?, server_id = ?, sms_client_id = coalesce(sms_client_id, ?),
                    photo_path = ? WHERE client_id = ?
                """,
            arguments: [
                new, restored.serverID.stored, restored.smsClientID?.stored, restored.photoPath, old,
            ])
        for (table, column) in references {
            try db.execute(sql: "UPDATE \(table) SET \(column) = ? WHERE \(column) = ?", arguments: [new, old])
        }
        try db.execute(
            cached: """
                UPDATE sync_queue SET status = 'synced', is_refused = 0, last_error = NULL, next_attempt_at = NULL
                WHERE passage_client_id = ? AND entity = 'passage'
                """, arguments: [new])
        if restored.photoPath != nil {
            try db.execute(
                cached: "UPDATE photo_uploads SET status = 'uploaded' WHERE passage_client_id = ?", arguments: [new])
        }
        return true
    }
}
