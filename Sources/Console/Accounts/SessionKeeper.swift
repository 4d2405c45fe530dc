import Crypto
import Enforcement
import Foundation
import Pages
import Storage

/// Who is signed in, by the token in the browser's cookie.
///
/// The database knows the token's hash only. The token that guards forms against other sites is made of the same secret, so
/// it needs no row of its own.
struct SessionKeeper: Sendable {
    let store: Store
    let length: TimeSpan

    /// How long the server's last word on an account counts.
    let offlineAge: TimeSpan

    static let cookieName = "checkpost_session"

    /// A session's end is moved on at most this often: every request would be a write otherwise.
    private static let prolongInterval = TimeSpan.minutes(5)

    struct Active: Sendable {
        let token: String
        let user: User

        /// What every form and every writing request carries.
        var formToken: String { FormToken(of: token).text }

        func isFormToken(_ text: String) -> Bool { FormToken(of: token).matches(text) }
    }

    /// - Returns: the token for the cookie.
    func begin(_ user: User, with secret: User.Secret, at now: Instant) throws -> String {
        var generator = SystemRandomNumberGenerator()
        let token = hexadecimal(Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }))
        try store.accounts.begin(
            Session(tokenSHA256: Self.hash(token), userName: user.name, createdAt: now, expiresAt: now + length),
            with: secret)
        return token
    }

    /// Nil for a token that nobody was given, or that is over.
    ///
    /// - Parameter isUsed: whether somebody did something: then the session lives on.
    func active(_ token: String, isUsed: Bool = false, at now: Instant) throws -> Active? {
        guard token.utf8.count == 64, let found = try store.accounts.session(tokenSHA256: Self.hash(token), at: now)
        else {
            return nil
        }
        if found.user.origin == .server, found.user.standing?.holds(at: now, for: offlineAge) == false { return nil }
        // One that ends later than a new one would is of a clock that was set back since: it gets its length from now.
        let isOfAnotherClock = found.session.expiresAt > now + length
        if isOfAnotherClock || (isUsed && now - found.session.lastSeenAt > Self.prolongInterval) {
            try store.accounts.prolong(tokenSHA256: Self.hash(token), until: now + length, at: now)
        }
        return Active(token: token, user: found.user)
    }

    func end(_ token: String) throws {
        try store.accounts.endSession(tokenSHA256: Self.hash(token))
    }

    private static func hash(_ token: String) -> String { hexadecimal(Data(SHA256.hash(data: Data(token.utf8)))) }
}
