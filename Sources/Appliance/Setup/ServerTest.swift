import Enforcement
import Foundation
import ParkAPI
import Synchronizer

/// Asks the park's server once whether it knows this box and its post.
package struct ServerTest {
    package enum Finding: Equatable {
        /// The account is right and stands at the post.
        case knowsPost
        /// Nothing, or nothing of the park's, answered: it says nothing about the configuration.
        case unreachable(String)
        /// What is wrong, in words. The password is in none.
        case problem(String)

        package var isProblem: Bool {
            if case .problem = self { true } else { false }
        }

        /// For a person.
        package func text(post: String) -> String {
            switch self {
            case .knowsPost: "The server knows this box and \(post)."
            case .unreachable(let reason): "The server could not be asked whether it knows \(post): \(reason)"
            case .problem(let reason): reason
            }
        }
    }

    private struct Stop: Error {
        let finding: Finding
    }

    private let url: String
    private let apiKey: String?
    private let certificateFile: String?
    private let email: String
    private let password: Secret
    private let place: ConfiguredPlace

    /// - Parameters:
    ///   - apiKey: what a Supabase project wants with every request.
    ///   - certificateFile: certificates that are trusted instead of the system's.
    package init(
        url: String, apiKey: String? = nil, certificateFile: String? = nil, email: String, password: Secret,
        place: ConfiguredPlace
    ) {
        self.url = url
        self.apiKey = apiKey
        self.certificateFile = certificateFile
        self.email = email
        self.password = password
        self.place = place
    }

    private var post: String { place.code }

    package func run() -> Finding {
        let transport = ServerTransport(url: url, certificateFile: certificateFile)
        do {
            let session = try signIn(transport)
            let posts = RowQuery<CheckpostColumn>()
            let own = try rows(
                transport, posts.whose(.code, .equals(post)).telling(CheckpostRow.columns), CheckpostRow.self, session
            ).first
            guard let own else {
                return .problem(
                    "The server knows no checkpost \(post): correct `code` in [post], or have the warden add the post.")
            }
            let profiles = try rows(
                transport,
                RowQuery<ProfileColumn>().whose(.id, .equals(session.user))
                    .telling([.role, .isActive, .assignedCheckpost]), ProfileRow.self, session)
            guard let profile = profiles.first, profile.isActive else {
                return .problem("The account \(email) is not active at the server.")
            }
            guard profile.role == .ranger else {
                return .problem(
                    "The account \(email) is a warden's, and whoever takes the box would have its rights: take an account of role "
                        + "ranger at \(post).")
            }
            guard profile.assignedCheckpost == own.id else {
                return .problem("The account \(email) is not assigned to \(post): the warden assigns it.")
            }
            let road = try rows(
                transport, posts.whose(.segment, .equals(own.segment)).telling(CheckpostRow.columns),
                CheckpostRow.self, session)
            return place.contradiction(with: road.map(\.checkpost)).map { .problem($0) } ?? .knowsPost
        } catch let stop as Stop {
            return stop.finding
        } catch {
            return .unreachable("\(error)")
        }
    }

    private static let patience = TimeSpan.seconds(15)

    private func signIn(_ transport: ServerTransport) throws -> ServerSession {
        let request = try SyncRequest.signIn(
            PasswordGrant(email: email, password: password), timeout: Self.patience)
        switch SignInAnswer(transport.perform(request.authorised(apiKey: apiKey, token: nil))) {
        case .signedIn(let session): return session
        case .refused: throw Stop(finding: .problem("The server refused the account or the password."))
        case .unclear(let answer): throw Stop(finding: strange(answer))
        case .silent(let reason): throw Stop(finding: .unreachable("\(reason)."))
        }
    }

    private func rows<Column, Row: Decodable>(
        _ transport: ServerTransport, _ query: RowQuery<Column>, _ type: Row.Type, _ session: ServerSession
    ) throws -> [Row] {
        let request = SyncRequest.read(query, timeout: Self.patience)
            .authorised(apiKey: apiKey, token: session.accessToken.revealed)
        switch transport.perform(request) {
        case .silent(let reason): throw Stop(finding: .unreachable("\(reason)."))
        case .answered(let answer):
            guard (200..<300).contains(answer.status), let rows = try? answer.rows(Row.self) else {
                throw Stop(finding: strange(answer))
            }
            return rows
        }
    }

    private func strange(_ answer: ServerAnswer) -> Finding {
        .unreachable(
            answer.isJSON
                ? "it answered with \(answer.status)."
                : "Something answered at \(url) that is not the park's server (\(answer.status)).")
    }
}
