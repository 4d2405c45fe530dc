import Enforcement
import Foundation
import GRDB

extension Store {
    /// Makes a database of an earlier day fit to go on from: what happened since is at the server, and in nobody's memory here.
    ///
    /// - The server is read from the start, and told nothing before: what it has of this post comes back first, so that nothing of it
    ///   is sent twice under another id.
    /// - What seems to wait may have been sent since. The server knows it by its id; an SMS would be paid twice, so none is sent of it.
    /// - No number is given twice: numbers go on far above those of the backup.
    package func beginAnewFromBackup(at now: Instant) throws {
        try write("Preparing the restored database") { db in
            try db.execute(cached: "DELETE FROM sync_cursors WHERE name LIKE 'pull\\_%' ESCAPE '\\'")
            try db.execute(
                cached: """
                    UPDATE sync_queue SET resent_at = ?
                    WHERE entity = 'passage' AND status <> 'synced' AND sms_sent = 0 AND resent_at IS NULL
                    """, arguments: [now.milliseconds])
            try db.execute(
                cached: """
                    UPDATE sms_messages SET state = 'failed', settled_at = ?, reason = 'the database was restored from a backup'
                    WHERE state IN ('queued', 'sending', 'ambiguous')
                    """, arguments: [now.milliseconds])
            try db.execute(
                cached: "UPDATE sightings SET state = 'discarded', decided_at = ? WHERE state = 'open'",
                arguments: [now.milliseconds])
            try db.execute(cached: "DELETE FROM tracker_states")
            // What comes back from the days between is history: nobody is alerted of it.
            try db.execute(
                cached:
                    "UPDATE match_progress SET recorded_at = max(recorded_at, ?), client_id = '' WHERE name = 'overstay'",
                arguments: [(now - .hours(48)).milliseconds])
            try db.execute(cached: "DELETE FROM sessions")
            // Whoever was taken back since would be trusted again.
            try db.execute(cached: "DELETE FROM peer_offers")
            try PeerTable.revokeAll(db, at: now)
            try MachineTable.forget(db)
            // What the server has of the chain after the backup is not here: to go on from there would fork it.
            try EvidenceTable.end(db, because: .restored)
            try Self.skipNumbers(db, at: now)
            try Self.keepOrphans(db, at: now)
            try Self.wantOlder(db, at: now)
            try UnwatchedTable.noteLoss(db, at: now)
        }
    }

    /// Makes an empty database fit to go on in place of one that was lost: no number is given twice, and what the server has is wanted.
    package func beginAfterLoss(at now: Instant) throws {
        try write("Preparing the new database") { db in
            try Self.skipNumbers(db, at: now)
            try Self.keepOrphans(db, at: now)
            try Self.wantOlder(db, at: now)
            try UnwatchedTable.noteLoss(db, at: now)
            try EvidenceTable.end(db, because: .databaseLost)
            // Until the recent ones are here with their matches, and are looked at: see `MatchTable.lookAgain`.
            try db.execute(
                cached:
                    "INSERT INTO match_progress (name, recorded_at, client_id, window_ms) VALUES ('overstay', ?, '', 0)",
                arguments: [now.milliseconds])
        }
    }

    /// The server is asked for what this post recorded before now, little by little.
    private static func wantOlder(_ db: Database, at now: Instant) throws {
        try CursorTable.setCursor(
            db, SyncCursor(name: SyncCursor.olderWantedBefore, value: now.milliseconds), at: now)
    }

    /// Numbers go on above the seconds since 1970, which no count of rows reaches.
    static func skipNumbers(_ db: Database, at now: Instant) throws {
        let floor = now.milliseconds / 1000
        let tables = try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'")
        for table in tables { try skip(db, table, to: floor) }
        let known = try CursorTable.value(db, SyncCursor.sightingFloor)
        try CursorTable.setCursor(
            db, SyncCursor(name: SyncCursor.sightingFloor, value: max(known ?? 0, floor)), at: now)
    }

    /// How long photos without a record stay after records were lost: their passages come back from the server.
    private static let orphanTerm = TimeSpan.days(30)

    static func keepOrphans(_ db: Database, at now: Instant) throws {
        let until = now + orphanTerm
        try CursorTable.setCursor(db, SyncCursor(name: SyncCursor.orphansKeptUntil, value: until.milliseconds), at: now)
    }

    /// Takes the photos off the record whose files are not here.
    ///
    /// - Returns: how many.
    package func forgetMissingPhotos(of photos: PhotoStore, at now: Instant) throws -> Int {
        var (last, count) = ("", 0)
        while true {
            let page = try read("Looking for photos") { db in
                try Row.fetchAll(
                    db,
                    cached: "SELECT * FROM photos WHERE sha256 > ? AND removed_at IS NULL ORDER BY sha256 LIMIT 500",
                    arguments: [last]
                ).map(PhotoTable.photoRecord)
            }
            guard let end = page.last else { return count }
            last = end.sha256
            let missing = page.filter { !FileManager.default.fileExists(atPath: photos.url(of: $0.path).path) }
            guard !missing.isEmpty else { continue }
            try write("Forgetting photos that are gone") { db in
                for photo in missing {
                    try db.execute(
                        cached: "DELETE FROM photo_uploads WHERE sha256 = ? AND status <> 'uploaded'",
                        arguments: [photo.sha256])
                    try db.execute(
                        cached: "UPDATE photos SET removed_at = ? WHERE sha256 = ?",
                        arguments: [now.milliseconds, photo.sha256])
                }
            }
            count += missing.count
        }
    }

    /// Takes over who may sign in, which vehicles are exempt or watched for and the server's settings from another database. What has a row here
    /// is replaced by it; the rest stays.
    ///
    /// - Returns: how many accounts.
    package func takeAccounts(from other: Store) throws -> Int {
        let tables = ["users", "exempt_plates", "wanted_plates", "camera_masks", "settings"]
        let rows = try other.read("Reading accounts") { db in
            try tables.map { try TableRows.all(db, $0) }
        }
        return try write("Taking over accounts and settings") { db in
            for (table, rows) in zip(tables, rows) { try rows.write(db, into: table, replacing: true) }
            changeHub.note(.setting)
            return rows[0].count
        }
    }
}

extension SyncCursor {
    /// Numbers of sightings go on above this.
    package static let sightingFloor = "sighting_floor"

    /// What this post recorded before then is wanted from the server: see `OlderPassages`.
    package static let olderWantedBefore = "older_wanted_before"

    /// Until then photos without a record are not removed.
    package static let orphansKeptUntil = "orphans_kept_until"
}
