extension Migrations {
    /// What the server offers is replaced as a whole.
    static let offers = """
        CREATE TABLE offered_updates (
            file_name  TEXT NOT NULL PRIMARY KEY,
            bytes      INTEGER NOT NULL,
            sha256     TEXT NOT NULL,
            signature  TEXT NOT NULL,
            offered_at INTEGER NOT NULL
        ) STRICT;
        """
}
