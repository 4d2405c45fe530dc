extension Migrations {
    /// A photo that is removed stays on record with its hash, as long as its passage does.
    static let retention = """
        ALTER TABLE photos ADD COLUMN removed_at INTEGER;
        -- Of the file, where the disk had no room for the picture as the camera gave it.
        ALTER TABLE photos ADD COLUMN kept_sha256 TEXT CHECK (length(kept_sha256) = 64);
        CREATE INDEX photos_here ON photos (kept_at, sha256) WHERE removed_at IS NULL;

        -- What refers to a passage is looked up when it goes.
        CREATE INDEX overstay_alerts_by_entry ON overstay_alerts (entry_client_id);
        CREATE INDEX violations_by_entry ON violations (entry_client_id);

        CREATE TABLE removals (
            day   INTEGER NOT NULL,    -- its first millisecond
            kind  TEXT NOT NULL,
            count INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            PRIMARY KEY (day, kind)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE disk_samples (
            at            INTEGER NOT NULL PRIMARY KEY,
            free_bytes    INTEGER NOT NULL,
            removed_bytes INTEGER NOT NULL
        ) STRICT;
        """

    static let backups = """
        CREATE TABLE backups (
            id       INTEGER PRIMARY KEY AUTOINCREMENT,
            at       INTEGER NOT NULL,
            path     TEXT NOT NULL,
            bytes    INTEGER NOT NULL,
            passages INTEGER NOT NULL,
            problem  TEXT
        ) STRICT;
        """
}
