import Foundation

/// Where a server listens.
struct ServerPlace: Equatable {
    var host: String
    var port: Int

    /// Whether nobody on the way can read or change what is said: by TLS, or since it is this machine.
    var isSealed: Bool

    /// - Parameter url: `https://park.example.org`.
    init?(url: String) {
        guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty else { return nil }
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        port = parts.port ?? (parts.scheme?.lowercased() == "http" ? 80 : 443)
        isSealed = parts.scheme?.lowercased() == "https" || parts.isLoopback
    }
}
