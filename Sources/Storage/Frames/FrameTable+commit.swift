import Enforcement
import Foundation
import GRDB

extension FrameTable {
    /// Writes what a frame gave, all or nothing.
    ///
    /// Repeating a commit changes nothing: a passage whose `clientID` is there already is left as it is, and so is one made
    /// of a sighting that has its passage (same sighting, same plate, same moment): after a crash the caller may have drawn
    /// a new `clientID` for it. A passage that is on record under another id, restored from the server, is left as it is too:
    /// its sighting refers to that one.
    ///
    /// - Returns: the passages that are new on record, in the order given. They are what is matched next.
    @discardableResult
    package func commit(_ commit: FrameCommit) throws -> [Passage] { try commitWhole(commit).recorded }

    /// What a commit came to.
    package struct Committed: Sendable {
        package var recorded: [Passage] = []

        /// Photos that are off the record: their files are the caller's to remove. What a crash leaves of them is an orphan.
        package var released: [PhotoRecord] = []
    }

    package func commitWhole(_ commit: FrameCommit) throws -> Committed {
        try write("Recording what a frame gave") { db in
            if let key = commit.takenKey { try Self.markTaken(db, camera: commit.camera, key: key, at: commit.at) }
            if let unreadable = commit.unreadable { try Self.keepUnreadable(db, unreadable, of: commit) }
            if let state = commit.trackerState {
                try db.execute(
                    cached: """
                        INSERT INTO tracker_states (camera, state, updated_at) VALUES (?, ?, ?)
                        ON CONFLICT (camera) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at
                        """, arguments: [commit.camera, state, commit.at.milliseconds])
            }
            if let watch = commit.watch { try UnwatchedTable.watch(db, commit.camera, watch, at: commit.at) }
            for photo in commit.photos { try PhotoTable.upsertPhoto(db, photo) }
            var committed = Committed()
            for recording in commit.recordings where try Self.record(db, recording, at: commit.at) {
                committed.recorded.append(recording.passage)
            }
            for sighting in commit.reviews { try SightingTable.upsert(db, sighting, state: .review) }
            if let open = commit.open { try Self.replaceOpen(db, open, camera: commit.camera, at: commit.at) }
            committed.released = try commit.released.compactMap { try PhotoTable.forget(db, sha256: $0) }
            let bytes = committed.released.reduce(0) { $0 + $1.bytes }
            if !committed.released.isEmpty {
                try RetentionTable.note(
                    db, .superseded, count: committed.released.count, bytes: bytes, at: commit.at)
            }
            return committed
        }
    }

    /// - Returns: false when it was recorded before.
    private static func record(_ db: Database, _ recording: FrameCommit.Recording, at now: Instant) throws -> Bool {
        let passage = recording.passage
        if let sighting = recording.sighting {
            let isThere = try Bool.fetchOne(
                db,
                cached: """
                    SELECT EXISTS (
                        SELECT 1 FROM sightings AS s JOIN passages AS p ON p.client_id = s.passage_client_id
                        WHERE s.id = ? AND p.plate_compact = ? AND p.recorded_at = ?)
                    """, arguments: [sighting.id, passage.plate.compact, passage.recordedAt.milliseconds])
            if isThere == true { return false }
        }
        let again = try PassageTable.onRecord(db, passage)
        let isNew = try again == nil && PassageTable.insert(db, passage, at: now)
        if let sighting = recording.sighting {
            try SightingTable.upsert(db, sighting, state: .recorded, passage: again ?? passage.clientID, at: now)
        }
        return isNew
    }

    private static func replaceOpen(_ db: Database, _ open: [Sighting], camera: String, at now: Instant) throws {
        for sighting in open { try SightingTable.upsert(db, sighting, state: .open) }
        let stored = try String.fetchAll(
            db, cached: "SELECT id FROM sightings WHERE camera = ? AND state = 'open'", arguments: [camera])
        let watched = Set(open.map(\.id))
        for id in stored where !watched.contains(id) {
            try db.execute(
                cached: "UPDATE sightings SET state = 'discarded', decided_at = ? WHERE id = ?",
                arguments: [now.milliseconds, id])
        }
    }

    private static func markTaken(_ db: Database, camera: String, key: String, at now: Instant) throws {
        try db.execute(
            cached: "INSERT OR IGNORE INTO taken_frames (camera, source_key, taken_at) VALUES (?, ?, ?)",
            arguments: [camera, key, now.milliseconds])
    }

    /// How many unreadable frames are remembered.
    static let maximumUnreadable = 1000

    private static func keepUnreadable(
        _ db: Database, _ unreadable: FrameCommit.Unreadable, of commit: FrameCommit
    ) throws {
        try db.execute(
            cached: "INSERT INTO unreadable_frames (camera, source_key, file, reason, at) VALUES (?, ?, ?, ?, ?)",
            arguments: [commit.camera, commit.takenKey, unreadable.file, unreadable.reason, commit.at.milliseconds])
        try db.execute(
            cached: "DELETE FROM unreadable_frames WHERE id <= ?",
            arguments: [db.lastInsertedRowID - Int64(maximumUnreadable)])
    }
}
