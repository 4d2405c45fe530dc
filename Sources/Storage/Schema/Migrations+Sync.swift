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
        migrator.registerMigration("13 why an entry rests") { db in try db.execute(sql: resting) }
    }

    /// It stood at the beginning of the error's text before.
    private static let resting = """
        ALTER TABLE sync_queue ADD COLUMN set_aside TEXT CHECK (set_aside IN ('discarded', 'deleted_there'));
        UPDATE sync_queue SET last_error = substr(last_error, 12),
            set_aside = CASE last_error WHEN 'set aside: deleted at the server' THEN 'deleted_there' ELSE 'discarded' END
            WHERE status = 'failed' AND last_error LIKE 'set aside: %';
        ALTER TABLE photo_uploads ADD COLUMN is_refused INTEGER NOT NULL DEFAULT 0 CHECK (is_refused IN (0, 1));
        UPDATE photo_uploads SET is_refused = 1, last_error = substr(last_error, 10)
            WHERE status = 'failed' AND last_error LIKE 'refused: %';
        -- What is in line again rests no longer, whoever put it there.
        CREATE TRIGGER sync_queue_rests_no_longer AFTER UPDATE OF status ON sync_queue
        WHEN NEW.status <> 'failed' AND NEW.set_aside IS NOT NULL
        BEGIN
            UPDATE sync_queue SET set_aside = NULL WHERE id = NEW.id;
        END;
        CREATE TRIGGER photo_uploads_refused_no_longer AFTER UPDATE OF status ON photo_uploads
        WHEN NEW.status <> 'failed' AND NEW.is_refused = 1
        BEGIN
            UPDATE photo_uploads SET is_refused = 0 WHERE passage_client_id = NEW.passage_client_id;
        END;
        """

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
