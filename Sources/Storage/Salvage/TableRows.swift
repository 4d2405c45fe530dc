import GRDB

/// Rows of a table, to be written into the same table of another database, which may be of another version.
struct TableRows {
    var columns: [String]
    var rows: [[DatabaseValue]]
    var count: Int { rows.count }

    init(columns: [String], rows: [[DatabaseValue]]) {
        (self.columns, self.rows) = (columns, rows)
    }

    /// Rows that were read by one statement.
    init(_ rows: [Row]) {
        columns = rows.first.map { Array($0.columnNames) } ?? []
        self.rows = rows.map { Array($0.databaseValues) }
    }

    mutating func replace(_ column: String, _ old: SightingState, by new: SightingState) {
        guard let index = columns.firstIndex(of: column) else { return }
        for row in rows.indices where rows[row][index] == old.rawValue.databaseValue {
            rows[row][index] = new.rawValue.databaseValue
        }
    }

    static func all(_ db: Database, _ table: String) throws -> TableRows {
        let columns = try db.columns(in: table).map(\.name)
        let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        let rows = try Row.fetchAll(db, sql: "SELECT \(list) FROM \(table)").map { Array($0.databaseValues) }
        return TableRows(columns: columns, rows: rows)
    }

    /// Columns that aren't there are left out.
    ///
    /// - Parameter replacing: whether a row that is there gives way; otherwise it stays.
    /// - Returns: how many were written. A row that the schema refuses is left out.
    @discardableResult
    func write(_ db: Database, into table: String, replacing: Bool) throws -> Int {
        let there = Set(try db.columns(in: table).map(\.name))
        let used = columns.indices.filter { there.contains(columns[$0]) }
        guard !used.isEmpty else { return 0 }
        let list = used.map { "\"\(columns[$0])\"" }.joined(separator: ", ")
        let marks = used.map { _ in "?" }.joined(separator: ", ")
        let sql = "INSERT OR \(replacing ? "REPLACE" : "IGNORE") INTO \(table) (\(list)) VALUES (\(marks))"
        var statement = try db.makeStatement(sql: sql)
        return try rows.count { row in
            do {
                try statement.execute(arguments: StatementArguments(used.map { row[$0] }))
                return db.changesCount > 0
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                // A statement that failed tells its failure once more to the next row, which would be left out with this one.
                statement = try db.makeStatement(sql: sql)
                return false
            }
        }
    }
}
