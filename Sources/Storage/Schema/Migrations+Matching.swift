extension Migrations {
    /// What was judged before was judged without a tolerance.
    static let tolerance = """
        ALTER TABLE segments ADD COLUMN tolerance_kmh REAL NOT NULL DEFAULT 0 CHECK (tolerance_kmh >= 0);
        ALTER TABLE segments ADD COLUMN tolerance_percent REAL NOT NULL DEFAULT 0 CHECK (tolerance_percent >= 0);
        ALTER TABLE violations ADD COLUMN tolerance_kmh REAL NOT NULL DEFAULT 0 CHECK (tolerance_kmh >= 0);
        ALTER TABLE violations ADD COLUMN tolerance_percent REAL NOT NULL DEFAULT 0 CHECK (tolerance_percent >= 0);
        """

    /// The other post's passages, and what follows from them.
    static let matching = """
        CREATE TABLE remote_passages (
            client_id       TEXT NOT NULL PRIMARY KEY CHECK (length(client_id) = 36 AND client_id = lower(client_id)),
            server_id       TEXT UNIQUE,
            plate           TEXT NOT NULL CHECK (plate <> ''),
            plate_compact   TEXT NOT NULL CHECK (plate_compact = replace(plate, ' ', '')),
            vehicle_type    TEXT NOT NULL CHECK (vehicle_type IN ('car', 'jeep_suv', 'minibus', 'bus', 'truck', 'tanker',
                                'motorcycle', 'auto_rickshaw', 'tractor', 'other')),
            checkpost_code  TEXT NOT NULL,
            recorded_at     INTEGER NOT NULL,
            clock_state     TEXT NOT NULL CHECK (clock_state IN ('synchronised', 'simulated', 'untrusted')),
            server_sequence INTEGER,
            is_matched      INTEGER NOT NULL DEFAULT 0 CHECK (is_matched IN (0, 1)),    -- as the server says
            fetched_at      INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX remote_passages_by_time ON remote_passages (recorded_at, client_id);
        CREATE INDEX remote_passages_by_plate ON remote_passages (plate_compact, recorded_at);

        -- A match joins one passage of this post with one of the other. The other's client_id follows when the server
        -- merges an SMS with the upload that came later: the merged row takes the upload's.
        CREATE TABLE matches (
            id               INTEGER PRIMARY KEY AUTOINCREMENT,
            own_client_id    TEXT NOT NULL REFERENCES passages (client_id),
            remote_client_id TEXT NOT NULL REFERENCES remote_passages (client_id) ON UPDATE CASCADE,
            own_is_entry     INTEGER NOT NULL CHECK (own_is_entry IN (0, 1)),
            certainty        TEXT NOT NULL CHECK (certainty IN ('exact', 'look_alike')),
            state            TEXT NOT NULL CHECK (state IN ('provisional', 'confirmed', 'withdrawn')),
            created_at       INTEGER NOT NULL,
            withdrawn_at     INTEGER,
            judged_by        TEXT,         -- the ranger who rejected a possible match
            CHECK ((state = 'withdrawn') = (withdrawn_at IS NOT NULL))
        ) STRICT;
        -- One passage, one match: the database holds this even when two writers try at once.
        CREATE UNIQUE INDEX matches_one_an_own_passage ON matches (own_client_id)
            WHERE certainty = 'exact' AND state <> 'withdrawn';
        CREATE UNIQUE INDEX matches_one_a_remote_passage ON matches (remote_client_id)
            WHERE certainty = 'exact' AND state <> 'withdrawn';
        CREATE UNIQUE INDEX matches_one_a_possible_pair ON matches (own_client_id, remote_client_id)
            WHERE certainty = 'look_alike' AND state <> 'withdrawn';
        CREATE INDEX matches_by_own ON matches (own_client_id);
        CREATE INDEX matches_by_remote ON matches (remote_client_id);

        CREATE TABLE violations (
            id                   TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36 AND id = lower(id)),
            match_id             INTEGER REFERENCES matches (id),               -- null when only the server knows the match
            own_client_id        TEXT REFERENCES passages (client_id),
            kind                 TEXT NOT NULL CHECK (kind IN ('speeding', 'overstay')),
            entry_client_id      TEXT NOT NULL,
            exit_client_id       TEXT NOT NULL,
            plate                TEXT NOT NULL,
            plate_compact        TEXT NOT NULL CHECK (plate_compact = replace(plate, ' ', '')),
            vehicle_type         TEXT NOT NULL,
            entry_time           INTEGER NOT NULL,
            exit_time            INTEGER NOT NULL CHECK (exit_time >= entry_time),
            distance_km          REAL NOT NULL CHECK (distance_km > 0),         -- copied: limits may change afterwards
            speed_limit_kmh      REAL NOT NULL CHECK (speed_limit_kmh > 0),
            calculated_speed_kmh REAL,                                          -- null: no time passed, infinitely fast
            is_implausible       INTEGER NOT NULL CHECK (is_implausible IN (0, 1)),
            state                TEXT NOT NULL CHECK (state IN ('provisional', 'confirmed', 'withdrawn')),
            server_id            TEXT UNIQUE,
            created_at           INTEGER NOT NULL,
            withdrawn_at         INTEGER,
            CHECK ((state = 'withdrawn') = (withdrawn_at IS NOT NULL))
        ) STRICT;
        CREATE UNIQUE INDEX violations_one_an_entry ON violations (entry_client_id) WHERE state <> 'withdrawn';
        CREATE INDEX violations_by_exit ON violations (exit_client_id);
        CREATE INDEX violations_by_own ON violations (own_client_id);
        CREATE INDEX violations_by_match ON violations (match_id);
        CREATE INDEX violations_by_time ON violations (exit_time);

        -- The newest row of a violation is what holds; the older ones are its history.
        CREATE TABLE violation_outcomes (
            id           INTEGER PRIMARY KEY AUTOINCREMENT,
            violation_id TEXT NOT NULL REFERENCES violations (id),
            kind         TEXT NOT NULL CHECK (kind IN ('warned', 'fined', 'let_go', 'not_found', 'other')),
            fine_amount  REAL CHECK (fine_amount >= 0),
            notes        TEXT,
            recorded_by  TEXT NOT NULL,
            recorded_at  INTEGER NOT NULL,
            replaced_at  INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX violation_outcomes_one_holds ON violation_outcomes (violation_id) WHERE replaced_at IS NULL;
        CREATE INDEX violation_outcomes_by_violation ON violation_outcomes (violation_id);

        CREATE TABLE overstay_alerts (
            id                    INTEGER PRIMARY KEY AUTOINCREMENT,
            entry_client_id       TEXT NOT NULL REFERENCES passages (client_id),
            plate                 TEXT NOT NULL,
            vehicle_type          TEXT NOT NULL,
            entry_time            INTEGER NOT NULL,
            expected_exit_by      INTEGER NOT NULL,
            is_doubtful           INTEGER NOT NULL CHECK (is_doubtful IN (0, 1)),
            raised_at             INTEGER NOT NULL,
            resolved_at           INTEGER,
            resolved_by_client_id TEXT,
            dismissed_at          INTEGER,
            dismissed_by          TEXT,
            dismissed_reason      TEXT,
            withdrawn_at          INTEGER,      -- its passage was corrected or withdrawn
            CHECK ((dismissed_at IS NULL) = (dismissed_reason IS NULL))
        ) STRICT;
        CREATE UNIQUE INDEX overstay_alerts_one_an_entry ON overstay_alerts (entry_client_id) WHERE withdrawn_at IS NULL;
        CREATE INDEX overstay_alerts_open ON overstay_alerts (raised_at)
            WHERE resolved_at IS NULL AND dismissed_at IS NULL AND withdrawn_at IS NULL;

        CREATE TABLE exempt_plates (
            compact   TEXT NOT NULL PRIMARY KEY CHECK (compact = replace(canonical, ' ', '')),
            canonical TEXT NOT NULL,
            reason    TEXT NOT NULL,
            added_at  INTEGER NOT NULL
        ) STRICT;
        """

    /// A text's time has whole seconds. Of the passages that are here already nothing says how they came.
    static let textTimes = """
        ALTER TABLE remote_passages ADD COLUMN is_text INTEGER NOT NULL DEFAULT 0 CHECK (is_text IN (0, 1));
        """

    /// What the other post said last, whole.
    static let otherPostReviews = """
        CREATE TABLE other_post_reviews (
            id         INTEGER PRIMARY KEY CHECK (id = 1),
            as_of      INTEGER NOT NULL,
            waiting    TEXT NOT NULL CHECK (json_valid(waiting)),    -- [{"at": milliseconds, "plate": "BA 1 PA 1234"}]
            updated_at INTEGER NOT NULL
        ) STRICT;
        """

    /// The other side of violations on further roads of this post: as much as tells where they were. They are no candidates for matching,
    /// and say nothing of how far the other post of the own road is known.
    static let furtherPassages = """
        CREATE TABLE further_passages (
            client_id      TEXT NOT NULL PRIMARY KEY CHECK (length(client_id) = 36 AND client_id = lower(client_id)),
            server_id      TEXT NOT NULL UNIQUE,
            checkpost_code TEXT NOT NULL,
            fetched_at     INTEGER NOT NULL
        ) STRICT;
        -- A passage may be the entry of a trip on each of its roads.
        DROP INDEX violations_one_an_entry;
        CREATE UNIQUE INDEX violations_one_a_pair ON violations (entry_client_id, exit_client_id) WHERE state <> 'withdrawn';
        """

    /// Those that a driver was troubled with are told: `ViolationTable.takenBackThoughActedOn`.
    static let takenBackViolations = """
        CREATE INDEX violations_taken_back ON violations (withdrawn_at) WHERE state = 'withdrawn';
        """
}
