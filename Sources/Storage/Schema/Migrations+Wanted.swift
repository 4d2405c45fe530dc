extension Migrations {
    /// Plates to watch for.
    static let wanted = """
        CREATE TABLE wanted_plates (
            compact   TEXT NOT NULL PRIMARY KEY,
            canonical TEXT NOT NULL,
            reason    TEXT NOT NULL,
            added_by  TEXT NOT NULL,
            added_at  INTEGER NOT NULL
        ) STRICT;
        """
}
