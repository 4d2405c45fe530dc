extension Migrations {
    /// Who may use the console, who is signed in, and which alerts somebody has seen.
    static let console = """
        CREATE TABLE users (
            name            TEXT NOT NULL PRIMARY KEY CHECK (name = lower(name) AND length(name) BETWEEN 1 AND 64),
            full_name       TEXT NOT NULL,
            role            TEXT NOT NULL CHECK (role IN ('ranger', 'technician')),
            origin          TEXT NOT NULL CHECK (origin IN ('box', 'server')),
            password_hash   TEXT,         -- scrypt, with its salt and its cost
            pin_hash        TEXT,
            failure_count   INTEGER NOT NULL DEFAULT 0 CHECK (failure_count >= 0),
            locked_until    INTEGER,
            created_at      INTEGER NOT NULL,
            last_sign_in_at INTEGER
        ) STRICT;

        -- A session's token is a secret: its hash is enough to know it again.
        CREATE TABLE sessions (
            token_sha256 TEXT NOT NULL PRIMARY KEY CHECK (length(token_sha256) = 64),
            user_name    TEXT NOT NULL REFERENCES users (name) ON DELETE CASCADE,
            created_at   INTEGER NOT NULL,
            last_seen_at INTEGER NOT NULL,
            expires_at   INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX sessions_by_user ON sessions (user_name);

        -- An alert without a row here repeats: nobody has put it off, and it has no outcome yet.
        CREATE TABLE alert_touches (
            alert      TEXT NOT NULL PRIMARY KEY,    -- 'violation/<id>' or 'overstay/<id>'
            touched_by TEXT NOT NULL,
            touched_at INTEGER NOT NULL
        ) STRICT;
        """

    /// What was put off before was put off for good.
    static let seenAlerts = """
        ALTER TABLE alert_touches ADD COLUMN is_seen INTEGER NOT NULL DEFAULT 0 CHECK (is_seen IN (0, 1));
        UPDATE alert_touches SET is_seen = 1;
        """

    /// What is told is told of a row of the server's; one that it lost and judged anew is told again.
    static let shownAlerts = """
        CREATE TABLE alert_deliveries (
            violation_id TEXT NOT NULL PRIMARY KEY REFERENCES violations (id) ON DELETE CASCADE,
            shown_at     INTEGER NOT NULL,
            told_of      TEXT
        ) STRICT;
        CREATE INDEX alert_deliveries_to_tell ON alert_deliveries (shown_at) WHERE told_of IS NULL;
        """

    /// The columns of version 5 are the password's since then.
    static let pinLock = """
        ALTER TABLE users ADD COLUMN pin_failure_count INTEGER NOT NULL DEFAULT 0 CHECK (pin_failure_count >= 0);
        ALTER TABLE users ADD COLUMN pin_locked_until INTEGER;
        """

    /// An account that was known before the server was asked each time counts as asked about when it signed in last.
    static let serverStanding = """
        ALTER TABLE users ADD COLUMN server_is_open INTEGER CHECK (server_is_open IN (0, 1));
        ALTER TABLE users ADD COLUMN server_asked_at INTEGER;
        UPDATE users SET server_is_open = 1, server_asked_at = coalesce(last_sign_in_at, created_at)
            WHERE origin = 'server';
        """
}
