import Enforcement
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
    package let body: Data

    /// Whether the body is JSON, of whatever shape. It is found out once: all that is concluded from an answer asks for it.
    package let isJSON: Bool

    package init(status: Int, retryAfter: String? = nil, date: String? = nil, body: Data = Data()) {
        self.status = status
        self.retryAfter = retryAfter
        self.date = date
        self.body = body
        isJSON = !body.isEmpty && (try? JSONSerialization.jsonObject(with: body, options: [.fragmentsAllowed])) != nil
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
        return ServerAnswer(status: status, retryAfter: retryAfter, date: date, body: Data(text.utf8))
    }

    /// Whether the park's server can have written this. A captive portal answers with a page of its own and any status.
    ///
    /// Well-formed is JSON, or nothing where nothing is an answer: created, no content, an error.
    package var isWellFormed: Bool {
        guard (200..<300).contains(status) || (400..<600).contains(status) else { return false }
        if body.isEmpty { return status == 201 || status == 204 || status >= 400 }
        return isJSON
    }

    /// Whether the link counts as online after it: well-formed and no failure of the server.
    package var showsLink: Bool { isWellFormed && status < 500 }

    /// The server's words about an error; nil when the body is no JSON object.
    package var fault: ServerFault? { try? JSONDecoder().decode(ServerFault.self, from: body) }

    /// The server's word for the error: an SQLSTATE, or a name such as `PGRST204`.
    package var errorCode: String? { fault?.code }

    /// What an operator reads about an answer that is no success: `409: duplicate key value …`.
    package var summary: String {
        guard let fault, let said = fault.said, !said.isEmpty else { return "status \(status)" }
        let code = fault.code.map { " (\($0))" } ?? ""
        return "\(status)\(code): \(String(said.prefix(300)))"
    }
}
