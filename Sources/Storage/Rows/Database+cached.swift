import GRDB

// Texts of SQL that are constants of the program are parsed and planned once a connection, not at each call: that was two thirds of
// the time of a short query. `StaticString` keeps it bounded, since a text that is put together at run time can't come here. What is put
// together of constants, in a few ways at most, is said to be so: `composed`.

extension Database {
    /// Runs one statement for what it changes.
    func execute(cached sql: StaticString, arguments: StatementArguments = StatementArguments()) throws {
        try cachedStatement(sql: sql.description).execute(arguments: arguments)
    }
}

extension Row {
    static func fetchAll(
        _ db: Database, cached sql: StaticString, arguments: StatementArguments = StatementArguments()
    ) throws -> [Row] {
        try fetchAll(db.cachedStatement(sql: sql.description), arguments: arguments)
    }

    static func fetchAll(
        _ db: Database, composed sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Row] {
        try fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
    }

    static func fetchOne(
        _ db: Database, composed sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Row? {
        try fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }

    static func fetchOne(
        _ db: Database, cached sql: StaticString, arguments: StatementArguments = StatementArguments()
    ) throws -> Row? {
        try fetchOne(db.cachedStatement(sql: sql.description), arguments: arguments)
    }
}

extension DatabaseValueConvertible {
    static func fetchAll(
        _ db: Database, cached sql: StaticString, arguments: StatementArguments = StatementArguments()
    ) throws -> [Self] {
        try fetchAll(db.cachedStatement(sql: sql.description), arguments: arguments)
    }

    static func fetchOne(
        _ db: Database, cached sql: StaticString, arguments: StatementArguments = StatementArguments()
    ) throws -> Self? {
        try fetchOne(db.cachedStatement(sql: sql.description), arguments: arguments)
    }
}
