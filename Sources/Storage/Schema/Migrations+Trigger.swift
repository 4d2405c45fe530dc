extension Migrations {
    /// What a loop detector or a radar told: a vehicle each.
    static let triggerEvents = """
        CREATE TABLE trigger_events (
            at          INTEGER NOT NULL,
            boot        INTEGER NOT NULL CHECK (boot BETWEEN 0 AND 65535),
            number      INTEGER NOT NULL CHECK (number BETWEEN 0 AND 65535),
            lane        INTEGER NOT NULL CHECK (lane BETWEEN 0 AND 255),
            direction   TEXT CHECK (direction IN ('forward', 'backward')),
            speed_kmh   REAL CHECK (speed_kmh >= 0),
            -- Whether its vehicle was looked for: one without a sighting had no plate.
            is_settled  INTEGER NOT NULL DEFAULT 0 CHECK (is_settled IN (0, 1)),
            sighting_id TEXT REFERENCES sightings (id) ON DELETE SET NULL,
            PRIMARY KEY (at, boot, number)
        ) STRICT;
        CREATE UNIQUE INDEX trigger_events_by_sighting ON trigger_events (sighting_id) WHERE sighting_id IS NOT NULL;
        CREATE INDEX trigger_events_by_name ON trigger_events (boot, number, at);
        """
}
