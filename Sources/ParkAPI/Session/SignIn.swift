import Enforcement
import Foundation

/// Signing in with a password: `POST /auth/v1/token?grant_type=password`.
package struct PasswordGrant: Codable, Sendable {
    package var email: String
    package var password: Secret

    /// Of the account's second factor, where it has one; a box's has none.
    package var code: String?

    package static let type = "password"

    package init(email: String, password: Secret) {
        self.email = email
        self.password = password
    }

    package enum CodingKeys: String, CodingKey {
        case email
        case password
        case code
    }

    /// The one place where a password is written readable.
    package func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: CodingKeys.self)
        try body.write(email, .email)
        try body.write(password.revealed, .password)
        if let code { try body.write(code, .code) }
    }
}

/// Renewing a session: `POST /auth/v1/token?grant_type=refresh_token`.
package struct RefreshGrant: Codable, Sendable {
    package var refreshToken: Secret

    package static let type = "refresh_token"

    package init(refreshToken: Secret) {
        self.refreshToken = refreshToken
    }

    package enum CodingKeys: String, CodingKey {
        case refreshToken = "refresh_token"
    }

    package func encode(to encoder: any Encoder) throws {
        var body = encoder.container(keyedBy: CodingKeys.self)
        try body.write(refreshToken.revealed, .refreshToken)
    }
}

/// What a sign-in gives.
package struct ServerSession: Decodable, Sendable, Equatable {
    package var accessToken: Secret
    package var refreshToken: Secret
    package var user: UUID

    package enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case user
    }

    private struct User: Decodable {
        var id: UUID
    }

    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = try body.decode(Secret.self, forKey: .accessToken)
        refreshToken = try body.decode(Secret.self, forKey: .refreshToken)
        user = try body.decode(User.self, forKey: .user).id
        // It goes into a field of every request.
        guard !accessToken.revealed.contains(where: \.isNewline) else {
            throw DecodingError.dataCorruptedError(
                forKey: .accessToken, in: body, debugDescription: "a token of several lines")
        }
    }
}

/// What the answer to a sign-in means.
package enum SignInAnswer: Sendable, Equatable {
    case signedIn(ServerSession)

    /// The server doesn't take this account, this password or this token, in its words.
    case refused(String)

    /// Something answered, and it says nothing of the account.
    case unclear(ServerAnswer)

    /// Nothing answered.
    case silent(String)

    package init(_ exchange: ServerExchange) {
        switch exchange {
        case .silent(let reason): self = .silent(reason)
        case .answered(let answer):
            if answer.status == 200, let session = try? JSONDecoder().decode(ServerSession.self, from: answer.body) {
                self = .signedIn(session)
            } else if [400, 401, 403, 422].contains(answer.status), answer.isWellFormed {
                self = .refused(answer.summary)
            } else {
                self = .unclear(answer)
            }
        }
    }
}
