import Enforcement
import Foundation

/// What is asked over HTTP, of whom, and what of it is too much.
///
/// Keys and passwords are secrets in it, so that a description of a request tells none.
package struct HTTPRequest: Sendable, Equatable {
    package enum Method: String, Sendable {
        case get = "GET"
        /// The answer has no body, whatever its fields say of one.
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// For a server that asks for a login, by the basic or the digest scheme as the server has it.
    package struct Login: Sendable, Equatable {
        package var user: String
        package var password: Secret

        package init(user: String, password: Secret) {
            self.user = user
            self.password = password
        }
    }

    package var method: Method

    /// With http or https. It is a secret, since the query of a camera's address may hold a key.
    package var url: Secret
    package var headers: [String: String]
    package var body: Data?

    /// Goes out as the field `apikey`.
    package var apiKey: Secret?

    /// Goes out as `Authorization: Bearer …`.
    package var bearer: Secret?
    package var login: Login?
    package var trust: HTTPTrust
    package var limits: HTTPLimits

    /// A Unix socket that is connected to instead of the host, whose name is not looked up then; the request itself stays as it is.
    package var socket: String?

    /// How many redirects are followed, to http and https only. With none a redirect is an answer like another: keys must not follow
    /// one anywhere.
    package var mostRedirects = 0

    package init(
        _ method: Method, _ url: Secret, headers: [String: String] = [:], body: Data? = nil, trust: HTTPTrust = .system,
        limits: HTTPLimits = HTTPLimits()
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.trust = trust
        self.limits = limits
    }

    /// Every field that goes out beside those of the transport, with the keys readable.
    package var fields: [String: String] {
        var fields = headers
        if let apiKey { fields["apikey"] = apiKey.revealed }
        if let bearer { fields["Authorization"] = "Bearer \(bearer.revealed)" }
        return fields
    }
}

/// Whose certificate is believed.
package enum HTTPTrust: Sendable, Equatable {
    case system
    /// Certificates in PEM form, instead of the system's.
    case file(String)
    /// Nobody's is asked for: only for a camera on a network that is trusted.
    case anyone

    /// - Parameter certificateFile: as it is configured; nil for the system's certificates.
    package init(certificateFile: String?) {
        self = certificateFile.map { .file($0) } ?? .system
    }
}

/// What of an exchange is too long or too much. Where nothing else is said, it is what suits the park's server over a bad link: of
/// its answers a page of 500 passages is the longest, and has a quarter of a megabyte.
package struct HTTPLimits: Sendable, Equatable {
    /// Until the connection stands.
    package var connect: TimeSpan

    /// The whole exchange; nil for a stream, which has no end.
    package var total: TimeSpan?

    /// An exchange in which nothing comes for this long has failed. It is kept to a second.
    package var silence: TimeSpan

    /// A longer body is cut off; nil for a stream.
    package var answerBytes: Int?

    package init(
        connect: TimeSpan = .seconds(10), total: TimeSpan? = .seconds(60), silence: TimeSpan = .seconds(20),
        answerBytes: Int? = 8 << 20
    ) {
        self.connect = connect
        self.total = total
        self.silence = silence
        self.answerBytes = answerBytes
    }
}
