extension Migrations {
    /// What the park's office lists for its posts stands apart from what the post itself lists: the office's is replaced as a whole, and
    /// the post's own stays. Where both list a plate, the post's reason is shown.
    static let listed = """
        CREATE TABLE listed_plates (
            kind      TEXT NOT NULL CHECK (kind IN ('wanted', 'exempt')),
            compact   TEXT NOT NULL,
            canonical TEXT NOT NULL,
            reason    TEXT NOT NULL,
            listed_at INTEGER NOT NULL,
            PRIMARY KEY (kind, compact)
        ) STRICT;
        CREATE VIEW every_wanted_plate AS
            SELECT compact, canonical, reason, added_by, added_at FROM wanted_plates
            UNION ALL
            SELECT compact, canonical, reason, NULL, listed_at FROM listed_plates AS l
            WHERE l.kind = 'wanted' AND NOT EXISTS (SELECT 1 FROM wanted_plates AS w WHERE w.compact = l.compact);
        CREATE VIEW every_exempt_plate AS
            SELECT compact, canonical, reason, added_at, 0 AS is_listed FROM exempt_plates
            UNION ALL
            SELECT compact, canonical, reason, listed_at, 1 FROM listed_plates AS l
            WHERE l.kind = 'exempt' AND NOT EXISTS (SELECT 1 FROM exempt_plates AS x WHERE x.compact = l.compact);
        """
}
