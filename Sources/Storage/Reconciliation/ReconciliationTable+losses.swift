import Enforcement
import Foundation
import GRDB

extension ReconciliationTable {
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
                guard var standing = try Self.ownStanding(db, id) else { continue }
                let holding = try Self.holdingOutcomes(db, ofPassage: id)
                let actions = standing.handle(.lostThere(holdingOutcomes: holding), at: now)
                try Self.perform(db, actions, at: now)
                if !actions.isEmpty { count += 1 }
            }
            for id in losses.corrections.map(\.stored) {
                guard var standing = try Self.ownStanding(db, id) else { continue }
                let actions = standing.handle(.correctionLostThere, at: now)
                try Self.perform(db, actions, at: now)
                count += actions.count
            }
            for id in losses.photos { try Self.perform(db, [.uploadPhotoAgain(passage: id)], at: now) }
            if count > 0 { try Self.noteLost(db, count, at: now) }
            return count
        }
    }

    /// In the transaction that acts on it: see `SyncCursor.lostRecords`.
    private static func noteLost(_ db: Database, _ count: Int, at now: Instant) throws {
        let before = try CursorTable.value(db, SyncCursor.lostRecords)
        try CursorTable.setCursor(
            db, SyncCursor(name: SyncCursor.lostRecords, value: (before ?? 0) + Int64(count)), at: now)
    }

    /// Outcomes on the way of a passage that hold, of violations that hold.
    private static func holdingOutcomes(_ db: Database, ofPassage id: String) throws -> Set<Int64> {
        Set(
            try Int64.fetchAll(
                db,
                cached: """
                    SELECT o.id FROM sync_queue AS q JOIN violation_outcomes AS o ON o.id = q.subject_id
                    JOIN violations AS v ON v.id = o.violation_id
                    WHERE q.passage_client_id = ? AND q.entity = 'outcome' AND o.replaced_at IS NULL
                        AND v.state <> 'withdrawn'
                    """, arguments: [id]))
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
    package func doubt(violations lost: [UUID], at now: Instant) throws -> Int {
        guard !lost.isEmpty else { return 0 }
        return try write("Doubting violations that the server lost") { db in
            try Self.noteLost(db, 0, at: now)
            return try lost.count { id in
                let row = try Row.fetchOne(
                    db, cached: "SELECT * FROM violations WHERE server_id = ?", arguments: [id.stored])
                guard let standing = try row.map({ try Self.violationStanding(db, $0) }), standing.isDoubtedByLoss
                else { return false }
                try Self.doubt(db, violation: standing.id)
                return true
            }
        }
    }

    /// Outcomes and dismissals that the server took and has lost.
    package func sendAgain(entries ids: [Int64], at now: Instant) throws {
        guard !ids.isEmpty else { return }
        try write("Sending again what the server lost") { db in
            try Self.noteLost(db, ids.count, at: now)
            for id in ids {
                let entry = try Row.fetchOne(db, cached: "SELECT * FROM sync_queue WHERE id = ?", arguments: [id])
                guard let lost = try entry.map(QueueTable.queueEntry)?.lostThere() else { continue }
                try QueueTable.write(db, lost)
            }
        }
    }

    /// Outcomes and dismissals since a moment are sent again: the server may have lost them though it has their passages.
    package func sendFindingsAgain(since: Instant) throws {
        try write("Sending again what the server lost") { db in
            let rows = try Row.fetchAll(
                db,
                cached: """
                    SELECT q.*, EXISTS (SELECT 1 FROM violation_outcomes AS o JOIN violations AS v ON v.id = o.violation_id
                        WHERE q.entity = 'outcome' AND o.id = q.subject_id AND o.replaced_at IS NULL
                            AND v.state <> 'withdrawn') AS holds
                    FROM sync_queue AS q WHERE q.created_at >= ? AND q.entity IN ('outcome', 'alert') ORDER BY q.id
                    """, arguments: [since.milliseconds])
            for row in rows {
                let changed = try QueueTable.queueEntry(row).lostFinding(holds: row.flag("holds"))
                if let changed { try QueueTable.write(db, changed) }
            }
        }
    }
}
