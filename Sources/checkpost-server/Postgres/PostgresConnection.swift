import CPostgres
import Foundation

/// Rows as PostgreSQL wrote them: text, or nil for null.
package struct PostgresRows: Sendable, Equatable {
    package var columns: [String] = []
    package var rows: [[String?]] = []
    /// How many rows a command changed.
    package var affected = 0

    /// The one value of a one-row, one-column answer.
    package var scalar: String? {
        rows.first?.first ?? nil
    }
}

/// One connection through libpq. Every call blocks, so it belongs to one thread at a time.
package final class PostgresConnection {
    private let handle: OpaquePointer

    /// Opens a connection. `url` is a connection string or URI as libpq takes it.
    package init(url: String) throws(PostgresError) {
        guard let handle = PQconnectdb(url) else { throw PostgresError(message: "out of memory") }
        guard PQstatus(handle) == CONNECTION_OK else {
            let message = String(cString: PQerrorMessage(handle)).trimmedLine
            PQfinish(handle)
            throw PostgresError(
                message: "no connection to PostgreSQL: \(message)",
                hint: "Check database.url in the configuration, and that the cluster is running.")
        }
        self.handle = handle
        // Notices are for people at a terminal; here they would be noise on standard error.
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
    }

    deinit {
        PQfinish(handle)
    }

    package var isUsable: Bool {
        PQstatus(handle) == CONNECTION_OK
    }

    /// Whether the server still holds its end. Reads what has arrived without asking anything; an end of file shows a
    /// server that went away while the connection was idle.
    package var isAlive: Bool {
        // The first reading may find a last message of the server, the second the end.
        PQconsumeInput(handle) == 1 && PQconsumeInput(handle) == 1 && isUsable
    }

    /// True between `begin` and the end of the transaction.
    package var isInTransaction: Bool {
        PQtransactionStatus(handle) != PQTRANS_IDLE
    }

    /// Runs one statement with parameters `$1`, `$2`, … as text; PostgreSQL gives them the type that the statement says.
    @discardableResult
    package func run(_ sql: String, _ parameters: [String?] = []) throws(PostgresError) -> PostgresRows {
        // libpq takes C strings, which end at the first zero: such a text would arrive shortened.
        for case let parameter? in parameters where parameter.utf8.contains(0) {
            throw PostgresError(sqlState: "22021", message: "a text must not contain the character zero")
        }
        let copies = parameters.map { $0.map { strdup($0) } }
        defer { for copy in copies { free(copy ?? nil) } }
        var values = copies.map { UnsafePointer($0 ?? nil) }
        let result = PQexecParams(handle, sql, Int32(parameters.count), nil, &values, nil, nil, 0)
        defer { PQclear(result) }
        return try rows(result)
    }

    /// Runs a script of any number of statements, without parameters. Only for SQL of our own.
    package func runScript(_ sql: String) throws(PostgresError) {
        let result = PQexec(handle, sql)
        defer { PQclear(result) }
        _ = try rows(result)
    }

    private func rows(_ result: OpaquePointer?) throws(PostgresError) -> PostgresRows {
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK:
            break
        case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
            return PostgresRows(affected: Int(String(cString: PQcmdTuples(result))) ?? 0)
        default:
            throw error(result)
        }
        let columnCount = PQnfields(result)
        var answer = PostgresRows(affected: Int(String(cString: PQcmdTuples(result))) ?? 0)
        answer.columns = (0..<columnCount).map { String(cString: PQfname(result, $0)) }
        answer.rows.reserveCapacity(Int(PQntuples(result)))
        for row in 0..<PQntuples(result) {
            answer.rows.append(
                (0..<columnCount).map { column in
                    PQgetisnull(result, row, column) == 1 ? nil : String(cString: PQgetvalue(result, row, column))
                })
        }
        return answer
    }

    private func error(_ result: OpaquePointer?) -> PostgresError {
        func field(_ code: Character) -> String? {
            PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
        }
        // The codes are PG_DIAG_SQLSTATE, _MESSAGE_PRIMARY, _MESSAGE_DETAIL and _MESSAGE_HINT of postgres_ext.h.
        return PostgresError(
            sqlState: isUsable ? field("C") : nil,
            message: field("M") ?? String(cString: PQerrorMessage(handle)).trimmedLine,
            detail: field("D"), hint: field("H"))
    }
}

extension PostgresConnection {
    /// The connection was lost before a transaction began: whoever asked may ask again on another one.
    package struct NothingBegun: Error {
        package var cause: PostgresError
    }

    /// Runs `body` in a transaction: commits when it returns, rolls back when it throws.
    package func transaction<Value>(
        readsOnly: Bool = false, _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        let beginning =
            readsOnly ? "begin isolation level read committed read only" : "begin isolation level read committed"
        do {
            try run(beginning)
        } catch  where error.isConnectionLoss {
            throw NothingBegun(cause: error)
        }
        do {
            let value = try body(self)
            try run("commit")
            return value
        } catch {
            // When the connection is gone the server rolls back by itself.
            _ = try? run("rollback")
            throw error
        }
    }
}

extension String {
    /// The text in one line: libpq ends its messages with a line break and sometimes breaks them.
    fileprivate var trimmedLine: String {
        split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
