import Enforcement
import GRDB

/// What somebody far away needs to know of the database, without what is in it.
package struct SupportTable: Table {
    let store: Store
}

extension Store {
    package var support: SupportTable { SupportTable(store: self) }
}

extension SupportTable {
    /// How many rows each table has, by its name.
    package func rowCounts() throws -> [(table: String, rows: Int)] {
        try read("Counting rows") { db in
            try Self.tables(db).map { table in
                (table, try Int.fetchOne(db, sql: "SELECT count(*) FROM \"\(table)\"") ?? 0)
            }
        }
    }

    /// The steps of the schema that this database has.
    package func migrations() throws -> [String] {
        try read("Reading the schema's steps") { db in
            try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
        }
    }

    /// What SQLite finds wrong with the file; empty when it is whole.
    package func damage() throws -> [String] {
        try read("Checking the database") { db in
            let findings = try String.fetchAll(db, sql: "PRAGMA quick_check(20)")
            return findings == ["ok"] ? [] : findings
        }
    }

    /// Every plate on record, as it was read, typed or told: what any column holds whose name says that it is a plate.
    package func plates() throws -> Set<String> {
        try read("Reading plates") { db in
            var plates: Set<String> = []
            for table in try Self.tables(db) {
                let columns = try String.fetchAll(
                    db, sql: "SELECT name FROM pragma_table_info(?) WHERE name LIKE '%plate%'", arguments: [table])
                for column in columns {
                    let values = try Row.fetchCursor(
                        db, sql: "SELECT DISTINCT \"\(column)\" FROM \"\(table)\" WHERE typeof(\"\(column)\") = 'text'")
                    while let row = try values.next() { plates.insert(row[0]) }
                }
            }
            return plates
        }
    }

    private static func tables(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                    AND name <> 'grdb_migrations' ORDER BY name
                """)
    }
}
