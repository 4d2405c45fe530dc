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

    /// How long an answer may take; nil waits for ever. The server's own limit of a statement doesn't help where the server has stopped.
    private let answerLimitSeconds: Double?

    /// An answer did not come in time: what would come later belongs to no question.
    private var isGivenUp = false

    /// Opens a connection. `url` is a connection string or URI as libpq takes it; where it says nothing of `connect_timeout`,
    /// `connectLimitSeconds` counts.
    package init(
        url: String, answerLimitSeconds: Double? = nil, connectLimitSeconds: Int = 10
    ) throws(PostgresError) {
        self.answerLimitSeconds = answerLimitSeconds
        // What stands later counts: the URL's own word.
        let words = ["connect_timeout", "dbname", "\(connectLimitSeconds)", url].map { (word: String) in strdup(word) }
        defer { for word in words { free(word) } }
        let names: [UnsafePointer<CChar>?] = [UnsafePointer(words[0]), UnsafePointer(words[1]), nil]
        let values: [UnsafePointer<CChar>?] = [UnsafePointer(words[2]), UnsafePointer(words[3]), nil]
        guard let handle = PQconnectdbParams(names, values, 1) else { throw PostgresError(message: "out of memory") }
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
        PQsetnonblocking(handle, 1)
    }

    deinit {
        PQfinish(handle)
    }

    package var isUsable: Bool {
        !isGivenUp && PQstatus(handle) == CONNECTION_OK
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
    ///
    /// - Parameter seconds: how long the answer to this one may take, where the connection's own limit is longer.
    @discardableResult
    package func run(
        _ sql: String, _ parameters: [String?] = [], withinSeconds seconds: Double? = nil
    ) throws(PostgresError) -> PostgresRows {
        // libpq takes C strings, which end at the first zero: such a text would arrive shortened.
        for case let parameter? in parameters where parameter.utf8.contains(0) {
            throw PostgresError(sqlState: "22021", message: "a text must not contain the character zero")
        }
        let copies = parameters.map { $0.map { strdup($0) } }
        defer { for copy in copies { free(copy ?? nil) } }
        var values = copies.map { UnsafePointer($0 ?? nil) }
        let isSent = PQsendQueryParams(handle, sql, Int32(parameters.count), nil, &values, nil, nil, 0)
        let result = try answer(isSent, within: seconds)
        defer { PQclear(result) }
        return try rows(result)
    }

    /// Runs a script of any number of statements, without parameters. Only for SQL of our own.
    package func runScript(_ sql: String) throws(PostgresError) {
        let result = try answer(PQsendQuery(handle, sql))
        defer { PQclear(result) }
        _ = try rows(result)
    }

    /// Waits for the answer to what was sent.
    ///
    /// - Returns: the last result, as of a script whose first mistake ends it.
    private func answer(_ isSent: Int32, within seconds: Double? = nil) throws(PostgresError) -> OpaquePointer? {
        guard !isGivenUp else { throw Self.givenUp }
        guard isSent == 1 else { throw error(nil) }
        let deadline = (seconds ?? answerLimitSeconds).map { ContinuousClock.now + .seconds($0) }
        var last: OpaquePointer?
        while isAnswered(by: deadline) {
            guard let next = PQgetResult(handle) else { return last }
            PQclear(last)
            last = next
        }
        PQclear(last)
        isGivenUp = true
        throw Self.givenUp
    }

    /// Waits until the next result is there, or what is wrong with the connection; false when it doesn't come in time.
    private func isAnswered(by deadline: ContinuousClock.Instant?) -> Bool {
        while true {
            let left = PQflush(handle)
            // What is wrong with the connection stands in the next result.
            guard left >= 0, left > 0 || PQisBusy(handle) == 1 else { return true }
            let events = POLLIN | (left > 0 ? POLLOUT : 0)
            var waiting = pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
            // A second at a time, so that a clock that stood still is noticed.
            let seconds = min(1, deadline.map { ($0 - ContinuousClock.now) / .seconds(1) } ?? 1)
            guard seconds > 0 else { return false }
            guard poll(&waiting, 1, Int32((seconds * 1000).rounded(.up))) > 0 else { continue }
            if waiting.revents & ~Int16(POLLOUT) != 0, PQconsumeInput(handle) == 0 { return true }
        }
    }

    private static let givenUp = PostgresError(
        message: "the database does not answer",
        hint: "Look at the cluster: its log, its disk, and what the machine does.")

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
        } catch {
            guard error.isConnectionLoss, !isGivenUp else { throw error }
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
