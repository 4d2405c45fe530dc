import Foundation

/// What came of asking the server something.
package enum ServerExchange: Sendable, Equatable {
    case answered(ServerAnswer)
    /// No answer that could be read to its end: no route, no name, refused, timed out, cut off. The text says which.
    case silent(String)

    /// See ``ServerAnswer/hiding(_:)``.
    package func hiding(_ secrets: [Secret]) -> ServerExchange {
        guard case .answered(let answer) = self else { return self }
        return .answered(answer.hiding(secrets))
    }
}

/// An answer over HTTP, as far as it matters here.
package struct ServerAnswer: Sendable, Equatable {
    package var status: Int
    /// The field `Retry-After`, as it was sent.
    package var retryAfter: String?
    /// The field `Date`, as it was sent.
    package var date: String?
    package var body: Data

    package init(status: Int, retryAfter: String? = nil, date: String? = nil, body: Data = Data()) {
        self.status = status
        self.retryAfter = retryAfter
        self.date = date
        self.body = body
    }

    /// The answer without texts that nobody may see, for a server that repeats in an error what it was asked with: what it says there
    /// is shown and logged.
    package func hiding(_ secrets: [Secret]) -> ServerAnswer {
        guard status >= 400, !body.isEmpty else { return self }
        var text = String(decoding: body, as: UTF8.self)
        // Shorter ones stand in many words.
        for secret in secrets where secret.revealed.count >= 4 {
            text = text.replacingOccurrences(of: secret.revealed, with: Secret.mask)
        }
        var answer = self
        answer.body = Data(text.utf8)
        return answer
    }

    /// The body as JSON; nil when it is none.
    package var json: Any? {
        body.isEmpty ? nil : try? JSONSerialization.jsonObject(with: body, options: [.fragmentsAllowed])
    }

    /// Whether the park's server can have written this. A captive portal answers with a page of its own and any status.
    ///
    /// Well-formed is JSON, or nothing where nothing is an answer: created, no content, an error.
    package var isWellFormed: Bool {
        guard (200..<300).contains(status) || (400..<600).contains(status) else { return false }
        if body.isEmpty { return status == 201 || status == 204 || status >= 400 }
        return json != nil
    }

    /// Whether the link counts as online after it: well-formed and no failure of the server.
    package var showsLink: Bool { isWellFormed && status < 500 }

    /// The server's word for the error: an SQLSTATE, or a name such as `PGRST204`.
    package var errorCode: String? {
        guard let object = json as? [String: Any] else { return nil }
        return (object["code"] as? String) ?? (object["error_code"] as? String)
    }

    /// What an operator reads about an answer that is no success: `409: duplicate key value …`.
    package var summary: String {
        let object = json as? [String: Any]
        let keys = ["message", "msg", "error_description", "error"]
        let said = keys.lazy.compactMap { object?[$0] as? String }.first
        guard let said, !said.isEmpty else { return "status \(status)" }
        let code = errorCode.map { " (\($0))" } ?? ""
        return "\(status)\(code): \(String(said.prefix(300)))"
    }
}

/// What an exchange means for what was sent.
package enum Verdict: Sendable, Equatable {
    case accepted
    /// The server has it already.
    case duplicate
    /// The server refuses this record, and will again.
    case refused(String)
    /// Nothing was asked: the box itself can't write the record as a request.
    case unsendable(String)
    /// Something on the way, and not the server, finds what was sent too long: less at a time may pass.
    case tooLong(String)
    /// Sign in again.
    case unauthorised
    /// Either the record or the account may not: one has to look.
    case forbidden(String)
    /// The server, or something in its place, is not well; later it may be.
    case unwell(String, retryAfter: TimeSpan?)
    /// No answer: the link counts as down.
    case silent(String)

    /// - Parameters:
    ///   - identities: the columns by which the server recognises a record that it has: an answer 409 with code 23505 on
    ///     another column is a refusal.
    ///   - now: the box's clock, for a `Retry-After` that is a date.
    package init(_ exchange: ServerExchange, identities: [String], at now: Instant) {
        switch exchange {
        case .silent(let reason): self = .silent(reason)
        case .answered(let answer): self.init(answer, identities: identities, at: now)
        }
    }

    private init(_ answer: ServerAnswer, identities: [String], at now: Instant) {
        // What stands before a server refuses a long body by itself, with a page of its own or with nothing. The server says it in JSON.
        if answer.status == 413, answer.json == nil {
            self = .tooLong("status 413 without the server's words: something on the way takes no body of this length")
            return
        }
        guard answer.isWellFormed else {
            self = .unwell(Self.nonsense(answer), retryAfter: nil)
            return
        }
        switch answer.status {
        case 200..<300: self = .accepted
        case 401: self = .unauthorised
        case 403: self = .forbidden(answer.summary)
        case 409: self = Self.conflict(answer, identities)
        case 400, 404, 413, 422: self = .refused(answer.summary)
        default: self = .unwell(answer.summary, retryAfter: RetryAfter.span(answer, at: now))
        }
    }

    private static func nonsense(_ answer: ServerAnswer) -> String {
        if (300..<400).contains(answer.status) { return "status \(answer.status): the address sends elsewhere" }
        let start = String(decoding: answer.body.prefix(200), as: UTF8.self).lowercased()
        let isPage = start.contains("<html") || start.contains("<!doctype")
        return "status \(answer.status) with \(isPage ? "a web page" : "no JSON") instead of the server's answer"
    }

    /// A conflict with a record that is there already, under the column that recognises it or another, or with a rule. An answer
    /// that doesn't say which is none of the park's server: nothing is concluded from it.
    private static func conflict(_ answer: ServerAnswer, _ identities: [String]) -> Verdict {
        // What is no record, a match for one, conflicts in words of its own.
        guard !identities.isEmpty else { return .refused(answer.summary) }
        guard let code = answer.errorCode, code.utf8.count == 5, let object = answer.json as? [String: Any] else {
            return .unwell(answer.summary, retryAfter: nil)
        }
        let said = ["message", "details"].compactMap { object[$0] as? String }.joined(separator: " ")
        guard code == "23505" else { return .refused(answer.summary) }
        // `vehicle_passages_client_id_key` or `Key (client_id)=(…)`: the name stands alone or between other words.
        if identities.contains(where: said.contains) { return .duplicate }
        let namesAnother = said.contains("Key (") || said.contains("_key") || said.contains("_pkey")
        return namesAnother ? .refused(answer.summary) : .unwell(answer.summary, retryAfter: nil)
    }
}
