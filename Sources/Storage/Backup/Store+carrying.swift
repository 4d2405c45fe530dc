import Enforcement
import Foundation
import GRDB

extension Store {
    /// Takes over everything that the database of a newer version of the program holds, in the form that this version knows. What is in
    /// this one goes.
    ///
    /// Only what this version has no place for is left out: tables and columns that it doesn't know. All comes over, or nothing does.
    ///
    /// - Returns: how many passages.
    /// - Throws: `StoreError` when it can't be done without loss: a table or column of this version is missing there, or a row doesn't
    ///   meet its rules.
    package func carry(from newer: String) throws -> Int {
        do {
            return try pool.writeWithoutTransaction { db in
                // Rows come table by table: what refers to another may come first.
                try db.execute(sql: "PRAGMA foreign_keys = OFF")
                try db.execute(sql: "ATTACH DATABASE ? AS newer", arguments: [newer])
                defer {
                    try? db.execute(sql: "DETACH DATABASE newer")
                    try? db.execute(sql: "PRAGMA foreign_keys = ON")
                }
                var passages = 0
                try db.inTransaction(.immediate) {
                    try Self.carryAll(db)
                    passages = try Int.fetchOne(db, sql: "SELECT count(*) FROM main.passages") ?? 0
                    return .commit
                }
                return passages
            }
        } catch let error as DatabaseError {
            throw StoreError(error, tried: "Taking over the newer database", path: newer)
        }
    }

    /// SQLite's own, and which migrations were made.
    private static let notOurs = "name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> 'grdb_migrations'"

    private static func carryAll(_ db: Database) throws {
        // They note what is new: that was noted there.
        let triggers = try Row.fetchAll(db, sql: "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'")
        for trigger in triggers { try db.execute(sql: "DROP TRIGGER main.\"\(try trigger.text("name"))\"") }
        for table in try tables(db) {
            let ours = try columns(db, "main", table)
            let missing = Set(ours).subtracting(try columns(db, "newer", table))
            guard missing.isEmpty else {
                throw StoreError(
                    .other, "The newer database has no \(missing.sorted().joined(separator: ", ")) in \(table).",
                    hint: "Restore a backup from before the update.")
            }
            let list = ours.map { "\"\($0)\"" }.joined(separator: ", ")
            try db.execute(sql: "DELETE FROM main.\"\(table)\"")
            try db.execute(sql: "INSERT INTO main.\"\(table)\" (\(list)) SELECT \(list) FROM newer.\"\(table)\"")
        }
        try carryNumbers(db)
        for trigger in triggers { try db.execute(sql: try trigger.text("sql")) }
        guard try Row.fetchOne(db, sql: "PRAGMA main.foreign_key_check") == nil else {
            throw StoreError(
                .other, "Rows of the newer database refer to what this version doesn't know.",
                hint: "Restore a backup from before the update.")
        }
    }

    private static func tables(_ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND \(notOurs)")
    }

    private static func columns(_ db: Database, _ schema: String, _ table: String) throws -> [String] {
        // A generated column is not written.
        try String.fetchAll(
            db, sql: "SELECT name FROM pragma_table_xinfo(?, ?) WHERE hidden = 0", arguments: [table, schema])
    }

    /// No number is given twice.
    private static func carryNumbers(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM main.sqlite_sequence")
        try db.execute(
            sql: """
                INSERT INTO main.sqlite_sequence (name, seq) SELECT name, seq FROM newer.sqlite_sequence
                WHERE name IN (SELECT name FROM main.sqlite_schema WHERE type = 'table')
                """)
    }
}
