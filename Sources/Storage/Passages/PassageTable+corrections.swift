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

    /// The passage came back from a deletion: the plate stayed, and the deletion before it counts no longer.
    var isReturn: Bool { newPlate == oldPlate }
}

extension [PassageCorrection] {
    /// The last change that holds.
    package var lastThatHolds: PassageCorrection? {
        var holding = self[...]
        while holding.last?.isReturn == true {
            holding.removeLast()
            if holding.last?.kind == .withdrawn { holding.removeLast() }
        }
        return holding.last
    }
}

extension PassageTable {
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
            try Self.change(db, clientID, to: plate, reason: reason, by: actor, at: now)
            let row = try Row.fetchOne(
                db, cached: "SELECT * FROM passages WHERE client_id = ?", arguments: [clientID.stored])
            guard let row else { throw StoreError(.unknown, "There is no passage \(clientID.stored).") }
            return try row.passage()
        }
    }

    /// Takes a passage back: it was none. It stays on record, as withdrawn, and what followed from it is withdrawn too.
    ///
    /// - Throws: `StoreError` of kind `unknown` when there is no such passage or it is withdrawn already.
    package func withdraw(clientID: UUID, reason: String, by actor: String, at now: Instant) throws {
        try write("Withdrawing a passage") { db in
            try Self.change(db, clientID, to: nil, reason: reason, by: actor, at: now)
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
                        WHERE own_client_id = ?1 AND remote_client_id = ?2 AND certainty = 'exact'
                            AND created_at >= c.at) AS were_matched
                    FROM passage_corrections AS c
                    WHERE c.id = (SELECT max(id) FROM passage_corrections WHERE passage_client_id = ?1)
                        AND c.kind = 'corrected' AND c.actor <> ?3
                    """, arguments: [own.stored, remote.stored, Amendment.warden]
            ).map {
                CrossedJudgement(
                    before: try $0.plate("old_plate"), after: try $0.plate("new_plate"),
                    wereMatched: try $0.flag("were_matched"))
            }
        }
    }

    /// Changes a passage, keeps what it was, undoes what followed from it, and lets the server know.
    ///
    /// - Parameter newPlate: nil withdraws it.
    static func change(
        _ db: Database, _ clientID: UUID, to newPlate: Plate?, reason: String, by actor: String, at now: Instant
    ) throws {
        var standing = try ReconciliationTable.ownStanding(db, clientID.stored)
        let actions = standing?.handle(.changed(newPlate: newPlate, reason: reason, by: actor), at: now) ?? []
        guard !actions.isEmpty else {
            throw StoreError(.unknown, "There is no passage \(clientID.stored), or it is withdrawn.")
        }
        try ReconciliationTable.perform(db, actions, at: now)
    }
}
