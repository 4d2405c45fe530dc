import Enforcement
import Foundation
import ParkAPI
import Synchronizer

/// A short visit to the park's server with an account: sign in, ask, go.
///
/// It is used by one thread.
final class ServerVisit {
    /// Why it came to nothing.
    enum Stop: Error, Equatable {
        case refused
        case strange(status: Int, isJSON: Bool, url: String)
        case silent(String)

        private static func words(of status: Int) -> String {
            switch status {
            case 401, 403: "it answered with \(status): the account may not do this."
            case 429: "it was asked too often: wait a minute."
            case 500...: "it answered with \(status): it has trouble of its own. Try again later."
            default: "it answered with \(status)."
            }
        }

        /// Whether it may be another answer a moment later.
        var mayPass: Bool {
            switch self {
            case .refused: false
            case .silent: true
            // A part that was cut off is one, too.
            case .strange(let status, _, _): [206, 408, 429].contains(status) || status >= 500
            }
        }

        var isNotFound: Bool { if case .strange(404, true, _) = self { true } else { false } }

        /// For a person; the password is in none.
        var text: String {
            switch self {
            case .refused: "The server refused the account or the password."
            case .silent(let reason): "\(reason)."
            case .strange(let status, let isJSON, let url):
                isJSON
                    ? Self.words(of: status)
                    : "Something answered at \(url) that is not the park's server (\(status))."
            }
        }
    }

    let email: String
    private let url: String
    private let apiKey: String?
    private let password: Secret
    private let transport: ServerTransport
    private var token: String?

    /// The longest that an answer may take.
    private let patience: TimeSpan

    init(
        url: String, apiKey: String?, certificateFile: String?, email: String, password: Secret,
        patience: TimeSpan = .seconds(15)
    ) {
        (self.url, self.apiKey, self.email, self.password) = (url, apiKey, email, password)
        self.patience = patience
        transport = ServerTransport(url: url, certificateFile: certificateFile)
    }

    @discardableResult
    func signIn() throws(Stop) -> ServerSession {
        let request: SyncRequest
        do {
            request = try .signIn(PasswordGrant(email: email, password: password), timeout: patience)
        } catch { throw .silent("\(error)") }
        switch SignInAnswer(transport.perform(request.authorised(apiKey: apiKey, token: nil))) {
        case .signedIn(let session):
            token = session.accessToken.revealed
            return session
        case .refused: throw .refused
        case .unclear(let answer): throw strange(answer)
        case .silent(let reason): throw .silent(reason)
        }
    }

    func rows<Column, Row: Decodable>(_ query: RowQuery<Column>, _ type: Row.Type) throws(Stop) -> [Row] {
        let answer = try ask(.read(query, timeout: patience))
        guard (200..<300).contains(answer.status), let rows = try? answer.rows(Row.self) else { throw strange(answer) }
        return rows
    }

    /// The same without rows that make no sense here: a newer server may know more than this box.
    func usableRows<Column, Row: Decodable>(_ query: RowQuery<Column>, _ type: Row.Type) throws(Stop) -> [Row] {
        let answer = try ask(.read(query, timeout: patience))
        guard (200..<300).contains(answer.status), let rows = try? answer.usableRows(Row.self).rows else {
            throw strange(answer)
        }
        return rows
    }

    /// A part of something large.
    ///
    /// - Parameter range: of its bytes.
    func part(of path: String, _ range: Range<Int>, timeout: TimeSpan) throws(Stop) -> Data {
        let field = ["Range": "bytes=\(range.lowerBound)-\(range.upperBound - 1)", "Accept": "*/*"]
        var request = SyncRequest(.get, path, headers: field, timeout: timeout)
        // A proxy that passes no parts on would send all of it each time.
        request.mostAnswerBytes = range.count + (16 << 10)
        let answer = try ask(request)
        guard answer.status == 206, answer.body.count == range.count else { throw strange(answer) }
        return answer.body
    }

    private func ask(_ request: SyncRequest) throws(Stop) -> ServerAnswer {
        for isSecond in [false, true] {
            switch transport.perform(request.authorised(apiKey: apiKey, token: token)) {
            case .silent(let reason): throw .silent(reason)
            case .answered(let answer):
                // A long visit outlives its token.
                guard answer.status == 401, !isSecond else { return answer }
                try signIn()
            }
        }
        throw .refused
    }

    private func strange(_ answer: ServerAnswer) -> Stop {
        .strange(status: answer.status, isJSON: answer.isJSON, url: url)
    }
}
