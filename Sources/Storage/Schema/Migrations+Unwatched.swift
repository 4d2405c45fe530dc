extension Migrations {
    /// When nobody knows who passed this post.
    static let unwatched = """
        CREATE TABLE unwatched (
            id         INTEGER PRIMARY KEY,
            camera     TEXT,                        -- that gave nothing; null where records are lost
            started_at INTEGER NOT NULL,
            noted_at   INTEGER NOT NULL,
            ended_at   INTEGER CHECK (ended_at >= started_at)  -- null while it goes on
        ) STRICT;
        CREATE INDEX unwatched_ended ON unwatched (ended_at);

        -- Whether it is silent only when it is dead: a folder may be quiet.
        ALTER TABLE camera_watch ADD COLUMN is_live INTEGER NOT NULL DEFAULT 0 CHECK (is_live IN (0, 1));
        -- Names the stretch without a break that the mark is of; null where it is not known.
        ALTER TABLE camera_watch ADD COLUMN stretch TEXT;

        -- What was kept of lost records.
        INSERT INTO unwatched (camera, started_at, noted_at, ended_at)
            SELECT NULL, f.value, f.updated_at, CASE WHEN u.value < 0 THEN NULL ELSE max(u.value, f.value) END
            FROM sync_cursors AS f JOIN sync_cursors AS u ON u.name = 'records_lost_until'
            WHERE f.name = 'records_lost_from';
        DELETE FROM sync_cursors WHERE name IN ('records_lost_from', 'records_lost_until');
        """
}
