import Crypto
import Enforcement
import Foundation

/// Twilio's signature of a request: HMAC-SHA1 over the URL and the sorted form fields, in base64.
///
/// Source: Twilio, "Validating signatures". Example: URL `https://a/` and fields `B=2`, `A=1` are signed as `https://a/A1B2`.
package struct TwilioSignature: Sendable {
    private let key: SymmetricKey

    package init(authToken: Secret) {
        key = SymmetricKey(data: Data(authToken.revealed.utf8))
    }

    package func sign(url: String, fields: [QueryString.Item]) -> String {
        let code = HMAC<Insecure.SHA1>.authenticationCode(for: text(url, fields), using: key)
        return Data(code).base64EncodedString()
    }

    /// Compares in a time that doesn't depend on where the two differ.
    package func isValid(_ signature: String, url: String, fields: [QueryString.Item]) -> Bool {
        guard let code = Data(base64Encoded: signature) else { return false }
        return HMAC<Insecure.SHA1>.isValidAuthenticationCode(code, authenticating: text(url, fields), using: key)
    }

    private func text(_ url: String, _ fields: [QueryString.Item]) -> Data {
        // Swift orders strings by Unicode; Twilio orders them by their bytes.
        let sorted = fields.sorted { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }
        return Data((url + sorted.map { $0.name + $0.value }.joined()).utf8)
    }
}
