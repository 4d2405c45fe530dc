import Foundation

/// What must not be seen of a camera's address: its login, and values in its query that look like one.
///
/// A camera's own messages are repeated to the operator, and they repeat the address; so every text goes through `redact`.
struct Secrets: Sendable {
    private let hidden: [String]

    init(_ secrets: [String?]) {
        var hidden: Set<String> = []
        for case let secret? in secrets where !secret.isEmpty {
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
        self.hidden = hidden.sorted { ($0.count, $0) > ($1.count, $1) }
    }

    func redact(_ text: String) -> String {
        // Whatever stands as a login in an address is hidden, ours or not.
        let text = text.replacing(#/:\/\/[^\/\s@'"]*@/#, with: "://***@")
        return hidden.reduce(text) { $0.replacingOccurrences(of: $1, with: "***") }
    }
}

/// A camera's address with the login taken out of it.
struct CameraAddress: Sendable {
    /// Without user and password; its query is whole.
    let url: String
    let user: String?
    let password: String?

    /// For people: without login and without the query's values.
    let description: String
    let secrets: Secrets

    /// - Parameters:
    ///   - text: the address as configured; a login in it counts where `user` and `password` are nil.
    init(_ text: String, user: String? = nil, password: String? = nil) {
        guard var parts = URLComponents(string: text), parts.host != nil else {
            // Not an address that can be taken apart, so nothing of it is shown but its scheme.
            self.url = text
            self.user = user
            self.password = password
            secrets = Secrets([password, text])
            description = text.split(separator: ":", maxSplits: 1).first.map { "\($0):…" } ?? "…"
            return
        }
        let loginUser = user ?? parts.user
        let loginPassword = password ?? parts.password
        parts.user = nil
        parts.password = nil
        url = parts.string ?? text
        self.user = loginUser
        self.password = loginPassword
        let sensitive = ["pass", "pwd", "token", "key", "auth", "secret", "usr", "user", "login"]
        let values = (parts.queryItems ?? []).filter { item in
            sensitive.contains { item.name.lowercased().contains($0) }
        }.map(\.value)
        secrets = Secrets([loginPassword, password] + values)
        let hasQuery = parts.query != nil
        parts.query = nil
        parts.fragment = nil
        description = (parts.string ?? "camera") + (hasQuery ? "?…" : "")
    }

    /// With the login in it, for a program that takes it no other way.
    var urlWithLogin: String {
        guard let user, var parts = URLComponents(string: url) else { return url }
        parts.user = user
        parts.password = password
        return parts.string ?? url
    }
}
