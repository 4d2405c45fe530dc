import Enforcement
import Foundation
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
    private let place: Place

    /// Where the box is said to stand.
    package struct Place {
        package let code: String
        let otherCode: String
        let position: Int

        package init(code: String, otherCode: String, position: Int) {
            self.code = code
            self.otherCode = otherCode
            self.position = position
        }
    }

    /// - Parameters:
    ///   - apiKey: what a Supabase project wants with every request.
    ///   - certificateFile: certificates that are trusted instead of the system's.
    package init(
        url: String, apiKey: String? = nil, certificateFile: String? = nil, email: String, password: Secret,
        place: Place
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
            let (token, user) = try signIn(transport)
            let columns = "id,code,segment_id,position_index"
            let own = try rows(transport, "checkposts", [("code", "eq.\(post)"), ("select", columns)], token).first
            guard let own, let id = own["id"] as? String, let segment = own["segment_id"] as? String else {
                return .problem(
                    "The server knows no checkpost \(post): correct `code` in [post], or have the warden add the post.")
            }
            let profiles = try rows(
                transport, "user_profiles", [("id", "eq.\(user)"), ("select", "role,is_active,assigned_checkpost_id")],
                token)
            guard let profile = profiles.first, profile["is_active"] as? Bool != false else {
                return .problem("The account \(email) is not active at the server.")
            }
            guard profile["role"] as? String == "ranger" else {
                return .problem(
                    "The account \(email) is a warden's, and whoever takes the box would have its rights: take an account of role "
                        + "ranger at \(post).")
            }
            guard (profile["assigned_checkpost_id"] as? String)?.lowercased() == id.lowercased() else {
                return .problem("The account \(email) is not assigned to \(post): the warden assigns it.")
            }
            let road = try rows(
                transport, "checkposts", [("segment_id", "eq.\(segment)"), ("select", columns)], token)
            return mistake(own: own, road: road).map { .problem($0) } ?? .knowsPost
        } catch let stop as Stop {
            return stop.finding
        } catch {
            return .unreachable("\(error)")
        }
    }

    /// What the file says of the road and the server otherwise.
    private func mistake(own: [String: Any], road: [[String: Any]]) -> String? {
        let others = road.compactMap { $0["code"] as? String }.filter { $0 != post }
        guard others.contains(place.otherCode) else {
            let known = others.isEmpty ? "no other post yet" : others.sorted().joined(separator: " and ")
            return
                "At the other end of the road of \(post) the server has \(known), and not \(place.otherCode): correct `other_code` "
                + "in [post], or have the warden add the post."
        }
        guard let position = own["position_index"] as? Int, position != place.position else { return nil }
        return "The server has \(post) at position \(position) of the road: correct `position` in [post]."
    }

    private func signIn(_ transport: ServerTransport) throws -> (token: String, user: String) {
        let body = try JSONEncoder().encode(["email": email, "password": password.revealed])
        let (status, answer) = try ask(
            transport,
            SyncRequest(
                .post, "/auth/v1/token", query: [("grant_type", "password")], body: body, timeout: .seconds(15)), nil)
        let fields = answer as? [String: Any]
        if status == 200, let token = fields?["access_token"] as? String,
            let user = (fields?["user"] as? [String: Any])?["id"] as? String
        {
            return (token, user)
        }
        if fields != nil, [400, 401, 403, 422].contains(status) {
            throw Stop(finding: .problem("The server refused the account or the password."))
        }
        throw Stop(finding: strange(status, answer))
    }

    private func rows(
        _ transport: ServerTransport, _ table: String, _ query: [(String, String)], _ token: String
    ) throws -> [[String: Any]] {
        let request = SyncRequest(.get, "/rest/v1/\(table)", query: query, timeout: .seconds(15))
        let (status, answer) = try ask(transport, request, token)
        guard (200..<300).contains(status), let rows = answer as? [[String: Any]] else {
            throw Stop(finding: strange(status, answer))
        }
        return rows
    }

    private func ask(_ transport: ServerTransport, _ request: SyncRequest, _ token: String?) throws -> (Int, Any?) {
        switch transport.perform(request.authorised(apiKey: apiKey, token: token)) {
        case .silent(let reason): throw Stop(finding: .unreachable("\(reason)."))
        case .answered(let answer): return (answer.status, answer.json)
        }
    }

    private func strange(_ status: Int, _ answer: Any?) -> Finding {
        .unreachable(
            answer == nil
                ? "Something answered at \(url) that is not the park's server (\(status))."
                : "it answered with \(status).")
    }
}
