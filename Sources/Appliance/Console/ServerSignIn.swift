import Console
import Enforcement
import Foundation
import Synchronizer

/// Asks the park's server whether somebody may use the console: at each sign-in with a password. `SyncEngine` asks again while they do.
struct ServerSignIn: Sendable {
    let server: Configuration.Server

    /// Rangers of another post don't sign in here.
    let checkpostCode: String

    private static let patience = TimeSpan.seconds(10)

    func ask(_ name: String, _ password: Secret) async -> ServerVerdict {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: askAndWait(name, password)) }
        }
    }

    private func askAndWait(_ name: String, _ password: Secret) -> ServerVerdict {
        struct Token: Decodable {
            struct User: Decodable { let id: String }
            let accessToken: String
            let user: User
        }
        struct Profile: Decodable {
            let fullName: String
            let role: String
            let assignedCheckpostId: UUID?
        }
        struct Post: Decodable { let code: String }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let transport = ServerTransport(url: server.url, certificateFile: server.caFile)
        func ask(_ request: SyncRequest, token: String? = nil) -> ServerExchange {
            transport.perform(request.authorised(apiKey: server.anonKey, token: token))
        }
        let body = try? JSONEncoder().encode([
            "email": AccountName.email(name, besides: server.email), "password": password.revealed,
        ])
        let signIn = SyncRequest(
            .post, "/auth/v1/token", query: [("grant_type", "password")], body: body,
            timeout: Self.patience)
        guard case .answered(let answer) = ask(signIn) else { return .unreachable }
        if answer.status == 400 || answer.status == 401 || answer.status == 403 || answer.status == 422 {
            return .refused
        }
        guard answer.status == 200, let token = try? decoder.decode(Token.self, from: answer.body) else {
            return .unreachable
        }
        let profile = SyncRequest(
            .get, "/rest/v1/user_profiles",
            query: [
                ("id", "eq.\(token.user.id)"), ("select", "full_name,role,assigned_checkpost_id"),
                ("is_active", "is.true"),
            ],
            timeout: Self.patience)
        guard case .answered(let known) = ask(profile, token: token.accessToken), known.status == 200 else {
            return .unreachable
        }
        guard let profiles = try? decoder.decode([Profile].self, from: known.body) else { return .unreachable }
        // A deactivated account sees no profile.
        guard let found = profiles.first else { return .closed }
        if found.role != "admin" {
            guard let post = found.assignedCheckpostId else { return .closed }
            let asked = SyncRequest(
                .get, "/rest/v1/checkposts", query: [("id", "eq.\(post.uuidString.lowercased())"), ("select", "code")],
                timeout: Self.patience)
            guard case .answered(let posts) = ask(asked, token: token.accessToken), posts.status == 200,
                let codes = try? decoder.decode([Post].self, from: posts.body)
            else { return .unreachable }
            guard codes.first?.code == checkpostCode else { return .closed }
        }
        return .accepted(fullName: found.fullName, isTechnician: found.role == "admin")
    }
}
