extension Migrations {
    /// Times that can be put right once the true time is known.
    ///
    /// A passage or a sighting that the box's clock stamped without being known to be right names the run of the machine, and when that
    /// began by the clock that stamped it. Both columns are empty again when its time is settled.
    static let clock = """
        ALTER TABLE passages ADD COLUMN boot TEXT;
        ALTER TABLE passages ADD COLUMN boot_started_at INTEGER;
        CREATE INDEX passages_unsettled ON passages (boot) WHERE boot IS NOT NULL;
        ALTER TABLE sightings ADD COLUMN best_boot TEXT;
        ALTER TABLE sightings ADD COLUMN best_boot_started_at INTEGER;
        CREATE INDEX sightings_unsettled ON sightings (best_boot) WHERE best_boot IS NOT NULL;

        -- A run of the machine, and when it truly began.
        CREATE TABLE boots (
            boot            TEXT NOT NULL PRIMARY KEY,
            true_start      INTEGER,
            known_by        TEXT CHECK (known_by IN ('service', 'server')),
            server_start    INTEGER,               -- as the server's answers have it
            server_asked_at INTEGER,               -- since the machine started
            updated_at      INTEGER NOT NULL,
            CHECK ((true_start IS NULL) = (known_by IS NULL))
        ) STRICT, WITHOUT ROWID;

        -- What a passage was recorded with before its time was put right. The first stays.
        CREATE TABLE passage_times (
            passage_client_id TEXT NOT NULL PRIMARY KEY REFERENCES passages (client_id),
            recorded_at       INTEGER NOT NULL,
            moved_ms          INTEGER NOT NULL,
            known_by          TEXT NOT NULL,
            at                INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Steps of the box's clock.
        CREATE TABLE clock_steps (
            id           INTEGER PRIMARY KEY,
            at           INTEGER NOT NULL,         -- by the clock after the step
            moved_ms     INTEGER NOT NULL,
            was_believed INTEGER NOT NULL CHECK (was_believed IN (0, 1))
        ) STRICT;

        -- What is known of the clocks of cameras that stamp their own pictures.
        CREATE TABLE camera_clocks (
            camera     TEXT NOT NULL PRIMARY KEY,
            ahead_ms   INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
