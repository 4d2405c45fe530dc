import Enforcement
import Foundation

/// How addresses are put together.
package enum HTTPAddress {
    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~,:()*")

    /// Path and query, percent-encoded: `/rest/v1/checkposts?select=id`.
    package static func path(_ path: String, query: [(String, String)]) -> String {
        let pairs = query.map { "\(escaped($0))=\(escaped($1))" }
        return pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
    }

    /// - Parameters:
    ///   - server: `https://park.example.org`, with or without a slash at the end.
    ///   - path: begins with a slash.
    package static func url(_ server: String, _ path: String) -> Secret {
        Secret((server.hasSuffix("/") ? String(server.dropLast()) : server) + path)
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}
