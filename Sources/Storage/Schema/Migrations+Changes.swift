import GRDB

extension Migrations {
    static func registerChanges(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("7 change counts") { db in try db.execute(sql: changeCounts) }
    }

    /// How often each kind of thing has changed, counted in the transaction that changes it: other processes look here.
    private static let changeCounts = """
        CREATE TABLE change_counts (
            kind  INTEGER NOT NULL PRIMARY KEY,    -- one bit: StoreChange
            count INTEGER NOT NULL
        ) STRICT;
        INSERT INTO change_counts (kind, count)
            VALUES (1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (32, 0), (64, 0), (128, 0);
        """
}
