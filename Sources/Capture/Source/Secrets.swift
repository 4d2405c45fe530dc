import Enforcement
import Foundation

/// What must not be seen of a camera's address: its login, and values in its query that look like one.
///
/// A camera's own messages are repeated to the operator, and they repeat the address; so every text goes through `redact`.
struct Secrets: Sendable {
    private let hidden: [Secret]

    init(_ secrets: [Secret?]) {
        var hidden: Set<String> = []
        for case let secret? in secrets.map({ $0?.revealed }) where !secret.isEmpty {
            hidden.insert(secret)
            if let escaped = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) {
                hidden.insert(escaped)
            }
            if let escaped = secret.addingPercentEncoding(withAllowedCharacters: .urlPasswordAllowed) {
                hidden.insert(escaped)
            }
            if let plain = secret.removingPercentEncoding { hidden.insert(plain) }
        }
        // The longest first: a secret that holds another one is hidden whole.
        self.hidden = hidden.sorted { ($0.count, $0) > ($1.count, $1) }.map { Secret($0) }
    }

    func redact(_ text: String) -> String {
        // Whatever stands as a login in an address is hidden, ours or not.
        let text = text.replacing(#/:\/\/[^\/\s@'"]*@/#, with: "://***@")
        return hidden.reduce(text) { $0.replacingOccurrences(of: $1.revealed, with: "***") }
    }
}

/// A camera's address with the login taken out of it.
struct CameraAddress: Sendable {
    /// Without user and password; its query is whole, and may hold a key.
    let url: Secret
    let user: String?
    let password: Secret?

    /// For people: without login and without the query's values.
    let description: String
    let secrets: Secrets

    /// - Parameters:
    ///   - text: the address as configured; a login in it counts where `user` and `password` are nil.
    init(_ address: Secret, user: String? = nil, password: Secret? = nil) {
        let text = address.revealed
        guard var parts = URLComponents(string: text), parts.host != nil else {
            // Not an address that can be taken apart, so nothing of it is shown but its scheme.
            self.url = address
            self.user = user
            self.password = password
            secrets = Secrets([password, address])
            description = text.split(separator: ":", maxSplits: 1).first.map { "\($0):…" } ?? "…"
            return
        }
        let loginUser = user ?? parts.user
        let loginPassword = password ?? parts.password.map { Secret($0) }
        parts.user = nil
        parts.password = nil
        url = Secret(parts.string ?? text)
        self.user = loginUser
        self.password = loginPassword
        let sensitive = ["pass", "pwd", "token", "key", "auth", "secret", "usr", "user", "login"]
        let values = (parts.queryItems ?? []).filter { item in
            sensitive.contains { item.name.lowercased().contains($0) }
        }.map { $0.value.map { Secret($0) } }
        secrets = Secrets([loginPassword, password] + values)
        let hasQuery = parts.query != nil
        parts.query = nil
        parts.fragment = nil
        description = (parts.string ?? "camera") + (hasQuery ? "?…" : "")
    }

    /// With the login in it, for a program that takes it no other way.
    var urlWithLogin: Secret {
        guard let user, var parts = URLComponents(string: url.revealed) else { return url }
        parts.user = user
        parts.password = password?.revealed
        return parts.string.map { Secret($0) } ?? url
    }
}
