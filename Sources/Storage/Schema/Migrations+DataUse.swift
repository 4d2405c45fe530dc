extension Migrations {
    /// What went over the link to the server, by months of Nepal's clock.
    static let dataUse = """
        CREATE TABLE data_use (
            month    TEXT PRIMARY KEY NOT NULL CHECK (month GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]'),
            sent     INTEGER NOT NULL,
            received INTEGER NOT NULL
        ) STRICT;
        """
}
