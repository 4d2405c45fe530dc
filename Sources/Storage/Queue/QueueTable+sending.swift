import Enforcement
import Foundation
import GRDB

/// An outcome as the server gets it.
package struct OutcomeToSend: Sendable, Equatable {
    package var outcome: Outcome

    /// Nil when the server knows no such violation.
    package var violationServerID: UUID?
}

/// Who closed an overstay alert, and why.
package struct Dismissal: Sendable, Equatable {
    package var at: Instant
    package var by: String?
    package var reason: String?
}

extension QueueTable {
    /// What can be sent now, in the order in which it was queued, whatever the clock said then: `pending`, parents before children.
    ///
    /// A passage whose time may still be put right waits for that. A correction, an outcome or a dismissal waits, without holding
    /// up what is behind it, until its passage is at the server; an outcome also until the server has told its violation, or the
    /// violation was withdrawn.
    package func waiting(limit: Int) throws -> [QueueEntry] {
        try read("Reading the queue") { db in
            try Row.fetchAll(
                db,
                cached: """
                    SELECT q.* FROM sync_queue AS q
                    WHERE q.status = 'pending' AND (
                        (q.entity = 'passage' AND NOT EXISTS (SELECT 1 FROM passages AS p
                            WHERE p.client_id = q.passage_client_id AND p.boot IS NOT NULL))
                        OR (q.entity <> 'passage' AND
                        EXISTS (SELECT 1 FROM sync_queue AS parent
                            WHERE parent.passage_client_id = q.passage_client_id AND parent.entity = 'passage'
                                AND parent.status = 'synced')
                        AND (q.entity <> 'outcome' OR EXISTS (
                            SELECT 1 FROM violation_outcomes AS o JOIN violations AS v ON v.id = o.violation_id
                            WHERE o.id = q.subject_id AND (v.server_id IS NOT NULL OR v.state = 'withdrawn')))))
                    ORDER BY q.id LIMIT ?
                    """, arguments: [limit]
            ).map(Self.queueEntry)
        }
    }

    /// What an entry that is `pending` waits for besides the link: its passage, or the server's judgement.
    package func obstacle(of entry: QueueEntry) throws -> SendingObstacle? {
        guard entry.status == .pending else { return nil }
        return try read("Reading the queue") { db in
            if entry.entity == .passage {
                let waits = try Bool.fetchOne(
                    db, cached: "SELECT boot IS NOT NULL FROM passages WHERE client_id = ?",
                    arguments: [entry.passageClientID.stored])
                return waits == true ? .time : nil
            }
            let isPassageThere = try Bool.fetchOne(
                db,
                cached: """
                    SELECT EXISTS (SELECT 1 FROM sync_queue
                        WHERE passage_client_id = ? AND entity = 'passage' AND status = 'synced')
                    """, arguments: [entry.passageClientID.stored])
            if isPassageThere != true { return .passage }
            guard entry.entity == .outcome else { return nil }
            let isUnjudged = try Bool.fetchOne(
                db,
                cached: """
                    SELECT v.server_id IS NULL AND v.state <> 'withdrawn' FROM violation_outcomes AS o
                    JOIN violations AS v ON v.id = o.violation_id WHERE o.id = ?
                    """, arguments: [entry.subjectID])
            return isUnjudged == true ? .judgement : nil
        }
    }

    /// Writes what may change of entries, and what the server told of passages, in one transaction.
    package func update(_ entries: [QueueEntry], learning facts: [UUID: ServerFacts] = [:]) throws {
        try write("Updating queue entries") { db in
            for entry in entries {
                try db.execute(
                    cached: """
                        UPDATE sync_queue SET status = ?, attempts = ?, last_attempt_at = ?, next_attempt_at = ?,
                            last_error = ?, is_refused = ? WHERE id = ?
                        """,
                    arguments: [
                        entry.status.rawValue, entry.attempts, entry.lastAttemptAt?.milliseconds,
                        entry.nextAttemptAt?.milliseconds, entry.lastError, entry.isRefused, entry.id,
                    ])
                guard db.changesCount == 1 else { throw StoreError(.unknown, "There is no queue entry \(entry.id).") }
            }
            for (clientID, facts) in facts {
                try db.execute(
                    cached: """
                        UPDATE passages SET server_id = coalesce(?, server_id),
                            server_matched_id = coalesce(?, server_matched_id) WHERE client_id = ?
                        """, arguments: [facts.serverID?.stored, facts.matchedServerID?.stored, clientID.stored])
            }
        }
    }

    /// Puts what failed and isn't refused back in line, with no attempts counted.
    ///
    /// - Returns: how many.
    @discardableResult
    package func reviveFailed(except ids: Set<Int64>) throws -> Int {
        let excluded: SQL = ids.isEmpty ? "" : "AND id NOT IN \(ids.sorted())"
        let change: SQL = """
            UPDATE sync_queue SET status = 'pending', attempts = 0, next_attempt_at = NULL
            WHERE status = 'failed' AND is_refused = 0 \(excluded)
            """
        return try write("Reviving the queue") { db in
            let (sql, arguments) = try change.build(db)
            try db.execute(sql: sql, arguments: arguments)
            return db.changesCount
        }
    }

    package func outcome(id: Int64) throws -> OutcomeToSend? {
        try read("Reading an outcome") { db in
            try Row.fetchOne(
                db,
                cached: """
                    SELECT o.*, v.server_id FROM violation_outcomes AS o JOIN violations AS v ON v.id = o.violation_id
                    WHERE o.id = ?
                    """, arguments: [id]
            ).map { row in
                OutcomeToSend(
                    outcome: Outcome(
                        kind: try row.choice("kind"), fineAmount: try row.optionalNumber("fine_amount"),
                        notes: try row.optionalText("notes"), recordedBy: try row.text("recorded_by"),
                        recordedAt: try row.instant("recorded_at")),
                    violationServerID: try row.optionalUUID("server_id"))
            }
        }
    }

    /// A ranger's word on an alert; nil when there is no such alert or it was not dismissed.
    package func dismissal(ofAlert id: Int64) throws -> Dismissal? {
        try read("Reading an alert") { db in
            try Row.fetchOne(
                db, cached: "SELECT * FROM overstay_alerts WHERE id = ? AND dismissed_at IS NOT NULL", arguments: [id]
            ).map { row in
                Dismissal(
                    at: try row.instant("dismissed_at"), by: try row.optionalText("dismissed_by"),
                    reason: try row.optionalText("dismissed_reason"))
            }
        }
    }
}
