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

    private let visit: ServerVisit
    private let place: ConfiguredPlace

    /// - Parameters:
    ///   - apiKey: what a Supabase project wants with every request.
    ///   - certificateFile: certificates that are trusted instead of the system's.
    package init(
        url: String, apiKey: String? = nil, certificateFile: String? = nil, email: String, password: Secret,
        place: ConfiguredPlace
    ) {
        visit = ServerVisit(
            url: url, apiKey: apiKey, certificateFile: certificateFile, email: email, password: password)
        self.place = place
    }

    private var post: String { place.code }

    package func run() -> Finding {
        do throws(ServerVisit.Stop) {
            let session = try visit.signIn()
            let posts = RowQuery<CheckpostColumn>()
            let own = try visit.rows(
                posts.whose(.code, .equals(post)).telling(CheckpostRow.columns), CheckpostRow.self
            ).first
            guard let own else {
                return .problem(
                    "The server knows no checkpost \(post): correct `code` in [post], or have the warden add the post.")
            }
            let profiles = try visit.rows(
                RowQuery<ProfileColumn>().whose(.id, .equals(session.user))
                    .telling([.role, .isActive, .assignedCheckpost]), ProfileRow.self)
            guard let profile = profiles.first, profile.isActive else {
                return .problem("The account \(visit.email) is not active at the server.")
            }
            guard profile.role == .ranger else {
                return .problem(
                    "The account \(visit.email) is a warden's, and whoever takes the box would have its rights: take an account of role "
                        + "ranger at \(post).")
            }
            guard profile.assignedCheckpost == own.id else {
                return .problem("The account \(visit.email) is not assigned to \(post): the warden assigns it.")
            }
            let road = try visit.rows(
                posts.whose(.segment, .equals(own.segment)).telling(CheckpostRow.columns),
                CheckpostRow.self)
            return place.contradiction(with: road.map(\.checkpost)).map { .problem($0) } ?? .knowsPost
        } catch {
            return error == .refused ? .problem(error.text) : .unreachable(error.text)
        }
    }
}
