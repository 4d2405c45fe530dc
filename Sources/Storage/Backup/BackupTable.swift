import Enforcement
import Foundation
import GRDB

/// A backup that was made, or tried.
package struct BackupRecord: Sendable, Equatable {
    package var at: Instant
    package var path: String
    package var bytes: Int
    package var passages: Int

    /// Why it is none; nil when it is good.
    package var problem: String?

    package init(at: Instant, path: String, bytes: Int = 0, passages: Int = 0, problem: String? = nil) {
        self.at = at
        self.path = path
        self.bytes = bytes
        self.passages = passages
        self.problem = problem
    }
}

/// The backups that were made.
package struct BackupTable: Table {
    let store: Store
}

extension Store {
    package var backups: BackupTable { BackupTable(store: self) }
}

extension BackupTable {
    private static let most: Int64 = 400

    package func record(_ backup: BackupRecord) throws {
        try write("Noting a backup") { db in
            try db.execute(
                cached: "INSERT INTO backups (at, path, bytes, passages, problem) VALUES (?, ?, ?, ?, ?)",
                arguments: [backup.at.milliseconds, backup.path, backup.bytes, backup.passages, backup.problem])
            try db.execute(
                cached: "DELETE FROM backups WHERE id <= ?", arguments: [db.lastInsertedRowID - Self.most])
        }
    }

    /// The last one, or the last good one.
    package func last(onlyGood: Bool) throws -> BackupRecord? {
        try read("Reading the backups") { db in
            try Row.fetchOne(
                db, cached: "SELECT * FROM backups WHERE problem IS NULL OR NOT ? ORDER BY id DESC LIMIT 1",
                arguments: [onlyGood]
            ).map {
                BackupRecord(
                    at: try $0.instant("at"), path: try $0.text("path"), bytes: try $0.integer("bytes"),
                    passages: try $0.integer("passages"), problem: try $0.optionalText("problem"))
            }
        }
    }
}
