extension Migrations {
    /// How the box is, every ten minutes, for the plots: a month of it and no more.
    static let samples = """
        CREATE TABLE box_samples (
            at           INTEGER NOT NULL PRIMARY KEY,    -- the beginning of its ten minutes
            signal       INTEGER CHECK (signal BETWEEN 0 AND 31),
            free_bytes   INTEGER CHECK (free_bytes >= 0),
            waiting      INTEGER NOT NULL CHECK (waiting >= 0),
            queue_age_ms INTEGER NOT NULL CHECK (queue_age_ms >= 0)
        ) STRICT;
        """
}
