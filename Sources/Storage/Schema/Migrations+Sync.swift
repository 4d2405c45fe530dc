import GRDB

extension Migrations {
    /// What synchronization needs beyond the first two versions.
    static func registerSync(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("3 where photos are at the server") { db in
            // As the server's row has it: passage-photos/<its id>.jpg.
            try db.execute(sql: "ALTER TABLE passages ADD COLUMN photo_path TEXT")
        }
    }
}
