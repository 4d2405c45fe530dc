import Enforcement
import Foundation
import HTTPClient

/// Speaks with the console's API for the text console. It blocks; one thread uses it.
package final class WatchClient {
    struct Refused: Error, CustomStringConvertible {
        var status: Int
        var description: String
    }

    private struct Session: Decodable {
        var session: String
        var formToken: String
    }

    private struct Trouble: Decodable { var message: String }

    /// What a form of the console carries, and the cookie that goes with it; empty before a sign-in.
    var formToken: String { session?.formToken ?? "" }
    var sessionToken: String { session?.session ?? "" }

    private let url: String
    private let trust: HTTPTrust
    private let connection = HTTPConnection()
    private var session: Session?

    /// - Parameter certificateFile: what is trusted instead of the system's certificates.
    package init(url: String, certificateFile: String? = nil) {
        self.url = url
        trust = HTTPTrust(certificateFile: certificateFile)
    }

    package func signIn(_ user: String, _ password: Secret) throws {
        session = try decode(
            Session.self, send(.post, "/api/sign-in", ["user": user, "password": password.revealed]))
    }

    func signOut() { _ = try? send(.post, "/api/sign-out", [:]) }

    func get<Value: Decodable>(_ type: Value.Type, _ path: String, query: [(String, String)] = []) throws -> Value {
        try decode(type, send(.get, "/api/" + path, nil, query: query))
    }

    @discardableResult
    func post(_ path: String, _ fields: [String: String]) throws -> [String: String] {
        try decode([String: String].self, send(.post, "/api/" + path, fields))
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ fields: [String: String]?, query: [(String, String)] = []
    ) throws -> Data {
        var headers = ["Content-Type": "application/json"]
        if let session {
            headers["Cookie"] = "checkpost_session=\(session.session)"
            headers["X-Form-Token"] = session.formToken
        }
        let request = HTTPRequest(
            method, HTTPAddress.url(url, HTTPAddress.path(path, query: query)), headers: headers,
            body: try fields.map { try JSONEncoder().encode($0) }, trust: trust,
            limits: HTTPLimits(total: .seconds(10)))
        let answer: HTTPAnswer
        do { answer = try connection.perform(request) } catch { throw Refused(status: 0, description: error.cause) }
        guard answer.status == 200 else {
            let said = (try? JSONDecoder().decode(Trouble.self, from: answer.body))?.message
            throw Refused(status: answer.status, description: said ?? "answer \(answer.status)")
        }
        return answer.body
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: data)
    }
}
