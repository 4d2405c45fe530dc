import GRDB

extension Migrations {
    /// What synchronization needs beyond the first two versions.
    static func registerSync(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("3 where photos are at the server") { db in
            // As the server's row has it: passage-photos/<its id>.jpg.
            try db.execute(sql: "ALTER TABLE passages ADD COLUMN photo_path TEXT")
        }
    }

    /// What the server deleted or lost, and what the comparison with it found.
    static func registerComparison(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("9 what the server deleted and lost") { db in try db.execute(sql: comparison) }
        migrator.registerMigration("12 the row that a cursor stands at") { db in
            try db.execute(sql: "ALTER TABLE sync_cursors ADD COLUMN row_id TEXT")
        }
    }

    private static let comparison = """
        -- The warden deleted it: it counts as withdrawn here, and is sent again only when a person asks for it.
        ALTER TABLE passages ADD COLUMN server_deleted_at INTEGER;
        -- The server had it and lost it. It was told once: such an entry isn't sent by SMS.
        ALTER TABLE sync_queue ADD COLUMN resent_at INTEGER;

        -- The days (UTC) of the last comparison: what is held to be at the server, and what it has.
        CREATE TABLE server_days (
            day         INTEGER NOT NULL PRIMARY KEY,    -- its first millisecond
            here        INTEGER NOT NULL,
            there       INTEGER NOT NULL,
            is_same     INTEGER NOT NULL CHECK (is_same IN (0, 1)),
            sent_again  INTEGER NOT NULL DEFAULT 0,
            compared_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE server_comparisons (
            id         INTEGER PRIMARY KEY AUTOINCREMENT,
            at         INTEGER NOT NULL,
            days       INTEGER NOT NULL,
            sent_again INTEGER NOT NULL,
            message    TEXT
        ) STRICT;
        """
}
