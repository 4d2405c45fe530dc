import Crypto
import Foundation

/// What every form and every writing request carries, so that no other site's page can send one.
///
/// It is made of the secret that the browser's cookie holds, so that it needs no row of its own.
package struct FormToken: Sendable {
    package let text: String

    package init(of secret: String) {
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("form".utf8), using: SymmetricKey(data: Data(secret.utf8)))
        text = hexadecimal(Data(code))
    }

    package func matches(_ other: String) -> Bool { isSame(Data(other.utf8), Data(text.utf8)) }
}

/// Compares without telling by the time taken where they differ.
package func isSame(_ left: Data, _ right: Data) -> Bool {
    left.count == right.count && zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}

/// Lower-case hexadecimal.
package func hexadecimal(_ bytes: Data) -> String {
    bytes.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
}
