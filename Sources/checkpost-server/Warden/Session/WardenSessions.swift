import Crypto
import Enforcement
import Foundation
import HTTPTypes
import Hummingbird
import Pages
import ParkAPI

/// Who is signed in at the warden's page: a signed token in a cookie that no script can read and no other site sends along.
///
/// The token names a session of the server's accounts, which is looked at with each request: a sign-out, a new password or a
/// deactivation makes every copy of it worthless at once.
package struct WardenSessions: Sendable {
    static let cookieName = "checkpost_warden"

    /// Of somebody who has not signed in: what the token of the sign-in form is made of.
    static let visitName = "checkpost_visit"
    static let languageName = "checkpost_language"

    /// A session is moved on at most this often.
    private static let renewalSeconds = 300

    private let signer: TokenSigner
    private let formSecret: String
    private let isSecure: Bool
    private let lengthSeconds: Int
    private let longestSeconds: Int

    init(_ settings: Settings) {
        // Keys of their own: a token of the API is no cookie, and a cookie is no token of the API.
        signer = TokenSigner(secret: Secret(hexadecimal(settings.key(for: "the warden's page: sessions"))))
        formSecret = hexadecimal(settings.key(for: "the warden's page: forms"))
        isSecure = settings.publicURL.lowercased().hasPrefix("https:")
        lengthSeconds = Int(settings.wardenSessionHours * 3600)
        longestSeconds = settings.refreshTokenDays * 86_400
    }

    struct Session: Sendable {
        let caller: Caller
        let email: String
        let claims: Claims

        struct Claims: Codable, Sendable {
            var sub: String
            var email: String
            var session_id: String
            var iat: Int
            /// When the password was typed.
            var began: Int
        }
    }

    /// Nil for a cookie that is missing, too old, or not of ours.
    func session(of request: Request, at now: Instant) -> Session? {
        request.cookies[Self.cookieName].flatMap { session(token: $0.value, at: now) }
    }

    func session(token: String, at now: Instant) -> Session? {
        guard let caller = try? signer.caller(token, atEpochSeconds: now.epoch),
            caller.role == .authenticated, caller.session != nil,
            let claims = try? JSONDecoder().decode(Session.Claims.self, from: Data(caller.claims.utf8))
        else { return nil }
        return Session(caller: caller, email: claims.email, claims: claims)
    }

    /// The cookie of somebody who has just signed in.
    func begin(account: String, email: String, session: String, at now: Instant) throws -> String {
        let moment = Int(now.epoch)
        return try cookie(.init(sub: account, email: email, session_id: session, iat: moment, began: moment), at: now)
    }

    /// The cookie anew, for somebody who did something; nil while the old one is young, or the session as old as one gets.
    func renewed(_ session: Session, at now: Instant) throws -> String? {
        let moment = Int(now.epoch)
        guard moment - session.claims.iat >= Self.renewalSeconds else { return nil }
        var claims = session.claims
        claims.iat = moment
        return try cookie(claims, at: now)
    }

    private func cookie(_ claims: Session.Claims, at now: Instant) throws -> String {
        let end = min(claims.iat + lengthSeconds, claims.began + longestSeconds)
        let token = try signer.sign([
            "iss": .text("checkpost warden"), "role": .text(Caller.Role.authenticated.rawValue),
            "sub": .text(claims.sub), "email": .text(claims.email), "session_id": .text(claims.session_id),
            "iat": .integer(Int64(claims.iat)), "began": .integer(Int64(claims.began)), "exp": .integer(Int64(end)),
        ])
        return Self.cookie(Self.cookieName, token, seconds: max(0, end - Int(now.epoch)), isSecure: isSecure)
    }

    /// Takes the cookie away from the browser.
    var ended: String { Self.cookie(Self.cookieName, "", seconds: 0, isSecure: isSecure) }

    func language(_ language: String) -> String {
        Self.cookie(Self.languageName, language, seconds: 365 * 86_400, isSecure: isSecure)
    }

    private static func cookie(_ name: String, _ value: String, seconds: Int, isSecure: Bool) -> String {
        "\(name)=\(value); Path=\(Warden.root); HttpOnly; SameSite=Strict; Max-Age=\(seconds)"
            + (isSecure ? "; Secure" : "")
    }

    func formToken(_ session: Session) -> FormToken { FormToken(of: "\(formSecret) \(session.claims.session_id)") }

    /// The token of a form that needs nobody signed in. What it is made of is the browser's own.
    func formToken(visit: String) -> FormToken { FormToken(of: "\(formSecret) visit \(visit)") }

    /// What the browser of somebody without a session is known by; nil where it has nothing of the kind.
    func visit(of request: Request) -> String? {
        request.cookies[Self.visitName]?.value.nilUnless { $0.utf8.count == 64 && $0.allSatisfy(\.isHexDigit) }
    }

    func newVisit() -> (visit: String, cookie: String) {
        let visit = hexadecimal(Data(SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }))
        return (visit, Self.cookie(Self.visitName, visit, seconds: 86_400, isSecure: isSecure))
    }
}

extension Instant {
    /// Seconds since 1970.
    var epoch: Double { Double(milliseconds) / 1000 }
}

extension String {
    fileprivate func nilUnless(_ holds: (String) -> Bool) -> String? { holds(self) ? self : nil }
}
