import Enforcement
import Foundation
import GRDB

package enum SightingState: String, Sendable, Codable, CaseIterable {
    /// Still in view.
    case open
    /// It has its passage.
    case recorded
    /// A ranger has to judge it.
    case review
    /// A ranger, or the tracker, found it to be nothing.
    case discarded
}

/// A sighting with what became of it.
package struct StoredSighting: Sendable, Equatable {
    package var sighting: Sighting
    package var state: SightingState
    package var passageClientID: UUID?
    package var decidedBy: String?
    package var decidedAt: Instant?

    /// Whether the best frame's picture is on the disk.
    package var hasPhoto: Bool
}

/// Sightings of all cameras, and what waits for review among them.
package struct SightingTable: Table {
    let store: Store
}

extension SightingTable {
    /// Sightings in a state, the oldest first for those to decide and the newest first otherwise.
    package func list(
        in state: SightingState, limit: Int = 100, newestFirst: Bool = false, offset: Int = 0
    ) throws -> [StoredSighting] {
        let order = !newestFirst && (state == .open || state == .review) ? "ASC" : "DESC"
        return try read("Reading sightings") { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT *, EXISTS (SELECT 1 FROM photos WHERE sha256 = best_sha256 AND removed_at IS NULL) AS has_photo
                    FROM sightings WHERE state = ? ORDER BY first_seen_at \(order), id \(order) LIMIT ? OFFSET ?
                    """, arguments: [state.rawValue, limit, offset]
            ).map(Self.storedSighting)
        }
    }

    /// What waits for review next after a sighting, the newest first; after the oldest comes the newest again. Nil when nothing else
    /// waits.
    package func nextInReview(after sighting: Sighting) throws -> StoredSighting? {
        try read("Reading what waits next") { db in
            let waiting = """
                SELECT *, EXISTS (SELECT 1 FROM photos WHERE sha256 = best_sha256 AND removed_at IS NULL) AS has_photo
                FROM sightings WHERE state = 'review' AND id <> ?1
                """
            let order = "ORDER BY first_seen_at DESC, id DESC LIMIT 1"
            let older = try Row.fetchOne(
                db, sql: "\(waiting) AND (first_seen_at, id) < (?2, ?1) \(order)",
                arguments: [sighting.id, sighting.firstSeenAt.milliseconds])
            return try (older ?? Row.fetchOne(db, sql: "\(waiting) \(order)", arguments: [sighting.id]))
                .map(Self.storedSighting)
        }
    }

    package func sighting(id: String) throws -> StoredSighting? {
        try read("Reading a sighting") { db in
            try Row.fetchOne(
                db,
                cached: """
                    SELECT *, EXISTS (SELECT 1 FROM photos WHERE sha256 = best_sha256 AND removed_at IS NULL) AS has_photo
                    FROM sightings WHERE id = ?
                    """, arguments: [id]
            ).map(Self.storedSighting)
        }
    }

    /// The highest number of any sighting of a camera: a tracker whose state was lost goes on above it. Zero without any.
    package func lastNumber(camera: String) throws -> Int {
        try read("Reading the last sighting's number") { db in
            try Int.fetchOne(db, cached: "SELECT max(number) FROM sightings WHERE camera = ?", arguments: [camera]) ?? 0
        }
    }

    /// Records the passage that a ranger made of a doubtful sighting.
    ///
    /// - Throws: `StoreError` of kind `unknown` when the sighting isn't waiting: somebody else was faster.
    package func recordReviewed(sightingID: String, as passage: Passage, by ranger: String, at now: Instant) throws {
        try write("Recording a reviewed sighting") { db in
            _ = try PassageTable.insert(db, passage, at: now)
            try db.execute(
                cached: """
                    UPDATE sightings SET state = 'recorded', passage_client_id = ?, decided_by = ?, decided_at = ?
                    WHERE id = ? AND state = 'review'
                    """, arguments: [passage.clientID.stored, ranger, now.milliseconds, sightingID])
            guard db.changesCount == 1 else { throw Self.notWaiting(sightingID) }
        }
    }

    /// Keeps a sighting as nothing, on a ranger's word.
    ///
    /// - Throws: `StoreError` of kind `unknown` when the sighting isn't waiting.
    package func discardReviewed(sightingID: String, by ranger: String, at now: Instant) throws {
        try write("Discarding a sighting") { db in
            try db.execute(
                cached: """
                    UPDATE sightings SET state = 'discarded', decided_by = ?, decided_at = ?
                    WHERE id = ? AND state = 'review'
                    """, arguments: [ranger, now.milliseconds, sightingID])
            guard db.changesCount == 1 else { throw Self.notWaiting(sightingID) }
        }
    }

    /// Keeps that a sighting is the vehicle of a passage on record.
    ///
    /// - Throws: `StoreError` of kind `unknown` when the sighting isn't waiting.
    package func confirmReviewed(sightingID: String, isPassage passage: UUID, by ranger: String, at now: Instant) throws
    {
        try write("Confirming a passage") { db in
            try db.execute(
                cached: """
                    UPDATE sightings SET state = 'recorded', passage_client_id = ?, decided_by = ?, decided_at = ?
                    WHERE id = ? AND state = 'review'
                    """, arguments: [passage.stored, ranger, now.milliseconds, sightingID])
            guard db.changesCount == 1 else { throw Self.notWaiting(sightingID) }
        }
    }

    /// Takes a ranger's discard back, for as long as the sighting is kept: it waits for review again. What the tracker
    /// found to be nothing stays nothing.
    ///
    /// - Throws: `StoreError` of kind `unknown` when no ranger has discarded it.
    package func restoreDiscarded(sightingID: String) throws {
        try write("Restoring a sighting") { db in
            try db.execute(
                cached: """
                    UPDATE sightings SET state = 'review', decided_by = NULL, decided_at = NULL
                    WHERE id = ? AND state = 'discarded' AND decided_by IS NOT NULL
                    """, arguments: [sightingID])
            guard db.changesCount == 1 else {
                throw StoreError(
                    .unknown, "The sighting \(sightingID.prefix(100)) was not discarded by a ranger, or is forgotten.")
            }
        }
    }

    /// Takes back that a sighting was recorded, or said to be the vehicle of a passage: it waits for review again. The passage that
    /// was made of it then is withdrawn; one that was there before stays.
    ///
    /// - Throws: `StoreError` of kind `unknown` when no ranger has decided it so, or when it was longer ago than `since`.
    package func takeBackReviewed(
        sightingID: String, since: Instant, reason: String, by ranger: String, at now: Instant
    ) throws {
        try write("Taking back a review") { db in
            let row = try Row.fetchOne(
                db,
                cached: """
                    SELECT s.passage_client_id, p.withdrawn_at IS NULL AND p.origin <> 'camera'
                        AND p.created_at = s.decided_at AS is_made_then
                    FROM sightings AS s JOIN passages AS p ON p.client_id = s.passage_client_id
                    WHERE s.id = ? AND s.state = 'recorded' AND s.decided_by IS NOT NULL AND s.decided_at >= ?
                    """, arguments: [sightingID, since.milliseconds])
            guard let row else {
                throw StoreError(
                    .unknown, "The sighting \(sightingID.prefix(100)) can't be taken back any more.",
                    hint: "Correct or withdraw its passage.")
            }
            if try row.flag("is_made_then") {
                let passage = try row.uuid("passage_client_id")
                try PassageTable.change(db, passage, to: nil, reason: reason, by: ranger, at: now)
            }
            try db.execute(
                cached: """
                    UPDATE sightings SET state = 'review', passage_client_id = NULL, decided_by = NULL, decided_at = NULL
                    WHERE id = ?
                    """, arguments: [sightingID])
        }
    }

    /// What rangers discarded and can still restore, the last discarded first.
    package func discardedByRangers(limit: Int = 100) throws -> [StoredSighting] {
        try read("Reading discarded sightings") { db in
            try Row.fetchAll(
                db,
                cached: """
                    SELECT *, EXISTS (SELECT 1 FROM photos WHERE sha256 = best_sha256 AND removed_at IS NULL) AS has_photo
                    FROM sightings WHERE state = 'discarded' AND decided_by IS NOT NULL ORDER BY decided_at DESC, id LIMIT ?
                    """, arguments: [limit]
            ).map(Self.storedSighting)
        }
    }

    /// Forgets decided sightings that nobody needs any more: a reading takes some kilobytes, which at 2,000 vehicles a day would fill a
    /// small disk within a year.
    ///
    /// The last sighting of a camera stays, so that its numbers never start again.
    ///
    /// - Parameter limit: so many rows at most, so that nobody waits long for the write lock.
    /// - Returns: how many rows went.
    @discardableResult
    package func prune(olderThan cutoff: Instant, limit: Int = 1000) throws -> Int {
        try write("Forgetting old sightings") { db in
            try db.execute(
                cached: """
                    DELETE FROM sightings WHERE id IN (
                        SELECT id FROM sightings AS s WHERE state IN ('recorded', 'discarded') AND last_seen_at < ?
                            AND EXISTS (SELECT 1 FROM sightings WHERE camera = s.camera AND number > s.number)
                            -- How fast it was at the trigger is known by it; it goes when the event goes.
                            AND NOT EXISTS (SELECT 1 FROM trigger_events WHERE sighting_id = s.id) LIMIT ?)
                    """, arguments: [cutoff.milliseconds, limit])
            return db.changesCount
        }
    }

    /// A decided sighting is never made undecided by a late repeat of its frame.
    static func upsert(
        _ db: Database, _ sighting: Sighting, state: SightingState, passage: UUID? = nil, at now: Instant? = nil
    ) throws {
        let reading = String(decoding: try JSONEncoder().encode(sighting.reading), as: UTF8.self)
        try db.execute(
            cached: """
                INSERT INTO sightings (id, camera, number, state, first_seen_at, last_seen_at, frame_count, plate_compact,
                    confidence, reading, best_sha256, best_recorded_at, best_clock_state, best_boot, best_boot_started_at,
                    passage_client_id, decided_at, course, travel)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET state = excluded.state, first_seen_at = excluded.first_seen_at,
                    last_seen_at = excluded.last_seen_at, frame_count = excluded.frame_count,
                    plate_compact = excluded.plate_compact, confidence = excluded.confidence, reading = excluded.reading,
                    best_sha256 = excluded.best_sha256, best_recorded_at = excluded.best_recorded_at,
                    best_clock_state = excluded.best_clock_state, best_boot = excluded.best_boot,
                    best_boot_started_at = excluded.best_boot_started_at, passage_client_id = excluded.passage_client_id,
                    decided_at = excluded.decided_at, course = excluded.course,
                    travel = excluded.travel
                WHERE sightings.state = 'open' OR excluded.state = 'recorded'
                    OR (sightings.state = 'review' AND excluded.state = 'review')
                """,
            arguments: [
                sighting.id, sighting.camera, sighting.number, state.rawValue, sighting.firstSeenAt.milliseconds,
                sighting.lastSeenAt.milliseconds, sighting.frameCount, sighting.reading.plate.compact,
                sighting.reading.confidence, reading, sighting.bestFrame.sha256,
                sighting.bestFrame.recordedAt.milliseconds, sighting.bestFrame.clockState.rawValue,
                sighting.bestFrame.stampedBy?.boot, sighting.bestFrame.stampedBy?.startedAt.milliseconds,
                passage?.stored, now?.milliseconds, sighting.course?.rawValue, sighting.travel?.rawValue,
            ])
    }

    private static func storedSighting(_ row: Row) throws -> StoredSighting {
        let camera = try row.text("camera")
        let reading = try JSONDecoder().decode(PlateReading.self, from: Data(try row.text("reading").utf8))
        let best = FrameReference(
            sha256: try row.text("best_sha256"), camera: camera, recordedAt: try row.instant("best_recorded_at"),
            clockState: try row.choice("best_clock_state"), stampedBy: try row.bootClock(prefix: "best_"))
        return StoredSighting(
            sighting: Sighting(
                number: try row.integer("number"), camera: camera, firstSeenAt: try row.instant("first_seen_at"),
                lastSeenAt: try row.instant("last_seen_at"), frameCount: try row.integer("frame_count"),
                bestFrame: best,
                reading: reading, course: try row.optionalText("course").flatMap(Course.init(rawValue:)),
                travel: try row.travel("travel")),
            state: try row.choice("state"), passageClientID: try row.optionalUUID("passage_client_id"),
            decidedBy: try row.optionalText("decided_by"), decidedAt: try row.optionalInstant("decided_at"),
            hasPhoto: try row.flag("has_photo"))
    }

    private static func notWaiting(_ id: String) -> StoreError {
        StoreError(.unknown, "The sighting \(id) is not waiting for review: it is decided, or never was there.")
    }
}
