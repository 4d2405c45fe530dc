import Enforcement
import Foundation
import HTTPClient
import MachineClock
import ParkAPI

/// What is asked of the server.
package struct SyncRequest: Sendable, Equatable {
    package typealias Method = HTTPRequest.Method

    package var method: Method

    /// Path and query, percent-encoded: `/rest/v1/checkposts?select=id`.
    package var path: String
    package var headers: [String: String]
    package var body: Data?

    /// The longest that the whole exchange may take.
    package var timeout: TimeSpan

    /// Whether the other post may carry it where this box's own link is down. A picture goes over the own link alone.
    package var mayGoThroughPeer = true

    /// A longer answer is cut off.
    package var mostAnswerBytes = HTTPLimits().answerBytes

    private(set) var apiKey: Secret?
    private(set) var bearer: Secret?

    package init(
        _ method: Method, _ path: String, query: [(String, String)] = [], headers: [String: String] = [:],
        body: Data? = nil, timeout: TimeSpan = .seconds(60)
    ) {
        self.method = method
        self.path = HTTPAddress.path(path, query: query)
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }

    /// As the park's server wants every request: with its key, with the account's token (before a sign-in the key stands for it), and
    /// of JSON where it doesn't say otherwise.
    package func authorised(apiKey: String?, token: String?) -> SyncRequest {
        var request = self
        request.apiKey = apiKey.map { Secret($0) }
        request.bearer = (token ?? apiKey).map { Secret($0) }
        request.headers["Accept"] = headers["Accept"] ?? "application/json"
        if body != nil { request.headers["Content-Type"] = headers["Content-Type"] ?? "application/json" }
        return request
    }
}

/// Request in, answer out. The engine knows nothing else of the network, so a simulation can stand in for it.
package protocol SyncTransport: AnyObject {
    /// Blocks until the answer is there whole, or until it is clear that none comes.
    func perform(_ request: SyncRequest) -> ServerExchange

    /// Whether the last request came through by way of the other post: what is large waits then.
    var isThroughPeer: Bool { get }

    /// Whether there is such a way at all now.
    var isPossible: Bool { get }

    /// The kernel says that routes or addresses changed.
    func networkChanged()
}

extension SyncTransport {
    package var isThroughPeer: Bool { false }
    package var isPossible: Bool { true }
    package func networkChanged() {}
}

/// The clocks that the engine asks.
package protocol SyncClock: Sendable {
    /// The wall clock: for what is recorded, and for comparison with the server's.
    var now: Instant { get }

    /// A clock that only runs forward, from any beginning: for waiting and for outages.
    var uptime: Instant { get }

    /// This run of the machine by its wall clock; nil where there is no machine, as in a simulation.
    var boot: BootClock? { get }
}

extension SyncClock {
    package var boot: BootClock? { nil }
}

package struct SystemSyncClock: SyncClock {
    package init() {}
    package var now: Instant { MachineClock.now }
    package var uptime: Instant { MachineClock.uptime }
    package var boot: BootClock? { MachineClock.boot }
}
