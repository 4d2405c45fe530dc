import Console
import Enforcement
import Foundation
import Synchronizer

/// Asks the park's server whether somebody may use the console: a first sign-in, or a password that was changed there.
struct ServerSignIn: Sendable {
    let server: Configuration.Server

    private static let patience = TimeSpan.seconds(10)

    func ask(_ name: String, _ password: String) async -> ServerVerdict {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: askAndWait(name, password)) }
        }
    }

    /// A name without a domain has that of the box's own account.
    private func email(_ name: String) -> String {
        guard !name.contains("@"), let at = server.email.firstIndex(of: "@") else { return name }
        return name + server.email[at...]
    }

    private func askAndWait(_ name: String, _ password: String) -> ServerVerdict {
        struct Token: Decodable {
            struct User: Decodable { let id: String }
            let accessToken: String
            let user: User
        }
        struct Profile: Decodable {
            let fullName: String
            let role: String
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let transport = CurlTransport(url: server.url, certificateFile: server.caFile)
        var headers = ["Content-Type": "application/json", "Accept": "application/json"]
        headers["apikey"] = server.anonKey
        let body = try? JSONEncoder().encode(["email": email(name), "password": password])
        let signIn = SyncRequest(
            .post, "/auth/v1/token", query: [("grant_type", "password")], headers: headers, body: body,
            timeout: Self.patience)
        guard case .answered(let answer) = transport.perform(signIn) else { return .unreachable }
        if answer.status == 400 || answer.status == 401 || answer.status == 422 { return .refused }
        guard answer.status == 200, let token = try? decoder.decode(Token.self, from: answer.body) else {
            return .unreachable
        }
        headers["Authorization"] = "Bearer \(token.accessToken)"
        let profile = SyncRequest(
            .get, "/rest/v1/user_profiles",
            query: [("id", "eq.\(token.user.id)"), ("select", "full_name,role"), ("is_active", "is.true")],
            headers: headers, timeout: Self.patience)
        guard case .answered(let known) = transport.perform(profile), known.status == 200 else { return .unreachable }
        guard let found = try? decoder.decode([Profile].self, from: known.body).first else { return .refused }
        return .accepted(fullName: found.fullName, isTechnician: found.role == "admin")
    }
}
