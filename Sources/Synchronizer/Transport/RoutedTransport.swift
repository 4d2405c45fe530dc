import Enforcement
import ParkAPI

/// Two ways to the same server: the box's own link, and through another box where that is down.
///
/// A request that came to nothing on one way is made once more on the other. That is safe: a record is known by its id, however often it
/// is sent.
package final class RoutedTransport: SyncTransport {
    private let own: any SyncTransport
    private let peer: any SyncTransport
    private let uptime: () -> Instant
    private let onChange: (RouteChoice.Route) -> Void
    private var choice = RouteChoice()

    /// - Parameters:
    ///   - peer: is silent at once where there is no other post.
    ///   - uptime: a clock that only runs forward.
    ///   - onChange: gets the way that requests go from now on.
    package init(
        own: any SyncTransport, peer: any SyncTransport, uptime: @escaping () -> Instant,
        onChange: @escaping (RouteChoice.Route) -> Void
    ) {
        (self.own, self.peer, self.uptime, self.onChange) = (own, peer, uptime, onChange)
    }

    package var isThroughPeer: Bool { choice.route == .peer }

    package func networkChanged() { choice.networkChanged() }

    package func perform(_ request: SyncRequest) -> ServerExchange {
        let former = choice.route
        defer { if choice.route != former { onChange(choice.route) } }
        var failed: [RouteChoice.Route: ServerExchange] = [:]
        let hasPeer = request.mayGoThroughPeer && peer.isPossible
        let ways = hasPeer ? choice.ways(at: uptime()) : [.own]
        for way in ways {
            let exchange = (way == .own ? own : peer).perform(request)
            choice.took(way, cameThrough: exchange.cameThrough, at: uptime())
            if exchange.cameThrough { return exchange }
            failed[way] = exchange
        }
        guard let own = failed[.own] else { return failed[.peer] ?? .silent("no way to the server was tried") }
        // What a person is to mend first is the box's own link.
        guard case .silent(let reason) = own, case .silent(let other) = failed[.peer] else { return own }
        return .silent("\(reason); \(other)")
    }
}

extension ServerExchange {
    /// Whether the park's server answered, well or not.
    fileprivate var cameThrough: Bool {
        switch self {
        case .silent: false
        case .answered(let answer): answer.isWellFormed
        }
    }
}
