extension Migrations {
    /// What tells the machine that the records belong to from another one.
    static let machine = """
        CREATE TABLE machine_traits (
            trait TEXT NOT NULL PRIMARY KEY
        ) STRICT, WITHOUT ROWID;
        """
}
