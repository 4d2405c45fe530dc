/// What PostgreSQL, or the way to it, answered instead of rows.
package struct PostgresError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The five characters of SQLSTATE; nil when no server answered.
    package var sqlState: String?
    package var message: String
    package var detail: String?
    package var hint: String?

    package init(sqlState: String? = nil, message: String, detail: String? = nil, hint: String? = nil) {
        self.sqlState = sqlState
        self.message = message
        self.detail = detail
        self.hint = hint
    }

    package var description: String {
        [message, detail.map { "(\($0))" }, hint.map { "Hint: \($0)" }, sqlState.map { "[\($0)]" }]
            .compactMap(\.self).joined(separator: " ")
    }

    /// True when the connection is gone, so that nothing more can be asked on it.
    package var isConnectionLoss: Bool {
        guard let sqlState else { return true }
        return sqlState.hasPrefix("08") || sqlState == "57P01" || sqlState == "57P02" || sqlState == "57P03"
    }

    /// True when the same transaction may well pass if it is run again: a deadlock or a serialization failure.
    package var isWorthRepeating: Bool {
        sqlState == "40P01" || sqlState == "40001"
    }
}
