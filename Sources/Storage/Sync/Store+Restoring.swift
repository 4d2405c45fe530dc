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
                        sql: """
                            SELECT EXISTS (SELECT 1 FROM passages WHERE client_id = ?1)
                                OR EXISTS (SELECT 1 FROM passages WHERE sms_client_id = ?1)
                            """, arguments: [id.stored]) != true
                })
        }
    }

    /// Puts passages back on record, without their photos. They are at the server, so nothing of them waits to be sent.
    ///
    /// What is here already, under any of its ids, stays as it is.
    ///
    /// - Returns: how many were new.
    @discardableResult
    package func restore(_ passages: [RestoredPassage]) throws -> Int {
        try write("Taking back passages") { db in try passages.count { try Self.restore(db, $0) } }
    }

    private static func restore(_ db: Database, _ restored: RestoredPassage) throws -> Bool {
        let passage = restored.passage
        try db.execute(
            sql: """
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
            sql: """
                INSERT INTO sync_queue (entity, passage_client_id, status, sms_sent, created_at)
                VALUES ('passage', ?, 'synced', ?, ?)
                """,
            arguments: [passage.clientID.stored, restored.smsClientID != nil, passage.recordedAt.milliseconds])
        return true
    }
}
