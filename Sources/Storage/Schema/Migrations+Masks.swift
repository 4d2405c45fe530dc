extension Migrations {
    /// What is left out of a camera's pictures, where somebody has drawn it at the box.
    static let masks = """
        CREATE TABLE camera_masks (
            camera     TEXT NOT NULL PRIMARY KEY,
            mask       TEXT NOT NULL,           -- as in the configuration; empty where nothing is left out
            changed_by TEXT NOT NULL,
            changed_at INTEGER NOT NULL
        ) STRICT;
        """
}
