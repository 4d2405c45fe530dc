import Enforcement
import GRDB

/// How far something has been read.
package struct SyncCursor: Sendable, Equatable {
    package var name: String
    package var value: Int64

    package init(name: String, value: Int64) {
        self.name = name
        self.value = value
    }

    /// The other post's passages are known up to this moment, in milliseconds; see `OverstayWatch.alerts`.
    package static let otherPostKnownUpTo = "other_post_known_up_to"

    /// When the server last answered well, in milliseconds.
    package static let linkLastSuccess = "link_last_success"

    /// A person asks for a comparison with the server.
    package static let comparisonRequested = "comparison_requested"

    /// How far the box's clock is ahead of the server's, in milliseconds.
    package static let clockSkew = "clock_skew_ms"
}

extension Store {
    package func cursor(_ name: String) throws -> Int64? {
        try read("Reading a cursor") { db in
            try Int64.fetchOne(db, cached: "SELECT value FROM sync_cursors WHERE name = ?", arguments: [name])
        }
    }

    package func set(_ cursor: SyncCursor, at now: Instant) throws {
        try write("Moving a cursor") { try Self.setCursor($0, cursor, at: now) }
    }

    /// Up to when the other post's passages are known; nil when none are.
    package func otherPostKnownUpTo() throws -> Instant? {
        try cursor(SyncCursor.otherPostKnownUpTo).map(Instant.init(milliseconds:))
    }

    static func setCursor(_ db: Database, _ cursor: SyncCursor, at now: Instant) throws {
        try db.execute(
            cached: """
                INSERT INTO sync_cursors (name, value, updated_at) VALUES (?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at
                """, arguments: [cursor.name, cursor.value, now.milliseconds])
    }
}
