extension Migrations {
    /// What a camera saw up to this moment is on record. Kept on a clock that is trusted, and now and then.
    static let cameraWatch = """
        CREATE TABLE camera_watch (
            camera        TEXT NOT NULL PRIMARY KEY,
            watched_up_to INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Photos, passages, and what was changed about passages.
    static let passages = """
        CREATE TABLE photos (
            sha256     TEXT NOT NULL PRIMARY KEY CHECK (length(sha256) = 64 AND sha256 = lower(sha256)),
            path       TEXT NOT NULL UNIQUE,      -- below the data folder
            bytes      INTEGER NOT NULL CHECK (bytes > 0),
            media_type TEXT NOT NULL,
            kept_at    INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX photos_by_age ON photos (kept_at);

        CREATE TABLE passages (
            client_id         TEXT NOT NULL PRIMARY KEY CHECK (length(client_id) = 36 AND client_id = lower(client_id)),
            plate             TEXT NOT NULL CHECK (plate <> ''),
            plate_compact     TEXT NOT NULL CHECK (plate_compact = replace(plate, ' ', '')),
            plate_raw         TEXT NOT NULL,
            vehicle_type      TEXT NOT NULL CHECK (vehicle_type IN ('car', 'jeep_suv', 'minibus', 'bus', 'truck', 'tanker',
                                  'motorcycle', 'auto_rickshaw', 'tractor', 'other')),
            checkpost_code    TEXT NOT NULL,
            recorded_at       INTEGER NOT NULL,
            clock_state       TEXT NOT NULL CHECK (clock_state IN ('synchronised', 'simulated', 'untrusted')),
            confidence        REAL CHECK (confidence BETWEEN 0 AND 1),
            origin            TEXT NOT NULL CHECK (origin IN ('camera', 'review', 'manual')),
            photo_sha256      TEXT REFERENCES photos (sha256),
            acted_by          TEXT,
            created_at        INTEGER NOT NULL,
            server_id         TEXT UNIQUE,        -- the server's row id, once it has told it
            server_matched_id TEXT,               -- the row that the server matched it with
            sms_client_id     TEXT UNIQUE,        -- the id that the server derives from its SMS
            withdrawn_at      INTEGER
        ) STRICT;
        CREATE INDEX passages_by_time ON passages (recorded_at, client_id);
        CREATE INDEX passages_by_plate ON passages (plate_compact, recorded_at);
        CREATE INDEX passages_by_photo ON passages (photo_sha256);

        -- Both versions stay on record, as evidence.
        CREATE TABLE passage_corrections (
            id                INTEGER PRIMARY KEY AUTOINCREMENT,
            passage_client_id TEXT NOT NULL REFERENCES passages (client_id),
            kind              TEXT NOT NULL CHECK (kind IN ('corrected', 'withdrawn')),
            old_plate         TEXT NOT NULL,
            new_plate         TEXT,
            reason            TEXT NOT NULL,
            actor             TEXT NOT NULL,
            at                INTEGER NOT NULL,
            CHECK ((kind = 'corrected') = (new_plate IS NOT NULL))
        ) STRICT;
        CREATE INDEX passage_corrections_by_passage ON passage_corrections (passage_client_id);

        -- One a passage and not one a photo: two vehicles in one frame share the photo, and the server wants it under both.
        CREATE TABLE photo_uploads (
            passage_client_id TEXT NOT NULL PRIMARY KEY REFERENCES passages (client_id),
            sha256            TEXT NOT NULL REFERENCES photos (sha256),
            status            TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'uploaded', 'failed')),
            attempts          INTEGER NOT NULL DEFAULT 0,
            last_attempt_at   INTEGER,
            last_error        TEXT
        ) STRICT;
        CREATE INDEX photo_uploads_by_status ON photo_uploads (status);
        CREATE INDEX photo_uploads_by_photo ON photo_uploads (sha256);
        """

    /// Vehicles being watched, waiting for a ranger, or done.
    static let sightings = """
        -- What the tracker of a camera holds between two frames, as it wrote it.
        CREATE TABLE tracker_states (
            camera     TEXT NOT NULL PRIMARY KEY,
            state      BLOB NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE sightings (
            id                TEXT NOT NULL PRIMARY KEY,    -- camera/number
            camera            TEXT NOT NULL,
            number            INTEGER NOT NULL,
            state             TEXT NOT NULL CHECK (state IN ('open', 'recorded', 'review', 'discarded')),
            first_seen_at     INTEGER NOT NULL,
            last_seen_at      INTEGER NOT NULL,
            frame_count       INTEGER NOT NULL,
            plate_compact     TEXT NOT NULL,
            confidence        REAL NOT NULL,
            reading           TEXT NOT NULL CHECK (json_valid(reading)),
            best_sha256       TEXT NOT NULL,                -- its photo may be missing: a full disk keeps none
            best_recorded_at  INTEGER NOT NULL,
            best_clock_state  TEXT NOT NULL CHECK (best_clock_state IN ('synchronised', 'simulated', 'untrusted')),
            passage_client_id TEXT REFERENCES passages (client_id),
            decided_by        TEXT,
            decided_at        INTEGER,
            CHECK ((state = 'recorded') = (passage_client_id IS NOT NULL))
        ) STRICT;
        CREATE INDEX sightings_to_decide ON sightings (first_seen_at) WHERE state IN ('open', 'review');
        CREATE INDEX sightings_by_camera ON sightings (camera, number);
        CREATE INDEX sightings_by_photo ON sightings (best_sha256);
        CREATE INDEX sightings_by_passage ON sightings (passage_client_id);
        """

    /// What sources have given already.
    static let frames = """
        CREATE TABLE taken_frames (
            camera     TEXT NOT NULL,
            source_key TEXT NOT NULL,
            taken_at   INTEGER NOT NULL,
            PRIMARY KEY (camera, source_key)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE unreadable_frames (
            id         INTEGER PRIMARY KEY AUTOINCREMENT,
            camera     TEXT NOT NULL,
            source_key TEXT,
            file       TEXT,
            reason     TEXT NOT NULL,
            at         INTEGER NOT NULL
        ) STRICT;
        """
}
