import Enforcement
import Foundation
import GRDB

/// How far something has been read.
package struct SyncCursor: Sendable, Equatable {
    package var name: String
    package var value: Int64
    /// The server's row that has this number. Where it has another one, or is gone, the server is an older one.
    package var row: UUID?

    package init(name: String, value: Int64, row: UUID? = nil) {
        self.name = name
        self.value = value
        self.row = row
    }

    /// The other post's passages are known up to this moment, in milliseconds; see `OverstayWatch.alerts`.
    package static let otherPostKnownUpTo = "other_post_known_up_to"

    /// When the server last answered well, in milliseconds.
    package static let linkLastSuccess = "link_last_success"

    /// A person asks for a comparison with the server.
    package static let comparisonRequested = "comparison_requested"

    /// So many records that the server had lost are back in line, or none and only its word is doubted: until the server has been read
    /// again, what it doesn't tell says nothing. It outlives a cycle that ends early and a power cut.
    package static let lostRecords = "lost_records"

    /// When the server was found to be an older one, until all that it lacks was found.
    package static let serverWentBack = "server_went_back"

    /// How far the box's clock is ahead of the server's, in milliseconds.
    package static let clockSkew = "clock_skew_ms"
}

/// How far the server has been read, and other moments that outlive a restart.
package struct CursorTable: Table {
    let store: Store
}

extension CursorTable {
    package func value(_ name: String) throws -> Int64? {
        try read("Reading a cursor") { try Self.value($0, name) }
    }

    static func value(_ db: Database, _ name: String) throws -> Int64? {
        try Int64.fetchOne(db, cached: "SELECT value FROM sync_cursors WHERE name = ?", arguments: [name])
    }

    /// The row that a cursor stands at; nil where it stands at none.
    package func mark(_ name: String) throws -> SyncCursor? {
        try read("Reading a cursor") { db in
            try Row.fetchOne(
                db, cached: "SELECT value, row_id FROM sync_cursors WHERE name = ? AND row_id IS NOT NULL",
                arguments: [name]
            ).map {
                SyncCursor(
                    name: name, value: try $0.decode(Int64.self, forColumn: "value"), row: try $0.uuid("row_id"))
            }
        }
    }

    /// The rows of a cursor with several: each has a name of its own, `name/row`.
    package func marks(of name: String) throws -> [SyncCursor] {
        try read("Reading cursors") { db in
            try Row.fetchAll(
                db,
                cached: """
                    SELECT name, value, row_id FROM sync_cursors
                    WHERE substr(name, 1, length(?1) + 1) = ?1 || '/' AND row_id IS NOT NULL ORDER BY name
                    """, arguments: [name]
            ).map {
                SyncCursor(
                    name: try $0.text("name"), value: try $0.decode(Int64.self, forColumn: "value"),
                    row: try $0.uuid("row_id"))
            }
        }
    }

    package func set(_ cursor: SyncCursor, at now: Instant) throws {
        try write("Moving a cursor") { try Self.setCursor($0, cursor, at: now) }
    }

    /// Begins to read the server from the start: its numbers were given anew.
    package func forget(_ names: [String]) throws {
        try write("Forgetting cursors") { db in
            for name in names {
                try db.execute(cached: "DELETE FROM sync_cursors WHERE name = ?", arguments: [name])
            }
        }
    }

    /// Up to when the other post's passages are known; nil when none are.
    package func otherPostKnownUpTo() throws -> Instant? {
        try value(SyncCursor.otherPostKnownUpTo).map(Instant.init(milliseconds:))
    }

    static func setCursor(_ db: Database, _ cursor: SyncCursor, at now: Instant) throws {
        try db.execute(
            cached: """
                INSERT INTO sync_cursors (name, value, row_id, updated_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value, row_id = excluded.row_id,
                    updated_at = excluded.updated_at
                """, arguments: [cursor.name, cursor.value, cursor.row?.stored, now.milliseconds])
    }
}
