import Enforcement
import Foundation
import HTTPClient

/// Speaks with the console's API for the text console. It blocks; one thread uses it.
package final class WatchClient {
    package struct Refused: Error, CustomStringConvertible {
        /// 0 where nothing answered.
        package var status: Int
        package var description: String
    }

    private struct Session: Decodable {
        var session: String
        var formToken: String
        var role: String
    }

    private struct Trouble: Decodable { var message: String }

    /// What a form of the console carries, and the cookie that goes with it; empty before a sign-in.
    var formToken: String { session?.formToken ?? "" }
    var sessionToken: String { session?.session ?? "" }

    var isTechnician: Bool { session?.role == "technician" }

    /// In which language the box answers: `en` or `ne`.
    var language: String

    private let url: String
    private let trust: HTTPTrust
    private let connection = HTTPConnection()
    private var session: Session?

    /// - Parameters:
    ///   - certificateFile: what is trusted instead of the system's certificates.
    ///   - language: in which the box answers: `en` or `ne`.
    package init(url: String, certificateFile: String? = nil, language: String = "en") {
        self.url = url
        self.language = language
        trust = HTTPTrust(certificateFile: certificateFile)
    }

    /// - Parameter secret: a password; or a PIN, which counts where the console is this machine's own.
    package func signIn(_ user: String, _ secret: Secret) throws {
        if Self.mayBePIN(secret) {
            do {
                return try signIn(user, "pin", secret)
            } catch let error as Refused where Self.mayBePassword(secret) && error.status != 0 {}
        }
        try signIn(user, "password", secret)
    }

    private func signIn(_ user: String, _ way: String, _ secret: Secret) throws {
        session = try decode(Session.self, send(.post, "/api/sign-in", ["user": user, way: secret.revealed]))
    }

    /// A PIN has 4 to 8 digits.
    static func mayBePIN(_ secret: Secret) -> Bool {
        (4...8).contains(secret.revealed.utf8.count) && secret.revealed.utf8.allSatisfy { 48...57 ~= $0 }
    }

    /// No server takes a password of less than six characters: what is shorter is asked about once, and counts once when it is wrong.
    private static func mayBePassword(_ secret: Secret) -> Bool { secret.revealed.utf8.count >= 6 }

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
        var headers = ["Content-Type": "application/json", "Cookie": "checkpost_language=\(language)"]
        if let session {
            headers["Cookie", default: ""] += "; checkpost_session=\(session.session)"
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
