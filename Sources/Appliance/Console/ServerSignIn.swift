import Console
import Enforcement
import Foundation
import ParkAPI
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
        let transport = ServerTransport(url: server.url, certificateFile: server.caFile)
        let grant = PasswordGrant(email: AccountName.email(name, besides: server.email), password: password)
        guard let signIn = try? SyncRequest.signIn(grant, timeout: Self.patience) else { return .unreachable }
        let session: ServerSession
        switch SignInAnswer(transport.perform(signIn.authorised(apiKey: server.anonKey, token: nil))) {
        case .signedIn(let given): session = given
        case .refused: return .refused
        case .unclear, .silent: return .unreachable
        }
        func rows<Column, Row: Decodable>(_ query: RowQuery<Column>, _ type: Row.Type) -> [Row]? {
            let request = SyncRequest.read(query, timeout: Self.patience)
                .authorised(apiKey: server.anonKey, token: session.accessToken.revealed)
            guard case .answered(let answer) = transport.perform(request), answer.status == 200 else { return nil }
            return try? answer.rows(Row.self)
        }
        let own = RowQuery<ProfileColumn>().whose(.id, .equals(session.user))
            .telling([.fullName, .role, .assignedCheckpost]).whose(.isActive, .isTrue)
        guard let profiles = rows(own, ProfileRow.self) else { return .unreachable }
        // A deactivated account sees no profile.
        guard let found = profiles.first else { return .closed }
        guard let fullName = found.fullName else { return .unreachable }
        if found.role != .admin {
            guard let post = found.assignedCheckpost else { return .closed }
            let asked = RowQuery<CheckpostColumn>().whose(.id, .equals(post)).telling([.code])
            guard let posts = rows(asked, CheckpostCodeRow.self) else { return .unreachable }
            guard posts.first?.code == checkpostCode else { return .closed }
        }
        return .accepted(fullName: fullName, isTechnician: found.role == .admin)
    }
}
