extension Migrations {
    /// What this box says of its passages, each entry naming the one before: `EvidenceEntry`.
    static let evidence = """
        CREATE TABLE evidence_chains (
            id        INTEGER PRIMARY KEY AUTOINCREMENT,
            chain     TEXT NOT NULL UNIQUE,
            checkpost TEXT NOT NULL,
            because   TEXT NOT NULL,
            key       TEXT,                -- what the next entry is signed with; nothing where there is none yet
            begun_at  INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE evidence_entries (
            id                INTEGER PRIMARY KEY AUTOINCREMENT,
            chain             TEXT NOT NULL,
            number            INTEGER NOT NULL,
            passage_client_id TEXT,
            text              TEXT NOT NULL,
            hash              TEXT NOT NULL CHECK (length(hash) = 64),
            key               TEXT,        -- what it is signed with
            signature         BLOB,        -- 64 bytes; none while it waits, empty where its key was lost before
            sent_at           INTEGER,
            anchored_at       INTEGER,     -- by the server's clock, when it had the chain up to here
            UNIQUE (chain, number)
        ) STRICT;
        CREATE INDEX evidence_of_passage ON evidence_entries (passage_client_id);
        CREATE INDEX evidence_unsigned ON evidence_entries (id) WHERE signature IS NULL;
        CREATE INDEX evidence_unsent ON evidence_entries (id) WHERE sent_at IS NULL;

        -- What the next chain begins with; at most one row. A reason makes the next entry begin one.
        CREATE TABLE evidence_next (
            only    INTEGER NOT NULL PRIMARY KEY CHECK (only = 1),
            because TEXT,
            key     TEXT
        ) STRICT, WITHOUT ROWID;
        """
}
