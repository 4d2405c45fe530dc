extension Migrations {
    /// Which way vehicles go, as a camera sees it, and went, as seen from the road; null where it isn't known.
    static let travel = """
        ALTER TABLE sightings ADD COLUMN course TEXT CHECK (course IN ('approaching', 'receding'));
        ALTER TABLE sightings ADD COLUMN travel TEXT CHECK (travel IN ('entering', 'leaving'));
        ALTER TABLE passages ADD COLUMN travel TEXT CHECK (travel IN ('entering', 'leaving'));
        ALTER TABLE remote_passages ADD COLUMN travel TEXT CHECK (travel IN ('entering', 'leaving'));

        -- The upload behind a text brings it: then the pairs around may be others.
        CREATE TRIGGER match_work_remote_travel AFTER UPDATE OF travel ON remote_passages
        WHEN NEW.withdrawn_at IS NULL AND NEW.is_matched = 0 AND OLD.travel IS NOT NEW.travel
        BEGIN
            DELETE FROM match_work WHERE side = 'remote' AND client_id = NEW.client_id;
            INSERT INTO match_work (side, client_id) VALUES ('remote', NEW.client_id);
        END;
        """
}
