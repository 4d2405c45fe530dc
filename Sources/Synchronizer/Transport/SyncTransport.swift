import Enforcement
import Foundation

/// What is asked of the server.
package struct SyncRequest: Sendable, Equatable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    package var method: Method

    /// Path and query, percent-encoded: `/rest/v1/checkposts?select=id`.
    package var path: String
    package var headers: [String: String]
    package var body: Data?

    /// The longest that the whole exchange may take.
    package var timeout: TimeSpan

    package init(
        _ method: Method, _ path: String, query: [(String, String)] = [], headers: [String: String] = [:],
        body: Data? = nil, timeout: TimeSpan = .seconds(60)
    ) {
        self.method = method
        let pairs = query.map { "\(Self.escaped($0))=\(Self.escaped($1))" }
        self.path = pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }

    private static let plain = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~,:()*")

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}

/// Request in, answer out. The engine knows nothing else of the network, so a simulation can stand in for it.
package protocol SyncTransport: AnyObject {
    /// Blocks until the answer is there whole, or until it is clear that none comes.
    func perform(_ request: SyncRequest) -> ServerExchange
}

/// The clocks that the engine asks.
package protocol SyncClock: Sendable {
    /// The wall clock: for what is recorded, and for comparison with the server's.
    var now: Instant { get }

    /// A clock that only runs forward, from any beginning: for waiting and for outages.
    var uptime: Instant { get }
}

package struct SystemSyncClock: SyncClock {
    package init() {}
    package var now: Instant { Instant(seconds: Date().timeIntervalSince1970) }
    package var uptime: Instant {
        Instant(milliseconds: Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000))
    }
}
