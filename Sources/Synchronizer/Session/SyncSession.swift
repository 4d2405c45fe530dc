import Enforcement
import Foundation
import ParkAPI

/// The box's account at the server: the tokens that it holds, and how it gets others.
final class SyncSession {
    private let server: SyncServer
    private let tokenStore: TokenStore
    private(set) var tokens: SyncTokens?

    init(_ server: SyncServer, tokens tokenStore: TokenStore) {
        self.server = server
        self.tokenStore = tokenStore
        tokens = tokenStore.load(owner: Self.owner(server))
    }

    private static func owner(_ server: SyncServer) -> String { "\(server.email) \(server.url)" }

    /// Renews the token, or else signs in with the password.
    ///
    /// - Parameter exchange: asks without a token, since a server refuses such a request for an old one; no error may repeat what is hidden.
    /// - Returns: what the queue is to be told of it.
    func signInAgain(
        _ exchange: (_ request: SyncRequest, _ hidden: [Secret]) throws -> ServerExchange
    ) throws -> SyncQueue.Event {
        if let refreshToken = tokens?.refreshToken {
            let grant = RefreshGrant(refreshToken: Secret(refreshToken))
            let reply = try exchange(.renew(grant), [grant.refreshToken])
            switch SignInAnswer(reply) {
            case .signedIn(let session): return keep(session)
            case .refused: forgetTokens()
            case .unclear(let answer) where (400..<500).contains(answer.status) && answer.isWellFormed: forgetTokens()
            case .unclear, .silent: return .signInFailed(reason(of: reply))
            }
        }
        let password: Secret
        do {
            password = try server.password()
        } catch {
            return .signInRefused("The password of \(server.email) can't be read: check `password_file`.")
        }
        let grant = PasswordGrant(email: server.email, password: password)
        let reply = try exchange(.signIn(grant), [password])
        switch SignInAnswer(reply) {
        case .signedIn(let session): return keep(session)
        case .refused(let summary):
            return .signInRefused("The server refuses the account \(server.email): \(summary).")
        case .unclear, .silent: return .signInFailed(reason(of: reply))
        }
    }

    private func forgetTokens() {
        tokens = nil
        tokenStore.forget()
    }

    private func reason(of reply: ServerExchange) -> String {
        switch reply {
        case .silent(let reason): reason
        case .answered(let answer): "The sign-in failed: \(answer.summary)"
        }
    }

    private func keep(_ session: ServerSession) -> SyncQueue.Event {
        let tokens = SyncTokens(
            accessToken: session.accessToken.revealed, refreshToken: session.refreshToken.revealed,
            userID: session.user, owner: Self.owner(server))
        self.tokens = tokens
        tokenStore.save(tokens)
        return .signedIn
    }
}
