import Enforcement
import Foundation
import GRDB

/// A damaged file, of which is read what can be read. It is left as it is.
struct DamagedDatabase {
    private let queue: DatabaseQueue

    /// Rows of one step.
    private static let chunk = 200

    /// A row that can't be read lies on a page that can't: the next ones are passed over in longer and longer steps.
    private static let longestJump: Int64 = 1024
    private static let mostJumps = 4000

    /// - Throws: `DatabaseError` when not even its first page makes sense.
    init(path: String) throws {
        // Otherwise its log would be written into it at the end.
        var configuration = Configuration()
        configuration.readonly = true
        queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.read { _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
    }

    func close() { try? queue.close() }

    /// Hands over the rows of a table, some at a time, in the order in which they were written.
    ///
    /// - Parameter goesOn: asked before each step.
    /// - Returns: whether all of it could be read.
    func read(_ table: String, while goesOn: () -> Bool = { true }, _ take: ([Row]) throws -> Void) throws -> Bool {
        // One of an older version lacks some.
        if let isThere = try? queue.read({ try $0.tableExists(table) }), !isThere { return true }
        // A table without such numbers has no such column.
        let hasRowID = (try? queue.read { _ = try $0.makeStatement(sql: "SELECT rowid FROM \(table)") }) != nil
        return try hasRowID ? readByRowID(table, goesOn, take) : readFromBothEnds(table, goesOn, take)
    }

    private func readByRowID(_ table: String, _ goesOn: () -> Bool, _ take: ([Row]) throws -> Void) throws -> Bool {
        var (after, size, jump, jumps) = (Int64(0), Self.chunk, Int64(1), 0)
        while goesOn(), jumps < Self.mostJumps {
            let rows: [Row]
            do {
                rows = try queue.read { db in
                    try Row.fetchAll(
                        db,
                        sql: "SELECT rowid AS salvage_rowid, * FROM \(table) WHERE rowid > ? ORDER BY rowid LIMIT ?",
                        arguments: [after, size])
                }
            } catch let error as DatabaseError where error.resultCode != .SQLITE_FULL {
                if size > 1 {
                    size = max(1, size / 10)
                } else {
                    (after, jump, jumps) = (after + jump, min(jump * 2, Self.longestJump), jumps + 1)
                }
                continue
            }
            guard let last = rows.last else { return jumps == 0 }
            try take(rows)
            after = last["salvage_rowid"]
            // Behind a bad page the good ones are read in full steps again.
            (size, jump) = (Self.chunk, 1)
        }
        return false
    }

    /// Without numbers nothing can be passed over: what stands before the first bad page is read, and what stands behind the last.
    private func readFromBothEnds(_ table: String, _ goesOn: () -> Bool, _ take: ([Row]) throws -> Void) throws -> Bool
    {
        for order in ["ASC", "DESC"] {
            var rows: [Row] = []
            var isWhole = false
            do {
                try queue.read { db in
                    let key = try db.primaryKey(table).columns.map { "\"\($0)\" \(order)" }.joined(separator: ", ")
                    let cursor = try Row.fetchCursor(db, sql: "SELECT * FROM \(table) ORDER BY \(key)")
                    while goesOn(), let row = try cursor.next() { rows.append(row.copy()) }
                    isWhole = goesOn()
                }
            } catch is DatabaseError {
                isWhole = false
            }
            for start in stride(from: 0, to: rows.count, by: Self.chunk) {
                try take(Array(rows[start..<min(start + Self.chunk, rows.count)]))
            }
            if isWhole { return true }
        }
        return false
    }

    /// One row by its key; nil when it isn't there, or can't be read.
    func row(_ sql: String, _ key: String) -> Row? {
        try? queue.read { try Row.fetchOne($0, sql: sql, arguments: [key]) }
    }
}
