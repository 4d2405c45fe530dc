import Crypto
import Enforcement
import Foundation
import Pages

/// What the form for a second factor's code carries: whose password was right, and until when that counts. It opens nothing by itself.
struct SignInTicket: Sendable {
    private static let term = TimeSpan.minutes(5)

    private let key: SymmetricKey

    init(_ settings: Settings) {
        // A key of its own: no other token of the server is a ticket.
        key = SymmetricKey(data: settings.key(for: "the warden's page: second factor"))
    }

    func issue(account: UUID, at now: Instant) -> String {
        let text = "\(account.uuidString.lowercased()).\((now + Self.term).milliseconds)"
        return "\(text).\(mark(text))"
    }

    /// Nil for a ticket that is over, or none of ours.
    func account(_ ticket: String, at now: Instant) -> UUID? {
        let parts = ticket.split(separator: ".", omittingEmptySubsequences: false)
        guard ticket.utf8.count <= 200, parts.count == 3,
            isSame(Data(parts[2].utf8), Data(mark("\(parts[0]).\(parts[1])").utf8)),
            let end = Int64(parts[1]), end > now.milliseconds
        else { return nil }
        return UUID(uuidString: String(parts[0]))
    }

    private func mark(_ text: String) -> String {
        hexadecimal(Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)))
    }
}
