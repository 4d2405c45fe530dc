import Enforcement
import Foundation
import GRDB

/// A frame that gave nothing because it could not be read.
package struct UnreadableFrame: Sendable, Equatable {
    package var camera: String
    package var sourceKey: String?
    package var file: String?
    package var reason: String
    package var at: Instant
}

/// What became of frames: which were taken, what each gave, and what their trackers hold.
package struct FrameTable: Table {
    let store: Store
}

extension FrameTable {
    package func isTaken(camera: String, key: String) throws -> Bool {
        try read("Looking for a taken frame") { db in
            try Bool.fetchOne(
                db, cached: "SELECT EXISTS (SELECT 1 FROM taken_frames WHERE camera = ? AND source_key = ?)",
                arguments: [camera, key]) ?? false
        }
    }

    /// Which of these frames were taken, and answered for, before a moment.
    ///
    /// - Parameter start: without those that could not be read since then, as far as they are remembered.
    package func taken(
        camera: String, among keys: [String], before cutoff: Instant, sparingUnreadableSince start: Instant
    ) throws -> Set<String> {
        try read("Looking for taken frames") { db in
            let spared = try Set(
                String.fetchAll(
                    db,
                    cached: """
                        SELECT source_key FROM unreadable_frames WHERE camera = ? AND at > ? AND source_key IS NOT NULL
                        """, arguments: [camera, start.milliseconds]))
            return Set(
                try keys.filter { key in
                    if spared.contains(key) { return false }
                    return try Bool.fetchOne(
                        db,
                        cached: """
                            SELECT EXISTS (SELECT 1 FROM taken_frames
                                WHERE camera = ? AND source_key = ? AND taken_at <= ?)
                            """, arguments: [camera, key, cutoff.milliseconds]) == true
                })
        }
    }

    /// The keys of all frames that a camera's source has given.
    package func takenKeys(camera: String) throws -> Set<String> {
        try read("Reading the taken frames") { db in
            Set(
                try String.fetchAll(
                    db, cached: "SELECT source_key FROM taken_frames WHERE camera = ?", arguments: [camera]))
        }
    }

    /// Forgets taken frames that can't come again.
    ///
    /// A key is only forgotten when its file is gone from the source, so that no frame is ever taken twice, and when it was
    /// taken before `cutoff`, so that a folder that is unmounted for a while does no harm. The table is thus as large as the
    /// folder and what came within that time.
    ///
    /// - Parameter stillThere: the keys of all files in the folder now.
    /// - Returns: how many were forgotten.
    @discardableResult
    package func forgetTaken(
        camera: String, takenBefore cutoff: Instant, except stillThere: Set<String>
    ) throws -> Int {
        let old = try read("Reading the taken frames") { db in
            try String.fetchAll(
                db, cached: "SELECT source_key FROM taken_frames WHERE camera = ? AND taken_at < ?",
                arguments: [camera, cutoff.milliseconds])
        }
        let gone = old.filter { !stillThere.contains($0) }
        for start in stride(from: 0, to: gone.count, by: Self.forgetStep) {
            try write("Forgetting taken frames") { db in
                for key in gone[start..<min(start + Self.forgetStep, gone.count)] {
                    try db.execute(
                        cached: "DELETE FROM taken_frames WHERE camera = ? AND source_key = ?",
                        arguments: [camera, key])
                }
            }
        }
        return gone.count
    }

    /// So many in one transaction, so that nobody waits long for the write lock.
    private static let forgetStep = 500

    /// The frames that could not be read, the newest first.
    package func unreadable(limit: Int = 100) throws -> [UnreadableFrame] {
        try read("Reading the unreadable frames") { db in
            try Row.fetchAll(db, cached: "SELECT * FROM unreadable_frames ORDER BY id DESC LIMIT ?", arguments: [limit])
                .map {
                    UnreadableFrame(
                        camera: try $0.text("camera"), sourceKey: try $0.optionalText("source_key"),
                        file: try $0.optionalText("file"), reason: try $0.text("reason"), at: try $0.instant("at"))
                }
        }
    }

    /// What the camera's tracker held when it was last stored; nil on the first start.
    package func trackerState(camera: String) throws -> Data? {
        try read("Reading the tracker's state") { db in
            try Data.fetchOne(db, cached: "SELECT state FROM tracker_states WHERE camera = ?", arguments: [camera])
        }
    }
}
