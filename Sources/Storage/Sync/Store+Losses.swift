import Enforcement
import Foundation
import GRDB

extension Store {
    /// What the server lost goes back in line, where it stood.
    package struct Losses: Sendable, Equatable {
        /// Passages that it has no longer.
        package var passages: [UUID] = []
        /// Passages whose last correction or withdrawal it doesn't know.
        package var corrections: [UUID] = []
        package var photos: [UUID] = []
        package init() {}
    }

    /// - Returns: how many passages and corrections are sent again.
    @discardableResult
    package func sendAgain(_ losses: Losses, at now: Instant) throws -> Int {
        guard losses != Losses() else { return 0 }
        return try write("Sending again what the server lost") { db in
            var count = 0
            for id in losses.passages.map(\.stored) {
                try db.execute(
                    cached: """
                        UPDATE sync_queue SET status = 'pending', attempts = 0, next_attempt_at = NULL, last_error = NULL,
                            resent_at = ?
                        WHERE passage_client_id = ? AND entity = 'passage' AND status = 'synced'
                        """, arguments: [now.milliseconds, id])
                guard db.changesCount == 1 else { continue }
                count += 1
                try Self.forgetServerRow(db, of: id)
                try Self.sendFindingsAgain(db, "q.passage_client_id = ?", [id])
                // The row of a text keeps the text's plate: the correction follows it once more.
                try Self.sendCorrectionAgain(db, of: id)
                // Refused because the passage was not there.
                try db.execute(
                    cached: """
                        UPDATE sync_queue SET status = 'pending', attempts = 0, is_refused = 0, next_attempt_at = NULL
                        WHERE passage_client_id = ? AND entity = 'correction' AND status = 'failed'
                            AND set_aside IS NULL
                        """, arguments: [id])
            }
            for id in losses.corrections.map(\.stored) {
                count += try Self.sendCorrectionAgain(db, of: id)
            }
            for id in losses.photos.map(\.stored) {
                try db.execute(
                    cached: "UPDATE photo_uploads SET status = 'pending', attempts = 0 WHERE passage_client_id = ?",
                    arguments: [id])
                try db.execute(cached: "UPDATE passages SET photo_path = NULL WHERE client_id = ?", arguments: [id])
            }
            return count
        }
    }

    /// Only what was changed here: the warden's own word is the server's to know.
    ///
    /// - Returns: how many.
    @discardableResult
    private static func sendCorrectionAgain(_ db: Database, of passage: String) throws -> Int {
        try db.execute(
            cached: """
                UPDATE sync_queue SET status = 'pending', attempts = 0, next_attempt_at = NULL, last_error = NULL
                WHERE entity = 'correction' AND status = 'synced' AND subject_id = (
                    SELECT max(id) FROM passage_corrections WHERE passage_client_id = ?)
                """, arguments: [passage])
        return db.changesCount
    }

    /// Outcomes of this post that the server has taken, with its violations, after an entry.
    package func sentOutcomes(after last: Int64, since: Instant, limit: Int) throws -> [(entry: Int64, violation: UUID)]
    {
        try read("Reading outcomes") { db in
            try Row.fetchAll(
                db,
                cached: """
                    SELECT q.id, v.server_id FROM sync_queue AS q JOIN violation_outcomes AS o ON o.id = q.subject_id
                    JOIN violations AS v ON v.id = o.violation_id
                    WHERE q.entity = 'outcome' AND q.status = 'synced' AND q.id > ? AND q.created_at >= ?
                        AND o.replaced_at IS NULL AND v.state <> 'withdrawn' AND v.server_id IS NOT NULL
                    ORDER BY q.id LIMIT ?
                    """, arguments: [last, since.milliseconds, limit]
            ).map { (try $0.decode(Int64.self, forColumn: "id"), try $0.uuid("server_id")) }
        }
    }

    /// Violations that the server judged, after one, in the order of their ids there.
    package func confirmedViolations(after last: UUID?, since: Instant, limit: Int) throws -> [UUID] {
        try read("Reading violations") { db in
            try String.fetchAll(
                db,
                cached: """
                    SELECT server_id FROM violations WHERE state = 'confirmed' AND server_id > ? AND exit_time >= ?
                    ORDER BY server_id LIMIT ?
                    """, arguments: [last?.stored ?? "", since.milliseconds, limit]
            ).compactMap(UUID.init(uuidString:))
        }
    }

    /// The server has these no longer: until it judges again they are found here and nothing more.
    ///
    /// - Returns: how many.
    package func doubt(violations lost: [UUID]) throws -> Int {
        guard !lost.isEmpty else { return 0 }
        return try write("Doubting violations that the server lost") { db in
            try lost.count { id in
                try db.execute(
                    cached: """
                        UPDATE violations SET state = 'provisional', server_id = NULL
                        WHERE server_id = ? AND state = 'confirmed'
                        """, arguments: [id.stored])
                return db.changesCount > 0
            }
        }
    }

    /// Of passages without a photo at the server those whose photo it was given.
    package func lostPhotos(among ids: [UUID]) throws -> [UUID] {
        try read("Looking up photos") { db in
            try ids.filter { id in
                try Bool.fetchOne(
                    db,
                    cached: """
                        SELECT EXISTS (SELECT 1 FROM passages
                            WHERE client_id = ? AND photo_path IS NOT NULL AND withdrawn_at IS NULL)
                        """, arguments: [id.stored]) == true
            }
        }
    }

    /// Entries that the server took and has lost.
    package func sendAgain(entries ids: [Int64]) throws {
        guard !ids.isEmpty else { return }
        try write("Sending again what the server lost") { db in
            for id in ids {
                try db.execute(
                    cached: "UPDATE sync_queue SET status = 'pending', attempts = 0 WHERE id = ? AND status = 'synced'",
                    arguments: [id])
            }
        }
    }

    /// Outcomes and dismissals since a moment are sent again: the server may have lost them though it has their passages.
    package func sendFindingsAgain(since: Instant) throws {
        try write("Sending again what the server lost") { db in
            try Self.sendFindingsAgain(db, "q.created_at >= ?", [since.milliseconds])
        }
    }

    /// Outcomes that hold, of violations that hold, and dismissals.
    static func sendFindingsAgain(_ db: Database, _ condition: String, _ arguments: StatementArguments) throws {
        try db.execute(
            sql: """
                UPDATE sync_queue AS q SET status = 'pending', attempts = 0, next_attempt_at = NULL, last_error = NULL,
                    is_refused = 0
                WHERE (q.status = 'synced' OR (q.status = 'failed' AND q.is_refused = 0)) AND \(condition)
                    AND (q.entity = 'alert' OR (q.entity = 'outcome' AND EXISTS (
                        SELECT 1 FROM violation_outcomes AS o JOIN violations AS v ON v.id = o.violation_id
                        WHERE o.id = q.subject_id AND o.replaced_at IS NULL AND v.state <> 'withdrawn')))
                """, arguments: arguments)
    }
}
