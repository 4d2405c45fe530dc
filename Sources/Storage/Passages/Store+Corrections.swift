import Enforcement
import Foundation
import GRDB

/// A change to a recorded passage, with what it was before.
package struct PassageCorrection: Sendable, Equatable, Identifiable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        case corrected
        case withdrawn
    }

    package var id: Int64
    package var passageClientID: UUID
    package var kind: Kind
    package var oldPlate: Plate
    package var newPlate: Plate?
    package var reason: String
    package var actor: String
    package var at: Instant
}

extension Store {
    /// Gives a recorded passage the right plate.
    ///
    /// The old plate stays on record. What followed from it (match, provisional violation, overstay alert) is withdrawn, its
    /// counterpart is free again, and the queue gets an entry so that the server learns of it. Matching the new plate is the
    /// caller's next step.
    ///
    /// - Throws: `StoreError` of kind `unknown` when there is no such passage or it is withdrawn.
    /// - Returns: the passage as it is now.
    @discardableResult
    package func correct(clientID: UUID, to plate: Plate, reason: String, by actor: String, at now: Instant) throws
        -> Passage
    {
        try write("Correcting a passage") { db in
            try Self.apply(
                db, PassageChange(clientID: clientID, newPlate: plate, reason: reason, actor: actor, at: now))
        }
    }

    /// Takes a passage back: it was none. It stays on record, as withdrawn, and what followed from it is withdrawn too.
    ///
    /// - Throws: `StoreError` of kind `unknown` when there is no such passage or it is withdrawn already.
    package func withdraw(clientID: UUID, reason: String, by actor: String, at now: Instant) throws {
        try write("Withdrawing a passage") { db in
            _ = try Self.apply(
                db, PassageChange(clientID: clientID, newPlate: nil, reason: reason, actor: actor, at: now))
        }
    }

    /// What was changed about a passage, the oldest first.
    package func corrections(ofPassage clientID: UUID) throws -> [PassageCorrection] {
        try read("Reading corrections") { db in
            try Row.fetchAll(
                db, cached: "SELECT * FROM passage_corrections WHERE passage_client_id = ? ORDER BY id",
                arguments: [clientID.stored]
            ).map { row in
                PassageCorrection(
                    id: try row.decode(Int64.self, forColumn: "id"), passageClientID: try row.uuid("passage_client_id"),
                    kind: try row.choice("kind"), oldPlate: try row.plate("old_plate"),
                    newPlate: try row.optionalText("new_plate").map(Plate.init(canonical:)),
                    reason: try row.text("reason"), actor: try row.text("actor"), at: try row.instant("at"))
            }
        }
    }

    /// What is known of a pair whose plates may have changed places; nil where this post has not corrected its passage.
    package func crossedJudgement(own: UUID, remote: UUID) throws -> CrossedJudgement? {
        try read("Reading corrections") { db in
            try Row.fetchOne(
                db,
                cached: """
                    SELECT c.old_plate, c.new_plate, EXISTS (SELECT 1 FROM matches
                        WHERE own_client_id = ?1 AND remote_client_id = ?2 AND certainty = 'exact') AS were_matched
                    FROM passage_corrections AS c
                    WHERE c.id = (SELECT max(id) FROM passage_corrections WHERE passage_client_id = ?1)
                        AND c.kind = 'corrected' AND c.actor <> ?3
                    """, arguments: [own.stored, remote.stored, Self.wardenActor]
            ).map {
                CrossedJudgement(
                    before: try $0.plate("old_plate"), after: try $0.plate("new_plate"),
                    wereMatched: try $0.flag("were_matched"))
            }
        }
    }

    /// A change of one passage; without a plate it is withdrawn.
    struct PassageChange {
        var clientID: UUID
        var newPlate: Plate?
        var reason: String
        var actor: String
        var at: Instant

        /// Whether the server has it already: then it is not sent there.
        var isTheServers = false
    }

    /// Changes a passage, keeps what it was, undoes what followed from it, and lets the server know.
    ///
    /// - Returns: the passage as it is now.
    static func apply(_ db: Database, _ change: PassageChange) throws -> Passage {
        let id = change.clientID.stored
        let row = try Row.fetchOne(
            db, cached: "SELECT * FROM passages WHERE client_id = ? AND withdrawn_at IS NULL", arguments: [id])
        guard let row else { throw StoreError(.unknown, "There is no passage \(id), or it is withdrawn.") }
        var passage = try row.passage()
        try db.execute(
            cached: """
                INSERT INTO passage_corrections (passage_client_id, kind, old_plate, new_plate, reason, actor, at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id, change.newPlate == nil ? "withdrawn" : "corrected", passage.plate.canonical,
                change.newPlate?.canonical, change.reason, change.actor, change.at.milliseconds,
            ])
        if !change.isTheServers {
            try enqueue(db, .correction, passage: id, subject: db.lastInsertedRowID, at: change.at)
        }
        try withdrawMatches(db, where: "own_client_id = ?", id, at: change.at)
        try db.execute(
            cached: "UPDATE overstay_alerts SET withdrawn_at = ? WHERE entry_client_id = ? AND withdrawn_at IS NULL",
            arguments: [change.at.milliseconds, id])
        // The server judges the changed passage anew; until then it counts as unmatched here.
        try db.execute(cached: "UPDATE passages SET server_matched_id = NULL WHERE client_id = ?", arguments: [id])
        guard let plate = change.newPlate else {
            try db.execute(
                cached: "UPDATE passages SET withdrawn_at = ? WHERE client_id = ?",
                arguments: [change.at.milliseconds, id])
            // The server takes no photo of a passage that it no longer has.
            try db.execute(
                cached: "DELETE FROM photo_uploads WHERE passage_client_id = ? AND status <> 'uploaded'",
                arguments: [id])
            return passage
        }
        try db.execute(
            cached: "UPDATE passages SET plate = ?, plate_compact = ? WHERE client_id = ?",
            arguments: [plate.canonical, plate.compact, id])
        passage.plate = plate
        return passage
    }
}
