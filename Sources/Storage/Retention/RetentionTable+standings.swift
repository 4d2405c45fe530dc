import Enforcement
import Foundation
import GRDB

/// Reads what stands of a record, for the policy.
extension RetentionTable {
    static func photo(_ db: Database, _ record: PhotoRecord, trackers: [String]) throws -> KeptPhoto {
        let passages = try String.fetchAll(
            db,
            cached: """
                SELECT client_id FROM passages WHERE photo_sha256 = ?1
                UNION SELECT passage_client_id FROM photo_uploads WHERE sha256 = ?1
                """, arguments: [record.sha256])
        let isWaiting = try Bool.fetchOne(
            db,
            cached: """
                SELECT EXISTS (SELECT 1 FROM sightings AS s WHERE s.best_sha256 = ?1 AND (s.state IN ('open', 'review')
                    OR (s.state = 'discarded' AND s.decided_by IS NOT NULL)
                    OR (s.state = 'recorded' AND NOT EXISTS (SELECT 1 FROM passages AS p WHERE p.photo_sha256 = ?1))))
                """, arguments: [record.sha256])
        // A tracker's state is a text that names its frames by hash.
        let isWatched = isWaiting == true || trackers.contains { $0.contains(record.sha256) }
        return KeptPhoto(
            keptAt: record.keptAt, bytes: record.bytes, isWatched: isWatched,
            passages: try passages.compactMap { try passage(db, $0) })
    }

    /// What the trackers of all cameras hold.
    static func trackers(_ db: Database) throws -> [String] {
        try Data.fetchAll(db, cached: "SELECT state FROM tracker_states").map { String(decoding: $0, as: UTF8.self) }
    }

    static func passage(_ db: Database, _ id: String) throws -> KeptPassage? {
        let row = try Row.fetchOne(
            db,
            cached: """
                SELECT max(p.recorded_at, p.created_at) AS since, p.clock_state = 'untrusted' AS is_untrusted,
                    p.server_matched_id IS NOT NULL OR EXISTS (SELECT 1 FROM matches WHERE own_client_id = p.client_id
                        AND certainty = 'exact' AND state <> 'withdrawn') AS is_matched,
                    EXISTS (SELECT 1 FROM sync_queue WHERE passage_client_id = p.client_id AND status <> 'synced'
                        AND set_aside IS NULL) AS waits,
                    EXISTS (SELECT 1 FROM photo_uploads WHERE passage_client_id = p.client_id
                        AND status <> 'uploaded') AS photo_waits,
                    EXISTS (SELECT 1 FROM matches WHERE own_client_id = p.client_id AND certainty = 'look_alike'
                        AND state = 'provisional') AS has_possible_match
                FROM passages AS p WHERE p.client_id = ?
                """, arguments: [id])
        guard let row else { return nil }
        let violations = try Row.fetchAll(db.cachedStatement(sql: violationsOfPassage), arguments: [id])
        let alerts = try Row.fetchAll(
            db,
            cached: """
                SELECT raised_at, dismissed_at IS NULL AS is_open FROM overstay_alerts
                WHERE entry_client_id = ? AND withdrawn_at IS NULL AND resolved_at IS NULL
                """, arguments: [id])
        let found = try violations.map { try $0.instant("exit_time") } + alerts.map { try $0.instant("raised_at") }
        let isOpen = try (violations + alerts).contains { try $0.flag("is_open") }
        let since = try row.instant("since")
        return KeptPassage(
            since: since, isAgeKnown: try since >= ClockState.earliest || !row.flag("is_untrusted"),
            isSynced: try !row.flag("waits"),
            isPhotoSynced: try !row.flag("photo_waits"), isMatched: try row.flag("is_matched"),
            isOpen: try isOpen || row.flag("has_possible_match"), foundAt: found.max())
    }

    static func violation(_ db: Database, _ id: String) throws -> KeptViolation? {
        try Row.fetchOne(db.cachedStatement(sql: violationStanding), arguments: [id]).map {
            KeptViolation(
                exitTime: try $0.instant("exit_time"), isOpen: try $0.flag("is_open"), isSynced: try !$0.flag("waits"))
        }
    }

    /// Of `violations AS v`: nobody has said what was done about it. An exempt vehicle's is nobody's to settle.
    private static let violationIsOpen = """
        NOT EXISTS (SELECT 1 FROM violation_outcomes AS o WHERE o.violation_id = v.id AND o.replaced_at IS NULL)
        AND NOT EXISTS (SELECT 1 FROM every_exempt_plate AS x WHERE x.compact = v.plate_compact)
        """

    private static let violationsOfPassage = """
        SELECT v.exit_time, \(violationIsOpen) AS is_open FROM violations AS v
        WHERE v.state <> 'withdrawn' AND v.id IN (
            SELECT id FROM violations WHERE own_client_id = ?1
            UNION SELECT id FROM violations WHERE entry_client_id = ?1
            UNION SELECT id FROM violations WHERE exit_client_id = ?1)
        """

    private static let violationStanding = """
        SELECT v.exit_time, v.state <> 'withdrawn' AND \(violationIsOpen) AS is_open,
            EXISTS (SELECT 1 FROM violation_outcomes AS o JOIN sync_queue AS q
                ON q.entity = 'outcome' AND q.subject_id = o.id
                WHERE o.violation_id = v.id AND q.status <> 'synced' AND q.set_aside IS NULL) AS waits
        FROM violations AS v WHERE v.id = ?
        """
}
