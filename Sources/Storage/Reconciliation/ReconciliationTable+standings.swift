import Enforcement
import Foundation
import GRDB

// Conditions that seem to be said twice let SQLite use an index that holds a part of the rows.

/// Reads what stands here of a passage or a finding, for the machines that reconcile it with the server's word. It chooses by ids alone.
extension ReconciliationTable {
    /// - Parameter partner: a passage of the other post: the matches that others have with it are read too.
    static func ownStanding(_ db: Database, _ id: String, partner: String? = nil) throws -> OwnStanding? {
        let row = try Row.fetchOne(
            db,
            cached: """
                SELECT client_id, plate, withdrawn_at, server_deleted_at, server_id, server_matched_id,
                    (SELECT max(c.id) FROM passage_corrections AS c WHERE c.passage_client_id = p.client_id)
                        AS last_correction
                FROM passages AS p WHERE client_id = ?
                """, arguments: [id])
        guard let row else { return nil }
        let entries = try Row.fetchAll(
            db, cached: "SELECT * FROM sync_queue WHERE passage_client_id = ? ORDER BY id", arguments: [id])
        let isWithdrawn = try row.optionalInstant("withdrawn_at") != nil
        return OwnStanding(
            clientID: try row.uuid("client_id"), plate: try row.plate("plate"),
            force: try row.optionalInstant("server_deleted_at") != nil
                ? .deletedThere : isWithdrawn ? .withdrawn : .inForce,
            serverID: try row.optionalUUID("server_id"), matchedServerID: try row.optionalUUID("server_matched_id"),
            entries: try entries.map(QueueTable.queueEntry),
            lastCorrection: try row.decode(Int64?.self, forColumn: "last_correction"),
            findings: try findings(db, of: id, partner: partner))
    }

    /// The passage of the other post that a row of the server's is here.
    static func partner(_ db: Database, serverID: UUID) throws -> OwnStanding.Partner? {
        try Row.fetchOne(
            db, cached: "SELECT client_id, is_matched FROM remote_passages WHERE server_id = ?",
            arguments: [serverID.stored]
        ).map { OwnStanding.Partner(clientID: try $0.uuid("client_id"), isMatched: try $0.flag("is_matched")) }
    }

    static func remoteStanding(_ db: Database, _ id: String) throws -> RemoteStanding? {
        try Row.fetchOne(db, cached: "SELECT * FROM remote_passages WHERE client_id = ?", arguments: [id]).map {
            RemoteStanding(
                passage: try $0.remotePassage(), isWithdrawn: try $0.optionalInstant("withdrawn_at") != nil,
                isWithdrawnByPost: try $0.flag("withdrawn_by_post"), isToldByPost: try $0.flag("told_by_post"),
                serverWord: try $0.optionalText("server_word"), findings: try findings(db, of: id))
        }
    }

    static func restoredStanding(
        _ db: Database, _ restored: RestoredPassage, twin known: UUID? = nil
    ) throws -> RestoredStanding {
        let isKnown = try Bool.fetchOne(
            db,
            cached:
                "SELECT EXISTS (SELECT 1 FROM passages WHERE client_id = ?1 OR sms_client_id = ?1 OR server_id = ?2)",
            arguments: [restored.passage.clientID.stored, restored.serverID.stored])
        let twin = try (known ?? PassageTable.onRecord(db, restored.passage)).flatMap {
            try ownStanding(db, $0.stored)
        }
        let text = try twin.flatMap { twin in
            try String.fetchOne(
                db, cached: "SELECT sms_client_id FROM passages WHERE client_id = ?", arguments: [twin.clientID.stored])
        }
        return RestoredStanding(
            isKnown: isKnown == true, twin: twin, twinText: text.flatMap(UUID.init(uuidString:)))
    }

    /// The findings of a passage of either post that hold.
    private static func findings(_ db: Database, of id: String, partner: String? = nil) throws -> Findings {
        let matches = try Row.fetchAll(
            db,
            cached: """
                SELECT * FROM matches WHERE state <> 'withdrawn' AND (own_client_id = ?1 OR remote_client_id = ?1
                    OR (remote_client_id = ?2 AND certainty = 'exact')) ORDER BY id
                """, arguments: [id, partner]
        ).map(matchStanding)
        let violations = try Row.fetchAll(
            db,
            cached: """
                SELECT * FROM violations WHERE state <> 'withdrawn' AND (own_client_id = ?1 OR exit_client_id = ?1
                    OR (entry_client_id = ?1 AND state <> 'withdrawn'))
                """, arguments: [id]
        ).map { try violationStanding(db, $0) }
        var findings = Findings(matches: matches, violations: violations)
        for match in matches {
            findings.violations += try Row.fetchAll(
                db, cached: "SELECT * FROM violations WHERE match_id = ? AND state <> 'withdrawn'",
                arguments: [match.id]
            ).map { try violationStanding(db, $0) }.filter { new in !findings.violations.contains { $0.id == new.id } }
        }
        for entry in Set([id] + matches.map(\.own.stored)).sorted() {
            findings.alerts += try Row.fetchAll(
                db, cached: "SELECT * FROM overstay_alerts WHERE entry_client_id = ? AND withdrawn_at IS NULL",
                arguments: [entry]
            ).map(alertOnRecord)
        }
        return findings
    }

    private static func matchStanding(_ row: Row) throws -> MatchStanding {
        MatchStanding(
            id: try row.decode(Int64.self, forColumn: "id"), own: try row.uuid("own_client_id"),
            remote: try row.uuid("remote_client_id"), isOwnEntry: try row.flag("own_is_entry"),
            certainty: try row.choice("certainty"), state: try row.choice("state"))
    }

    static func violationStanding(_ db: Database, _ row: Row) throws -> ViolationStanding {
        let match = try row.decode(Int64?.self, forColumn: "match_id")
        return ViolationStanding(
            id: try row.uuid("id"), match: match,
            own: try row.optionalUUID("own_client_id"), entry: try row.uuid("entry_client_id"),
            exit: try row.uuid("exit_client_id"), state: try row.choice("state"),
            serverID: try row.optionalUUID("server_id"),
            isOfFurtherRoad: try match == nil && isOfFurtherRoad(db, row.text("id")))
    }

    /// Whether a violation is of another road than the post's own.
    private static func isOfFurtherRoad(_ db: Database, _ violation: String) throws -> Bool {
        try Bool.fetchOne(
            db,
            cached: """
                SELECT EXISTS (SELECT 1 FROM violations AS v JOIN further_passages AS f
                    ON f.client_id IN (v.entry_client_id, v.exit_client_id) WHERE v.id = ?)
                """, arguments: [violation]) == true
    }

    private static func alertOnRecord(_ row: Row) throws -> AlertOnRecord {
        AlertOnRecord(
            entry: try row.uuid("entry_client_id"), isResolved: try row.optionalInstant("resolved_at") != nil,
            resolvedBy: try row.optionalUUID("resolved_by_client_id"),
            isDismissed: try row.optionalInstant("dismissed_at") != nil)
    }
}

extension ReconciliationTable {
    /// Nil when neither passage is of this post.
    ///
    /// - Throws: `StoreError` of kind `unknown` when one of the passages is not here.
    static func judgedStanding(_ db: Database, _ told: ServerViolation) throws -> JudgedStanding? {
        let entry = try side(db, told.entryServerID)
        let exit = try side(db, told.exitServerID)
        var standing = JudgedStanding(entry: entry, exit: exit)
        guard let own = standing.own?.stored else { return nil }
        standing.candidates = try Row.fetchAll(
            db,
            cached: """
                SELECT * FROM violations WHERE server_id = ?1 OR exit_client_id IN (?2, ?3)
                    OR (entry_client_id = ?2 AND state <> 'withdrawn')
                ORDER BY server_id IS NULL, id
                """, arguments: [told.serverID.stored, entry.clientID.stored, exit.clientID.stored]
        ).map { try candidate(db, $0) }
        standing.isOfFurtherRoad =
            try Bool.fetchOne(
                db, cached: "SELECT EXISTS (SELECT 1 FROM further_passages WHERE client_id IN (?, ?))",
                arguments: [entry.clientID.stored, exit.clientID.stored]) == true
        // On a further road it has another match, at the server.
        standing.match =
            standing.isOfFurtherRoad
            ? nil
            : try Int64.fetchOne(
                db,
                cached:
                    "SELECT id FROM matches WHERE own_client_id = ? AND certainty = 'exact' AND state <> 'withdrawn'",
                arguments: [own])
        standing.ownPlate = try String.fetchOne(
            db, cached: "SELECT plate FROM passages WHERE client_id = ?", arguments: [own]
        ).map(Plate.init(canonical:))
        return standing
    }

    private static func side(_ db: Database, _ serverID: UUID) throws -> JudgedStanding.Side {
        let row = try Row.fetchOne(
            db,
            cached: """
                SELECT client_id, 1 AS is_own FROM passages WHERE server_id = ?1
                UNION ALL SELECT client_id, 0 FROM remote_passages WHERE server_id = ?1
                UNION ALL SELECT client_id, 0 FROM further_passages WHERE server_id = ?1 LIMIT 1
                """, arguments: [serverID.stored])
        guard let row else {
            throw StoreError(.unknown, "The server refers to its passage \(serverID.stored), which is not here yet.")
        }
        return JudgedStanding.Side(clientID: try row.uuid("client_id"), isOwn: try row.flag("is_own"))
    }

    private static func candidate(_ db: Database, _ row: Row) throws -> JudgedStanding.Candidate {
        let outcome = try Int64.fetchOne(
            db, cached: "SELECT id FROM violation_outcomes WHERE violation_id = ? AND replaced_at IS NULL",
            arguments: [row.text("id")])
        let entries = try Row.fetchAll(
            db, cached: "SELECT * FROM sync_queue WHERE entity <> 'passage' AND entity = 'outcome' AND subject_id = ?",
            arguments: [outcome])
        return JudgedStanding.Candidate(
            violation: try violationStanding(db, row), withdrawnAt: try row.optionalInstant("withdrawn_at"),
            hasOutcome: outcome != nil, outcomeEntries: try entries.map(QueueTable.queueEntry))
    }

    /// Nil when the entry is not of this post.
    static func alertStanding(_ db: Database, entryServerID: UUID) throws -> AlertStanding? {
        let row = try Row.fetchOne(
            db,
            sql:
                "SELECT client_id, plate, \(MatchTable.ownIsUnmatched) AS is_unmatched FROM passages AS p WHERE server_id = ?",
            arguments: [entryServerID.stored])
        guard let row else { return nil }
        let alert = try Row.fetchOne(
            db, cached: "SELECT * FROM overstay_alerts WHERE entry_client_id = ? AND withdrawn_at IS NULL",
            arguments: [row.text("client_id")])
        return AlertStanding(
            entry: try row.uuid("client_id"), plate: try row.plate("plate"), isUnmatched: try row.flag("is_unmatched"),
            alert: try alert.map(alertOnRecord), other: try OtherPostTable.known(db))
    }

    /// Nil when the violation is not here.
    static func outcomeStanding(_ db: Database, ofServerViolation id: UUID) throws -> OutcomeStanding? {
        let violation = try Row.fetchOne(
            db, cached: "SELECT id FROM violations WHERE server_id = ?", arguments: [id.stored])
        guard let violation else { return nil }
        let local = try violation.text("id")
        let held = try Row.fetchOne(
            db, cached: "SELECT * FROM violation_outcomes WHERE violation_id = ? AND replaced_at IS NULL",
            arguments: [local])
        let entries = try Row.fetchAll(
            db,
            cached: """
                SELECT q.* FROM violation_outcomes AS o CROSS JOIN sync_queue AS q ON q.subject_id = o.id
                WHERE o.violation_id = ? AND q.entity <> 'passage' AND q.entity = 'outcome'
                """, arguments: [local])
        return OutcomeStanding(
            violation: try violation.uuid("id"), held: try held.map { try ViolationTable.outcome($0, prefix: "") },
            entries: try entries.map(QueueTable.queueEntry))
    }
}
