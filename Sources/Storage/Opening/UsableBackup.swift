import Enforcement
import Foundation
import GRDB

/// The newest backup on record of a database that this version of the program can work with.
struct UsableBackup {
    let path: String
    let madeAt: Instant

    /// So many of the last are looked at.
    private static let most = 100

    /// - Returns: nil when there is none, or the list can't be read: a newer version may keep it in another way.
    init?(of db: Database, migrator: DatabaseMigrator) {
        let rows = try? Row.fetchAll(
            db, sql: "SELECT at, path FROM backups WHERE problem IS NULL ORDER BY at DESC, id DESC LIMIT ?",
            arguments: [Self.most])
        let found = (rows ?? []).lazy.compactMap { row -> (String, Instant)? in
            guard let path = try? row.text("path"), let at = try? row.instant("at") else { return nil }
            return Self.isOurs(path, migrator) ? (path, at) : nil
        }.first
        guard let found else { return nil }
        (path, madeAt) = found
    }

    private static func isOurs(_ path: String, _ migrator: DatabaseMigrator) -> Bool {
        guard FileManager.default.isReadableFile(atPath: path) else { return false }
        var configuration = Configuration()
        configuration.readonly = true
        guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else { return false }
        defer { try? queue.close() }
        return (try? queue.read { try $0.tableExists("passages") && !migrator.hasBeenSuperseded($0) }) == true
    }
}
