import HTTPTypes

/// An answer that is not what the client asked for. Which JSON it becomes depends on the part of the API: see ``ErrorShape``.
package struct APIError: Error, Sendable, Equatable {
    package var status: HTTPResponse.Status
    /// SQLSTATE, or a name such as PGRST204 or `invalid_credentials`.
    package var code: String
    package var message: String
    package var details: String?
    package var hint: String?
    /// Seconds after which the client may try again.
    package var retryAfterSeconds: Int?
    /// The methods that a path has, for a request with another one.
    package var allowed: [String] = []

    package init(
        _ status: HTTPResponse.Status, _ code: String, _ message: String, details: String? = nil, hint: String? = nil,
        retryAfterSeconds: Int? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        self.hint = hint
        self.retryAfterSeconds = retryAfterSeconds
    }

    /// The request can't be understood: the code that PostgREST gives to a query it can't parse.
    package static func badQuery(_ message: String, details: String? = nil) -> APIError {
        APIError(.badRequest, "PGRST100", message, details: details)
    }

    package static func badBody(_ message: String) -> APIError {
        APIError(.badRequest, "PGRST102", message)
    }

    package static func badMethod(_ method: HTTPRequest.Method, allowed: [String]) -> APIError {
        var error = APIError(.methodNotAllowed, "PGRST117", "Unsupported HTTP method: \(method.rawValue.prefix(20))")
        error.allowed = allowed
        return error
    }

    package static let unavailable = APIError(
        .serviceUnavailable, "PGRST000", "The database can't be reached now.", retryAfterSeconds: 5)
}

extension APIError {
    /// What a client is told about an error of PostgreSQL.
    ///
    /// The statuses are PostgREST's, with one difference: where it answers 500 for something that the client sent (a query
    /// that is too deep or takes too long), this answers 400 or 503.
    package init(_ error: PostgresError, isAnonymous: Bool) {
        guard let state = error.sqlState, !error.isConnectionLoss else {
            self = .unavailable
            return
        }
        self.init(
            Self.status(state, isAnonymous: isAnonymous), state, error.message, details: error.detail, hint: error.hint)
        if status == .serviceUnavailable { retryAfterSeconds = 1 }
    }

    private static func status(_ state: String, isAnonymous: Bool) -> HTTPResponse.Status {
        switch state {
        case "23503", "23505": .conflict
        // A transaction that may only read: an auditor's.
        case "25006": .forbidden
        case "42501": isAnonymous ? .unauthorized : .forbidden
        case "57014", "55P03", "53300": .serviceUnavailable
        case let state where state.hasPrefix("PT"):
            // Rules in SQL name a status of their own: PT404 is 404.
            HTTPResponse.Status(code: Int(state.dropFirst(2)).flatMap { (400..<600).contains($0) ? $0 : nil } ?? 400)
        case let state where state.hasPrefix("40") || state.hasPrefix("53"): .serviceUnavailable
        case let state where state.hasPrefix("XX") || state.hasPrefix("58") || state.hasPrefix("F0"):
            .internalServerError
        default: .badRequest
        }
    }
}
