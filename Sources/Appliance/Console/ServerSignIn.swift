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
        let visit = ServerVisit(
            url: server.url, apiKey: server.anonKey, certificateFile: server.caFile,
            email: AccountName.email(name, besides: server.email), password: password, patience: Self.patience)
        do throws(ServerVisit.Stop) { return try verdict(visit, try visit.signIn().user) } catch {
            return error == .refused ? .refused : .unreachable
        }
    }

    private func verdict(_ visit: ServerVisit, _ user: UUID) throws(ServerVisit.Stop) -> ServerVerdict {
        let own = RowQuery<ProfileColumn>().whose(.id, .equals(user))
            .telling([.fullName, .role, .assignedCheckpost]).whose(.isActive, .isTrue)
        // A deactivated account sees no profile.
        guard let found = try visit.rows(own, ProfileRow.self).first else { return .closed }
        guard let fullName = found.fullName else { return .unreachable }
        if [.warden, .auditor].contains(found.role) { return .closed }
        if found.role != .admin {
            guard let post = found.assignedCheckpost else { return .closed }
            let asked = RowQuery<CheckpostColumn>().whose(.id, .equals(post)).telling([.code])
            guard try visit.rows(asked, CheckpostCodeRow.self).first?.code == checkpostCode else { return .closed }
        }
        return .accepted(fullName: fullName, isTechnician: found.role == .admin)
    }
}
