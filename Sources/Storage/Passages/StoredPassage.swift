import Enforcement
import Foundation
import GRDB

/// A passage of this post with all that is known of it.
package struct StoredPassage: Sendable, Equatable, Identifiable {
    package var passage: Passage
    package var createdAt: Instant
    package var serverID: UUID?
    package var withdrawnAt: Instant?

    /// The id that the server derives from its SMS, once one was sent.
    package var smsClientID: UUID?

    /// What the server's row names its photo by, once it is there: `passage-photos/<server id>.jpg`.
    package var photoPath: String?

    /// When its photo was removed, because its time was over or for want of room; its hash stays on record.
    package var photoRemovedAt: Instant?

    /// Whether its plate was corrected since it was recorded.
    package var isCorrected: Bool

    /// The passage of the other post that it is matched with, here or at the server; nil when there is none, or when it isn't here.
    package var counterpart: MatchablePassage?

    /// Whether it is matched, here or at the server.
    package var isMatched: Bool

    package var matchState: FindingState?

    /// The violation that holds.
    package var violation: Violation?

    /// As a loop or a radar at this post measured it; nil where none did. It is no violation by itself.
    package var speedAtPostKmh: Double?

    /// Nil when nothing of it waits and nothing did.
    package var queueStatus: QueueStatus?

    package var id: UUID { passage.clientID }

    /// Joins a passage with what belongs to it. Each join meets at most one row: unique indexes see to that.
    static let query: SQL = """
        SELECT p.*, m.id AS match_id, m.state AS match_state, q.status AS queue_status,
            (SELECT f.removed_at FROM photos AS f WHERE f.sha256 = p.photo_sha256) AS photo_removed_at,
            EXISTS (SELECT 1 FROM passage_corrections AS c WHERE c.passage_client_id = p.client_id
                AND c.kind = 'corrected') AS is_corrected,
            \(sql: TriggerTable.speedOfPassage) AS speed_at_post_kmh,
            r.client_id AS r_client_id, r.plate AS r_plate, r.vehicle_type AS r_vehicle_type,
            r.checkpost_code AS r_checkpost_code, r.recorded_at AS r_recorded_at, r.clock_state AS r_clock_state,
            v.id AS v_id, v.kind AS v_kind, v.entry_client_id AS v_entry_client_id, v.exit_client_id AS v_exit_client_id,
            v.plate AS v_plate, v.vehicle_type AS v_vehicle_type, v.entry_time AS v_entry_time,
            v.exit_time AS v_exit_time, v.distance_km AS v_distance_km, v.speed_limit_kmh AS v_speed_limit_kmh,
            v.tolerance_kmh AS v_tolerance_kmh, v.tolerance_percent AS v_tolerance_percent,
            v.calculated_speed_kmh AS v_calculated_speed_kmh, v.is_implausible AS v_is_implausible, v.state AS v_state
        FROM passages AS p
        LEFT JOIN matches AS m ON m.own_client_id = p.client_id AND m.certainty = 'exact' AND m.state <> 'withdrawn'
        LEFT JOIN remote_passages AS r ON r.client_id = coalesce(m.remote_client_id,
            (SELECT x.client_id FROM remote_passages AS x WHERE x.server_id = p.server_matched_id LIMIT 1))
        -- Of its own road first, where it has one on each of several.
        LEFT JOIN violations AS v ON v.id = (SELECT x.id FROM violations AS x
            WHERE x.own_client_id = p.client_id AND x.state <> 'withdrawn' ORDER BY x.match_id IS NULL, x.id LIMIT 1)
        LEFT JOIN sync_queue AS q ON q.passage_client_id = p.client_id AND q.entity = 'passage'
        """

    init(_ row: Row) throws {
        passage = try row.passage()
        createdAt = try row.instant("created_at")
        serverID = try row.optionalUUID("server_id")
        withdrawnAt = try row.optionalInstant("withdrawn_at")
        smsClientID = try row.optionalUUID("sms_client_id")
        photoPath = try row.optionalText("photo_path")
        photoRemovedAt = try row.optionalInstant("photo_removed_at")
        isCorrected = try row.flag("is_corrected")
        counterpart = try row.optionalText("r_client_id") == nil ? nil : row.matchablePassage(prefix: "r_")
        matchState = try row.optionalText("match_state").flatMap(FindingState.init(rawValue:))
        isMatched = try matchState != nil || row.optionalText("server_matched_id") != nil
        violation = try row.optionalText("v_id") == nil ? nil : row.violation(prefix: "v_")
        speedAtPostKmh = try row.decode(Double?.self, forColumn: "speed_at_post_kmh")
        queueStatus = try row.optionalText("queue_status").flatMap(QueueStatus.init(rawValue:))
    }
}
