import Crypto
import Enforcement
import Foundation
import ParkAPI

/// Makes and reads the JSON Web Tokens of this server: HS256 and nothing else.
///
/// The algorithm is not the token's choice: whatever its header says, only an HMAC with our secret is accepted, and a header that names
/// another algorithm is refused.
package struct TokenSigner: Sendable {
    package enum Refusal: Error, Sendable, Equatable {
        case malformed, wrongAlgorithm, wrongSignature, expired, wrongClaims
    }

    /// The year 10000: an expiry beyond it is no date but a token that never ends.
    private static let endOfTime = 253_402_300_800.0

    private let key: SymmetricKey
    private let formerKeys: [SymmetricKey]

    /// - Parameter former: secrets that what is signed already may have been signed with. Nothing is signed with them any more.
    package init(secret: Secret, former: [Secret] = []) {
        key = SymmetricKey(data: Data(secret.revealed.utf8))
        formerKeys = former.map { SymmetricKey(data: Data($0.revealed.utf8)) }
    }

    package func sign(_ claims: [String: JSONValue]) throws -> String {
        let header = Data(#"{"alg":"HS256","typ":"JWT"}"#.utf8).base64URL
        let payload = try ParkJSON.data(claims).base64URL
        let signed = "\(header).\(payload)"
        let signature = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: key)
        return "\(signed).\(Data(signature).base64URL)"
    }

    /// The caller that a token stands for at the given time (seconds since 1970).
    package func caller(_ token: String, atEpochSeconds now: Double) throws(Refusal) -> Caller {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, token.utf8.count <= 8192, let header = Data(base64URL: parts[0]),
            let payload = Data(base64URL: parts[1]), let signature = Data(base64URL: parts[2])
        else { throw .malformed }
        guard (try? JSONBounds.check(header, depth: 8)) != nil,
            let fields = try? JSONValue(header), fields["alg"] == .text("HS256"), fields["crit"] == nil
        else { throw .wrongAlgorithm }
        // Takes the same time wherever the two differ.
        let signed = Data("\(parts[0]).\(parts[1])".utf8)
        guard
            ([key] + formerKeys).contains(where: {
                HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: signed, using: $0)
            })
        else { throw .wrongSignature }
        guard (try? JSONBounds.check(payload, depth: 16)) != nil,
            let claims = try? JSONValue(payload),
            let json = String(data: payload, encoding: .utf8),
            let expiry = claims["exp"]?.double, expiry < Self.endOfTime
        else { throw .wrongClaims }
        guard expiry > now else { throw .expired }
        if let start = claims["nbf"]?.double, start > now + 60 { throw .wrongClaims }
        guard let role = (claims["role"]?.string).flatMap(Caller.Role.init) else { throw .wrongClaims }
        let user = (claims["sub"]?.string).flatMap(UUID.init(uuidString:))
        guard role != .authenticated || user != nil else { throw .wrongClaims }
        let session = (claims["session_id"]?.string).flatMap { $0.isEmpty ? nil : $0 }
        return Caller(role: role, claims: json, user: user, session: session)
    }

    /// The key that stands for a role and no user: SUPABASE_ANON_KEY and SUPABASE_SERVICE_ROLE_KEY.
    ///
    /// It follows from the secret alone, so every start prints the same; a new secret makes the old keys worthless.
    package func key(for role: Caller.Role) throws -> String {
        // From 2024-01-01 to 2054-01-01.
        try sign([
            "iss": .text("checkpost"), "role": .text(role.rawValue), "iat": .integer(1_704_067_200),
            "exp": .integer(2_650_838_400),
        ])
    }
}

/// On whose behalf a request is: a role of PostgreSQL and the claims that its rules read.
package struct Caller: Sendable, Equatable {
    package enum Role: String, Sendable {
        case anon
        case authenticated
        case service = "service_role"
    }

    /// The server itself, which no policy bounds.
    package static let service = Caller(role: .service, claims: #"{"role":"service_role"}"#, user: nil)

    package var role: Role
    /// The token's payload, JSON.
    package var claims: String
    package var user: UUID?
    /// The sign-in that the token comes from: the token is good as long as that.
    package var session: String?

    package static let anonymous = Caller(role: .anon, claims: #"{"role":"anon"}"#)
}

extension Data {
    package var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    package init?(base64URL text: Substring) {
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "=") })
        else { return nil }
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        self.init(base64Encoded: standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4))
    }
}
