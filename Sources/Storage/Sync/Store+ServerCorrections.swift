import Enforcement
import Foundation
import GRDB

/// What the warden changed at the server of passages that this post recorded.
extension Store {
    /// Who changed it, as far as this post knows.
    static let wardenActor = "the park's server"

    /// Takes over the plate that the warden gave a passage of this post.
    ///
    /// What a ranger here changed and the server has not taken (it waits, or it was refused) stays: he is to see it.
    static func adopt(_ db: Database, plate: Plate, of clientID: UUID, at now: Instant) throws {
        let isSettled = try Bool.fetchOne(
            db,
            cached: """
                SELECT NOT EXISTS (SELECT 1 FROM sync_queue WHERE passage_client_id = ?
                    AND entity IN ('passage', 'correction') AND status <> 'synced')
                """, arguments: [clientID.stored])
        guard isSettled == true else { return }
        _ = try apply(
            db,
            PassageChange(
                clientID: clientID, newPlate: plate, reason: "corrected at the server", actor: wardenActor, at: now,
                isTheServers: true))
    }

    /// Takes back passages of this post that were withdrawn at the server. Repeating it changes nothing.
    ///
    /// - Parameter cursor: moves in the same transaction.
    /// - Returns: how many were in force here.
    @discardableResult
    package func withdrawOwn(_ clientIDs: [UUID], cursor: SyncCursor? = nil, at now: Instant) throws -> Int {
        try write("Taking back what the server withdrew") { db in
            var withdrawn = 0
            for id in clientIDs {
                let isInForce = try Bool.fetchOne(
                    db,
                    cached: "SELECT EXISTS (SELECT 1 FROM passages WHERE client_id = ? AND withdrawn_at IS NULL)",
                    arguments: [id.stored])
                guard isInForce == true else { continue }
                _ = try Self.apply(
                    db,
                    PassageChange(
                        clientID: id, newPlate: nil, reason: "withdrawn at the server", actor: Self.wardenActor,
                        at: now, isTheServers: true))
                withdrawn += 1
            }
            if let cursor { try Self.setCursor(db, cursor, at: now) }
            return withdrawn
        }
    }
}
