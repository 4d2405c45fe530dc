import Enforcement
import Foundation

extension Verdict {
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
        if answer.status == 413, !answer.isJSON {
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
        guard let fault = answer.fault, let code = fault.code, code.utf8.count == 5 else {
            return .unwell(answer.summary, retryAfter: nil)
        }
        let said = [fault.message, fault.details].compactMap(\.self).joined(separator: " ")
        guard code == "23505" else { return .refused(answer.summary) }
        // `vehicle_passages_client_id_key` or `Key (client_id)=(…)`: the name stands alone or between other words.
        if identities.contains(where: said.contains) { return .duplicate }
        let namesAnother = said.contains("Key (") || said.contains("_key") || said.contains("_pkey")
        return namesAnother ? .refused(answer.summary) : .unwell(answer.summary, retryAfter: nil)
    }
}
