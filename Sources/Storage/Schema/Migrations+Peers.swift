extension Migrations {
    /// The other post, where this one asks it itself: no server is between them.
    static let peers = """
        CREATE TABLE peers (
            public_key TEXT NOT NULL PRIMARY KEY CHECK (length(public_key) = 64 AND public_key = lower(public_key)),
            code       TEXT NOT NULL,
            address    TEXT,                        -- host:port, as a person typed it
            seen_at    TEXT,                        -- host:port where it spoke from last
            status     TEXT NOT NULL CHECK (status IN ('active', 'revoked')),
            paired_at  INTEGER NOT NULL,
            revoked_at INTEGER,
            mark       INTEGER NOT NULL DEFAULT 0,  -- the number of its last news that is here
            unread     INTEGER NOT NULL DEFAULT 0,  -- words of it that this program can't read
            CHECK ((status = 'revoked') = (revoked_at IS NOT NULL))
        ) STRICT;
        -- A road has one other end.
        CREATE UNIQUE INDEX peers_one_active ON peers (status) WHERE status = 'active';

        -- The code that somebody is to type at the other post.
        CREATE TABLE peer_offers (
            id       INTEGER PRIMARY KEY CHECK (id = 1),
            code     TEXT NOT NULL,
            until    INTEGER NOT NULL,
            taken_by TEXT                           -- whoever had it: its answer may have been lost, and it asks again
        ) STRICT;

        -- What is new of this post's passages, each with the number of its last change.
        CREATE TABLE passage_news (
            number    INTEGER PRIMARY KEY AUTOINCREMENT,
            client_id TEXT NOT NULL UNIQUE
        ) STRICT;
        INSERT INTO passage_news (client_id)
            SELECT client_id FROM passages ORDER BY recorded_at, client_id;

        CREATE TRIGGER passage_news_new AFTER INSERT ON passages
        BEGIN
            INSERT INTO passage_news (client_id) VALUES (NEW.client_id);
        END;
        CREATE TRIGGER passage_news_changed
        AFTER UPDATE OF client_id, plate, vehicle_type, checkpost_code, recorded_at, clock_state, travel, withdrawn_at,
            sms_client_id ON passages
        WHEN (OLD.client_id, OLD.plate, OLD.vehicle_type, OLD.checkpost_code, OLD.recorded_at, OLD.clock_state,
                OLD.travel, OLD.withdrawn_at IS NULL, OLD.sms_client_id)
            IS NOT (NEW.client_id, NEW.plate, NEW.vehicle_type, NEW.checkpost_code, NEW.recorded_at, NEW.clock_state,
                NEW.travel, NEW.withdrawn_at IS NULL, NEW.sms_client_id)
        BEGIN
            DELETE FROM passage_news WHERE client_id IN (OLD.client_id, NEW.client_id);
            INSERT INTO passage_news (client_id) VALUES (NEW.client_id);
        END;
        CREATE TRIGGER passage_news_gone AFTER DELETE ON passages
        BEGIN
            DELETE FROM passage_news WHERE client_id = OLD.client_id;
        END;

        -- Of a passage of the other post: the id of its text, which the server may tell first; whether the post itself has taken it
        -- back, which no older word of the server undoes; whether plate and time are the post's own word; and what the server said of
        -- them last, in one text: only another word of it is news.
        ALTER TABLE remote_passages ADD COLUMN sms_client_id TEXT;
        ALTER TABLE remote_passages ADD COLUMN withdrawn_by_post INTEGER NOT NULL DEFAULT 0
            CHECK (withdrawn_by_post IN (0, 1));
        ALTER TABLE remote_passages ADD COLUMN told_by_post INTEGER NOT NULL DEFAULT 0 CHECK (told_by_post IN (0, 1));
        ALTER TABLE remote_passages ADD COLUMN server_word TEXT;
        CREATE UNIQUE INDEX remote_passages_by_text ON remote_passages (sms_client_id) WHERE sms_client_id IS NOT NULL;
        """
}
