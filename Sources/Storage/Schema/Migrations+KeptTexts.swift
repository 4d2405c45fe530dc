extension Migrations {
    /// Signed texts of other boxes that this one hands to the server when it has a link again.
    static let keptTexts = """
        CREATE TABLE kept_texts (
            id       INTEGER PRIMARY KEY AUTOINCREMENT,
            giver    TEXT NOT NULL,                 -- the public key of the box that gave it
            text     TEXT NOT NULL UNIQUE CHECK (length(text) BETWEEN 1 AND 200),
            taken_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX kept_texts_by_giver ON kept_texts (giver);
        """
}
