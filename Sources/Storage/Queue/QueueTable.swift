import Enforcement
import Foundation
import GRDB

/// The sync queue: what still has to reach the server, in order.
package struct QueueTable: Table {
    let store: Store
}

extension QueueTable {
    /// Entries in order, of one status or of all.
    package func entries(status: QueueStatus? = nil, limit: Int = 100, offset: Int = 0) throws -> [QueueEntry] {
        try entries(in: status.map { [$0] } ?? Set(QueueStatus.allCases), limit: limit, offset: offset)
    }

    /// Entries of any of these statuses, in order.
    package func entries(in states: Set<QueueStatus>, limit: Int = 100, offset: Int = 0) throws -> [QueueEntry] {
        let request: SQL = """
            SELECT * FROM sync_queue WHERE status IN \(states.map(\.rawValue))
            ORDER BY id LIMIT \(limit) OFFSET \(offset)
            """
        return try read("Reading the queue") { db in
            let (sql, arguments) = try request.build(db)
            return try Row.fetchAll(db, composed: sql, arguments: arguments).map(Self.queueEntry)
        }
    }

    package func entry(id: Int64) throws -> QueueEntry? {
        try read("Reading a queue entry") { db in
            try Row.fetchOne(db, cached: "SELECT * FROM sync_queue WHERE id = ?", arguments: [id]).map(Self.queueEntry)
        }
    }

    /// Writes what may change of an entry: status, attempts, times, error, refusal and `smsSent`.
    ///
    /// - Parameter facts: what the server told of the entry's passage, kept in the same transaction.
    /// - Throws: `StoreError` of kind `unknown` when there is no such entry.
    package func update(_ entry: QueueEntry, learning facts: ServerFacts? = nil) throws {
        try write("Updating a queue entry") { db in
            try db.execute(
                cached: """
                    UPDATE sync_queue SET status = ?, attempts = ?, last_attempt_at = ?, next_attempt_at = ?,
                        last_error = ?, is_refused = ?, sms_sent = ? WHERE id = ?
                    """,
                arguments: [
                    entry.status.rawValue, entry.attempts, entry.lastAttemptAt?.milliseconds,
                    entry.nextAttemptAt?.milliseconds, entry.lastError, entry.isRefused, entry.smsSent, entry.id,
                ])
            guard db.changesCount == 1 else { throw StoreError(.unknown, "There is no queue entry \(entry.id).") }
            guard let facts else { return }
            try db.execute(
                cached: """
                    UPDATE passages SET server_id = coalesce(?, server_id),
                        server_matched_id = coalesce(?, server_matched_id), sms_client_id = coalesce(?, sms_client_id)
                    WHERE client_id = ?
                    """,
                arguments: [
                    facts.serverID?.stored, facts.matchedServerID?.stored, facts.smsClientID?.stored,
                    entry.passageClientID.stored,
                ])
        }
    }

    /// Puts entries that are shown as under way and that nobody sends back in line; no attempt is counted.
    ///
    /// - Returns: how many.
    @discardableResult
    package func recoverInFlight() throws -> Int {
        // Where there is none, nothing is written: it is asked at the start of every cycle.
        let isNeeded = try read("Looking for entries under way") { db in
            try Bool.fetchOne(db, cached: "SELECT EXISTS (SELECT 1 FROM sync_queue WHERE status = 'in_flight')")
        }
        guard isNeeded == true else { return 0 }
        return try write("Recovering the queue") { db in
            try db.execute(cached: "UPDATE sync_queue SET status = 'pending' WHERE status = 'in_flight'")
            return db.changesCount
        }
    }

    /// Keeps an entry that the server refuses for good as it is here, without a warning. It can be retried by its number.
    ///
    /// - Returns: false when the server refuses no such entry, or it was set aside before.
    @discardableResult
    package func setAside(entry id: Int64) throws -> Bool {
        try write("Setting a queue entry aside") { db in
            try db.execute(
                cached: """
                    UPDATE sync_queue SET set_aside = 'discarded'
                    WHERE id = ? AND status = 'failed' AND is_refused = 1 AND set_aside IS NULL
                    """, arguments: [id])
            return db.changesCount == 1
        }
    }

    /// How many entries were set aside.
    package func setAsideCount() throws -> Int {
        try read("Counting the queue") { db in
            try Int.fetchOne(
                db, cached: "SELECT count(*) FROM sync_queue WHERE status = 'failed' AND set_aside IS NOT NULL") ?? 0
        }
    }

    /// Puts failed entries back in line by hand: one, or all of them, refused ones too, but not those that were set aside.
    ///
    /// A passage that was deleted at the server holds again with its entry: a person wants it there after all.
    ///
    /// - Returns: how many.
    @discardableResult
    package func retryFailed(id: Int64? = nil, at now: Instant) throws -> Int {
        try write("Retrying queue entries") { db in
            if let id { try ReconciliationTable.askFor(db, entry: id, at: now) }
            try db.execute(
                cached: """
                    UPDATE sync_queue SET status = 'pending', attempts = 0, is_refused = 0, next_attempt_at = NULL
                    WHERE status = 'failed' AND (id = ?1 OR (?1 IS NULL AND set_aside IS NULL))
                    """, arguments: [id])
            return db.changesCount
        }
    }

    /// Gives the passage of an entry that failed this post's code: it was recorded here under one that was wrong. What it was before
    /// stays on record.
    ///
    /// - Throws: `StoreError` of kind `unknown` when there is no such entry, or it didn't fail, or is at the server.
    package func attribute(entry id: Int64, toPost code: String, at now: Instant) throws {
        try write("Giving a passage its post") { db in
            let row = try Row.fetchOne(
                db,
                cached: """
                    SELECT p.client_id, p.plate, p.checkpost_code FROM sync_queue AS q
                    JOIN passages AS p ON p.client_id = q.passage_client_id
                    WHERE q.id = ? AND q.entity = 'passage' AND q.status = 'failed' AND p.server_id IS NULL
                    """, arguments: [id])
            guard let row else { throw StoreError(.unknown, "\(id) is no passage that failed to reach the server.") }
            let (passage, old) = (try row.text("client_id"), try row.text("checkpost_code"))
            guard old != code else { return }
            let reason = "recorded under \(old); the post is \(code)"
            try db.execute(
                cached: "UPDATE passages SET checkpost_code = ? WHERE client_id = ?", arguments: [code, passage])
            try db.execute(
                cached: """
                    INSERT INTO passage_corrections (passage_client_id, kind, old_plate, new_plate, reason, actor, at)
                    VALUES (?1, 'corrected', ?2, ?2, ?3, 'queue retry', ?4)
                    """,
                arguments: [
                    passage, try row.text("plate"), reason, now.milliseconds,
                ])
            let plate = try row.plate("plate")
            try EvidenceTable.append(
                db,
                .corrected(
                    passage: try row.uuid("client_id"),
                    Amendment(oldPlate: plate, newPlate: plate, reason: reason, actor: Amendment.queueRetry)), at: now)
        }
    }

    /// How many entries have each status; a status without entries is there with zero.
    package func counts() throws -> [QueueStatus: Int] {
        try read("Counting the queue") { db in
            var counts = Dictionary(uniqueKeysWithValues: QueueStatus.allCases.map { ($0, 0) })
            for row in try Row.fetchAll(db, cached: "SELECT status, count(*) AS n FROM sync_queue GROUP BY status") {
                counts[try row.choice("status")] = try row.integer("n")
            }
            return counts
        }
    }

    /// How many entries the server refuses, without those that were set aside.
    package func refusedCount() throws -> Int {
        try read("Counting the queue") { db in
            try Int.fetchOne(db, cached: "SELECT count(*) FROM sync_queue WHERE status = 'failed' AND is_refused = 1")
                ?? 0
        } - setAsideCount()
    }

    /// When the oldest entry was made that is neither synced nor refused; nil when none waits. What was made before the box had a
    /// clock at all doesn't say how long it waits.
    package func oldestWaiting() throws -> Instant? {
        try read("Reading the queue") { db in
            try Int64.fetchOne(
                db,
                cached: """
                    SELECT min(created_at) FROM sync_queue
                    WHERE status IN ('pending', 'in_flight', 'failed') AND is_refused = 0 AND created_at >= ?
                    """, arguments: [ClockState.earliest.milliseconds]
            ).map(Instant.init(milliseconds:))
        }
    }

    /// Writes all that may change of an entry; part of a transaction.
    static func write(_ db: Database, _ entry: QueueEntry) throws {
        try db.execute(
            cached: """
                UPDATE sync_queue SET status = ?, attempts = ?, last_attempt_at = ?, next_attempt_at = ?,
                    last_error = ?, is_refused = ?, set_aside = ?, sms_sent = ?, resent_at = ? WHERE id = ?
                """,
            arguments: [
                entry.status.rawValue, entry.attempts, entry.lastAttemptAt?.milliseconds,
                entry.nextAttemptAt?.milliseconds, entry.lastError, entry.isRefused, entry.setAside?.rawValue,
                entry.smsSent, entry.resentAt?.milliseconds, entry.id,
            ])
    }

    static func enqueue(
        _ db: Database, _ entity: QueueEntry.Entity, passage: String, subject: Int64, at now: Instant
    ) throws {
        try db.execute(
            cached: "INSERT INTO sync_queue (entity, passage_client_id, subject_id, created_at) VALUES (?, ?, ?, ?)",
            arguments: [entity.rawValue, passage, subject, now.milliseconds])
    }

    private static let unreadableID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    static func queueEntry(_ row: Row) throws -> QueueEntry {
        QueueEntry(
            id: try row.decode(Int64.self, forColumn: "id"), entity: try row.choice("entity"),
            // An entry whose passage has no readable id is set aside like one whose passage is gone: it holds up no other.
            passageClientID: UUID(uuidString: try row.text("passage_client_id")) ?? unreadableID,
            subjectID: try row.decode(Int64?.self, forColumn: "subject_id"), status: try row.choice("status"),
            attempts: try row.integer("attempts"), lastAttemptAt: try row.optionalInstant("last_attempt_at"),
            nextAttemptAt: try row.optionalInstant("next_attempt_at"), lastError: try row.optionalText("last_error"),
            isRefused: try row.flag("is_refused"),
            setAside: try row.optionalText("set_aside").flatMap(QueueEntry.SetAside.init),
            smsSent: try row.flag("sms_sent"),
            createdAt: try row.instant("created_at"), resentAt: try row.optionalInstant("resent_at"))
    }
}
