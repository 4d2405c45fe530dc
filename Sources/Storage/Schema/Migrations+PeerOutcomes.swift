extension Migrations {
    /// What was done about violations goes over the direct link, too.
    static let peerOutcomes = """
        -- Whether somebody of this post recorded it: that alone is told to the other one.
        ALTER TABLE violation_outcomes ADD COLUMN is_own INTEGER NOT NULL DEFAULT 0 CHECK (is_own IN (0, 1));
        UPDATE violation_outcomes SET is_own = 1
            WHERE id IN (SELECT subject_id FROM sync_queue WHERE entity = 'outcome');
        CREATE INDEX violation_outcomes_own ON violation_outcomes (id) WHERE is_own = 1;

        -- The number of the other post's last outcome that is here.
        ALTER TABLE peers ADD COLUMN outcome_mark INTEGER NOT NULL DEFAULT 0;

        -- What the other post told last about the violation of two passages. It may come before the violation is found here.
        CREATE TABLE peer_outcomes (
            entry_client_id TEXT NOT NULL,
            exit_client_id  TEXT NOT NULL,
            kind            TEXT NOT NULL CHECK (kind IN ('warned', 'fined', 'let_go', 'not_found', 'other')),
            fine_amount     REAL CHECK (fine_amount >= 0),
            notes           TEXT,
            recorded_by     TEXT NOT NULL,
            recorded_at     INTEGER NOT NULL,
            replaces_by     TEXT,                   -- what somebody here did, and it takes the place of
            replaces_at     INTEGER,
            outcome_id      INTEGER,                -- what became of it here, or of what was told before it
            is_settled      INTEGER NOT NULL DEFAULT 0 CHECK (is_settled IN (0, 1)),
            PRIMARY KEY (entry_client_id, exit_client_id)
        ) STRICT;
        CREATE INDEX peer_outcomes_open ON peer_outcomes (recorded_at) WHERE is_settled = 0;
        CREATE INDEX peer_outcomes_become ON peer_outcomes (outcome_id) WHERE outcome_id IS NOT NULL;
        """
}
