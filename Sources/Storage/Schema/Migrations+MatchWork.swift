extension Migrations {
    /// What matching has to look at, so that it never looks at everything.
    ///
    /// A pair of passages can come to match only when one of the two is new, changes, or loses its match. Triggers put that one on a
    /// list, whoever wrote it; matching works the list off and finds the other one by index.
    static let matchWork = """
        CREATE TABLE match_work (
            id        INTEGER PRIMARY KEY AUTOINCREMENT,   -- a passage that changes again gets a new one
            side      TEXT NOT NULL CHECK (side IN ('own', 'remote')),
            client_id TEXT NOT NULL,
            UNIQUE (side, client_id)
        ) STRICT;

        -- How far a walk through the passages, by time, has come.
        CREATE TABLE match_progress (
            name        TEXT NOT NULL PRIMARY KEY,
            recorded_at INTEGER NOT NULL,
            client_id   TEXT NOT NULL,
            window_ms   INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Plates with gaps can't be looked up by their text; there are few of them.
        CREATE INDEX passages_partial ON passages (recorded_at) WHERE instr(plate_compact, '?') > 0;
        CREATE INDEX remote_passages_partial ON remote_passages (recorded_at) WHERE instr(plate_compact, '?') > 0;

        -- Not INSERT OR REPLACE: the statement that fires a trigger would set another way of meeting conflicts.
        CREATE TRIGGER match_work_own_new AFTER INSERT ON passages
        WHEN NEW.withdrawn_at IS NULL AND NEW.server_matched_id IS NULL
        BEGIN
            DELETE FROM match_work WHERE side = 'own' AND client_id = NEW.client_id;
            INSERT INTO match_work (side, client_id) VALUES ('own', NEW.client_id);
        END;
        CREATE TRIGGER match_work_own_changed
        AFTER UPDATE OF plate_compact, recorded_at, clock_state, withdrawn_at, server_matched_id ON passages
        WHEN NEW.withdrawn_at IS NULL AND NEW.server_matched_id IS NULL
            AND (OLD.plate_compact, OLD.recorded_at, OLD.clock_state, OLD.withdrawn_at, OLD.server_matched_id)
                IS NOT (NEW.plate_compact, NEW.recorded_at, NEW.clock_state, NEW.withdrawn_at, NEW.server_matched_id)
        BEGIN
            DELETE FROM match_work WHERE side = 'own' AND client_id = NEW.client_id;
            INSERT INTO match_work (side, client_id) VALUES ('own', NEW.client_id);
        END;
        CREATE TRIGGER match_work_remote_new AFTER INSERT ON remote_passages
        WHEN NEW.withdrawn_at IS NULL AND NEW.is_matched = 0
        BEGIN
            DELETE FROM match_work WHERE side = 'remote' AND client_id = NEW.client_id;
            INSERT INTO match_work (side, client_id) VALUES ('remote', NEW.client_id);
        END;
        -- A page that is pulled again writes its rows again: only what differs counts.
        CREATE TRIGGER match_work_remote_changed
        AFTER UPDATE OF client_id, plate_compact, checkpost_code, recorded_at, clock_state, withdrawn_at, is_matched
        ON remote_passages
        WHEN NEW.withdrawn_at IS NULL AND NEW.is_matched = 0
            AND (OLD.client_id, OLD.plate_compact, OLD.checkpost_code, OLD.recorded_at, OLD.clock_state,
                    OLD.withdrawn_at, OLD.is_matched)
                IS NOT (NEW.client_id, NEW.plate_compact, NEW.checkpost_code, NEW.recorded_at, NEW.clock_state,
                    NEW.withdrawn_at, NEW.is_matched)
        BEGIN
            DELETE FROM match_work WHERE side = 'remote' AND client_id = NEW.client_id;
            INSERT INTO match_work (side, client_id) VALUES ('remote', NEW.client_id);
        END;
        CREATE TRIGGER match_work_match_withdrawn AFTER UPDATE OF state ON matches
        WHEN NEW.state = 'withdrawn' AND OLD.state <> 'withdrawn' AND NEW.certainty = 'exact'
        BEGIN
            DELETE FROM match_work WHERE side = 'own' AND client_id = NEW.own_client_id;
            DELETE FROM match_work WHERE side = 'remote' AND client_id = NEW.remote_client_id;
            INSERT INTO match_work (side, client_id)
                VALUES ('own', NEW.own_client_id), ('remote', NEW.remote_client_id);
        END;
        """
}
