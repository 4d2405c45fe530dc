import Enforcement
import Foundation
import GRDB

/// Walks through what is on record, the oldest first, and removes what the policy lets go. A step looks at a page of rows without the
/// write lock, and judges those that may go once more in the transaction that removes them.
extension RetentionTable {
    /// One step through the photos.
    package func removePhotos(
        _ policy: RetentionPolicy, need: RetentionPolicy.Need = .none, after place: Place, limit: Int, at now: Instant
    ) throws -> Step {
        let cutoff = need == .none ? now - policy.leastPhotoAge : now
        var step = Step(place: place)
        let page = try read("Looking for photos to remove") { db in
            let trackers = try Self.trackers(db)
            let page = try Row.fetchAll(
                db,
                cached: """
                    SELECT * FROM photos WHERE removed_at IS NULL AND (kept_at, sha256) > (?, ?) AND kept_at < ?
                    ORDER BY kept_at, sha256 LIMIT ?
                    """, arguments: [place.time.milliseconds, place.id, cutoff.milliseconds, limit]
            ).map(PhotoTable.photoRecord)
            return try page.map { photo in
                (photo, policy.removal(of: try Self.photo(db, photo, trackers: trackers), need: need, at: now))
            }
        }
        if let last = page.last?.0 { step.place = Place(time: last.keptAt, id: last.sha256) }
        step.hasMore = page.count == limit
        let wanted = page.filter { $0.1 != nil }.map(\.0)
        guard !wanted.isEmpty else { return step }
        step.files = try write("Removing photos") { db in
            let trackers = try Self.trackers(db)
            return try wanted.filter { photo in
                let standing = try Self.photo(db, photo, trackers: trackers)
                guard let removal = policy.removal(of: standing, need: need, at: now) else { return false }
                try Self.remove(db, photo, at: now)
                try Self.note(db, removal, count: 1, bytes: photo.bytes, at: now)
                return true
            }
        }
        step.count = step.files.count
        return step
    }

    /// The hash stays on record with the passage; without one there is nothing to keep it for.
    private static func remove(_ db: Database, _ photo: PhotoRecord, at now: Instant) throws {
        try db.execute(
            cached: "DELETE FROM photo_uploads WHERE sha256 = ? AND status <> 'uploaded'", arguments: [photo.sha256])
        if try PhotoTable.forget(db, sha256: photo.sha256) != nil { return }
        try db.execute(
            cached: "UPDATE photos SET removed_at = ? WHERE sha256 = ?", arguments: [now.milliseconds, photo.sha256])
    }

    /// How many bytes the disk would have back, if it came to that.
    package func removableBytes(_ policy: RetentionPolicy, at now: Instant) throws -> Int {
        var (place, bytes) = (Place.start, 0)
        while true {
            let page = try read("Counting what may be removed") { db in
                let trackers = try Self.trackers(db)
                return try Row.fetchAll(
                    db,
                    cached: """
                        SELECT * FROM photos WHERE removed_at IS NULL AND (kept_at, sha256) > (?, ?)
                        ORDER BY kept_at, sha256 LIMIT ?
                        """, arguments: [place.time.milliseconds, place.id, RetentionRound.stepRows]
                ).map(PhotoTable.photoRecord).map { ($0, try Self.photo(db, $0, trackers: trackers)) }
            }
            for (_, photo) in page where policy.removal(of: photo, need: .otherPhotos, at: now) != nil {
                bytes += photo.bytes
            }
            guard let last = page.last?.0, page.count == RetentionRound.stepRows else { return bytes }
            place = Place(time: last.keptAt, id: last.sha256)
        }
    }

    /// One step through the settled violations.
    package func removeViolations(
        _ policy: RetentionPolicy, after place: Place, limit: Int, at now: Instant
    ) throws -> Step {
        let page = try read("Looking for violations to remove") { db in
            try Place.list(db, .violations, after: place, before: now - policy.settings.violations, limit: limit)
        }
        var step = Step(place: page.last ?? place, hasMore: page.count == limit)
        guard !page.isEmpty else { return step }
        step.count = try write("Removing violations") { db in
            let gone = try page.filter { found in
                guard let standing = try Self.violation(db, found.id), policy.removes(standing, at: now) else {
                    return false
                }
                try Self.removeViolation(db, found.id)
                return true
            }
            if !gone.isEmpty { try Self.note(db, .violation, count: gone.count, bytes: 0, at: now) }
            return gone.count
        }
        return step
    }

    /// One step through the passages, each with all that belongs to it.
    package func removePassages(
        _ policy: RetentionPolicy, after place: Place, limit: Int, at now: Instant
    ) throws -> Step {
        let (page, wanted) = try read("Looking for passages to remove") { db in
            let page = try Place.list(
                db, .passages, after: place, before: now - policy.settings.passages, limit: limit)
            let wanted = try page.map(\.id).filter { id in
                try Self.passage(db, id).map { policy.removes($0, at: now) } ?? false
            }
            return (page, wanted)
        }
        var step = Step(place: page.last ?? place, hasMore: page.count == limit)
        guard !wanted.isEmpty else { return step }
        (step.count, step.files) = try write("Removing passages") { db in
            var (count, files): (Int, [PhotoRecord]) = (0, [])
            for id in wanted {
                guard let standing = try Self.passage(db, id), policy.removes(standing, at: now) else { continue }
                let photo = try Self.removePassage(db, id)
                if let photo {
                    files.append(photo)
                    try Self.note(db, .photo, count: 1, bytes: photo.bytes, at: now)
                }
                count += 1
            }
            if count > 0 { try Self.note(db, .passage, count: count, bytes: 0, at: now) }
            return (count, files)
        }
        return step
    }

    private static func removeViolation(_ db: Database, _ id: String) throws {
        try db.execute(
            cached: """
                DELETE FROM sync_queue WHERE entity = 'outcome' AND subject_id IN
                    (SELECT id FROM violation_outcomes WHERE violation_id = ?)
                """, arguments: [id])
        try db.execute(
            cached: """
                DELETE FROM peer_outcomes WHERE outcome_id IN (SELECT id FROM violation_outcomes WHERE violation_id = ?)
                """, arguments: [id])
        try db.execute(cached: "DELETE FROM violation_outcomes WHERE violation_id = ?", arguments: [id])
        try db.execute(cached: "DELETE FROM alert_touches WHERE alert = 'violation/' || ?", arguments: [id])
        try db.execute(cached: "DELETE FROM violations WHERE id = ?", arguments: [id])
    }

    /// - Returns: its photo, when it was here still and nothing else shows it.
    private static func removePassage(_ db: Database, _ id: String) throws -> PhotoRecord? {
        let violations = try String.fetchAll(
            db,
            cached: """
                SELECT id FROM violations WHERE own_client_id = ?1
                UNION SELECT id FROM violations WHERE entry_client_id = ?1
                UNION SELECT id FROM violations WHERE exit_client_id = ?1
                """, arguments: [id])
        for violation in violations { try removeViolation(db, violation) }
        let photos = try String.fetchAll(
            db,
            cached: """
                SELECT photo_sha256 FROM passages WHERE client_id = ?1 AND photo_sha256 IS NOT NULL
                UNION SELECT sha256 FROM photo_uploads WHERE passage_client_id = ?1
                """, arguments: [id])
        for statement in passageStatements { try db.cachedStatement(sql: statement).execute(arguments: [id]) }
        return try photos.compactMap { sha256 in
            let isHere = try Bool.fetchOne(
                db, cached: "SELECT removed_at IS NULL FROM photos WHERE sha256 = ?", arguments: [sha256])
            let photo = try PhotoTable.forget(db, sha256: sha256)
            return isHere == true ? photo : nil
        }.first
    }

    /// What belongs to a passage, in an order in which nothing refers to what is gone.
    private static let passageStatements = [
        """
        DELETE FROM alert_touches WHERE alert IN
            (SELECT 'overstay/' || id FROM overstay_alerts WHERE entry_client_id = ?)
        """,
        "DELETE FROM sync_queue WHERE passage_client_id = ?",
        "DELETE FROM overstay_alerts WHERE entry_client_id = ?",
        "DELETE FROM matches WHERE own_client_id = ?",
        "DELETE FROM match_work WHERE side = 'own' AND client_id = ?",
        "DELETE FROM passage_corrections WHERE passage_client_id = ?",
        "DELETE FROM passage_times WHERE passage_client_id = ?",
        "DELETE FROM photo_uploads WHERE passage_client_id = ?",
        """
        DELETE FROM sms_hand_overs WHERE message_id IN (SELECT id FROM sms_messages WHERE passage_client_id = ?)
        """,
        "DELETE FROM sms_parts WHERE message_id IN (SELECT id FROM sms_messages WHERE passage_client_id = ?)",
        "DELETE FROM sms_messages WHERE passage_client_id = ?",
        "DELETE FROM trigger_events WHERE sighting_id IN (SELECT id FROM sightings WHERE passage_client_id = ?)",
        // The last sighting of a camera stays, so that its numbers never start again.
        """
        DELETE FROM sightings AS s WHERE passage_client_id = ?
            AND EXISTS (SELECT 1 FROM sightings WHERE camera = s.camera AND number > s.number)
        """,
        "UPDATE sightings SET state = 'discarded', passage_client_id = NULL WHERE passage_client_id = ?",
        "DELETE FROM passages WHERE client_id = ?",
    ]
}
