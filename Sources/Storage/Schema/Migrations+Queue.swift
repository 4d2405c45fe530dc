extension Migrations {
    /// Sent in the order in which it was queued: a clock that was wrong puts nothing in front.
    static let queueOrder = """
        DROP INDEX sync_queue_in_order;
        CREATE INDEX sync_queue_in_order ON sync_queue (status, id);
        """

    /// What still has to reach the server, and how far the server has been read.
    static let queue = """
        CREATE TABLE sync_queue (
            id                INTEGER PRIMARY KEY AUTOINCREMENT,
            entity            TEXT NOT NULL CHECK (entity IN ('passage', 'correction', 'outcome', 'alert')),
            passage_client_id TEXT NOT NULL REFERENCES passages (client_id),
            subject_id        INTEGER,    -- the row of passage_corrections, violation_outcomes or overstay_alerts
            status            TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'in_flight', 'synced', 'failed')),
            attempts          INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
            last_attempt_at   INTEGER,
            next_attempt_at   INTEGER,    -- backoff: not before this
            last_error        TEXT,
            is_refused        INTEGER NOT NULL DEFAULT 0 CHECK (is_refused IN (0, 1)),
            sms_sent          INTEGER NOT NULL DEFAULT 0 CHECK (sms_sent IN (0, 1)),
            created_at        INTEGER NOT NULL,
            CHECK ((entity = 'passage') = (subject_id IS NULL)),
            CHECK (is_refused = 0 OR status = 'failed')
        ) STRICT;
        CREATE UNIQUE INDEX sync_queue_one_a_passage ON sync_queue (passage_client_id) WHERE entity = 'passage';
        CREATE UNIQUE INDEX sync_queue_one_a_subject ON sync_queue (entity, subject_id) WHERE entity <> 'passage';
        CREATE INDEX sync_queue_in_order ON sync_queue (status, created_at, id);
        CREATE INDEX sync_queue_by_age ON sync_queue (created_at, id);
        CREATE INDEX sync_queue_by_passage ON sync_queue (passage_client_id);

        CREATE TABLE sync_cursors (
            name       TEXT NOT NULL PRIMARY KEY,
            value      INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE sync_runs (
            id          INTEGER PRIMARY KEY AUTOINCREMENT,
            started_at  INTEGER NOT NULL,
            finished_at INTEGER NOT NULL,
            pushed      INTEGER NOT NULL,
            pulled      INTEGER NOT NULL,
            photos      INTEGER NOT NULL,
            failure     TEXT
        ) STRICT;
        """

    /// Settings, places and alarms.
    static let appliance = """
        -- What the server says overrides what the file says; both are kept, so that the file holds again without it.
        CREATE TABLE settings (
            key        TEXT NOT NULL,
            source     TEXT NOT NULL CHECK (source IN ('file', 'server')),
            value      TEXT NOT NULL CHECK (json_valid(value)),
            updated_at INTEGER NOT NULL,
            PRIMARY KEY (key, source)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE segments (
            id            TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36 AND id = lower(id)),
            name          TEXT NOT NULL,
            distance_km   REAL NOT NULL CHECK (distance_km > 0),
            max_speed_kmh REAL NOT NULL CHECK (max_speed_kmh > min_speed_kmh),
            min_speed_kmh REAL NOT NULL CHECK (min_speed_kmh > 0),
            updated_at    INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE checkposts (
            id             TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36 AND id = lower(id)),
            segment_id     TEXT NOT NULL REFERENCES segments (id),
            code           TEXT NOT NULL UNIQUE,
            name           TEXT NOT NULL,
            position_index INTEGER NOT NULL CHECK (position_index IN (0, 1)),
            updated_at     INTEGER NOT NULL,
            UNIQUE (segment_id, position_index)
        ) STRICT;

        -- What `status` shows as wrong.
        CREATE TABLE alarms (
            key        TEXT NOT NULL PRIMARY KEY,
            severity   TEXT NOT NULL CHECK (severity IN ('notice', 'warning', 'critical')),
            message    TEXT NOT NULL,
            hint       TEXT,
            raised_at  INTEGER NOT NULL,
            cleared_at INTEGER
        ) STRICT;
        """
}
