/// Which way requests go to the server: over the box's own link, or through another box, which may have one while this box has none.
///
/// The own link comes first. While it is down and the other post has a way, requests go there, and the own link is tried now and then. Where
/// neither has one, the other post is asked rarely: it can't tell by itself when its link is back.
///
/// `now` comes from a clock that only runs forward.
package struct RouteChoice: Sendable, Equatable {
    package enum Route: String, Sendable, Codable, CaseIterable { case own, peer }

    /// How often the own link is tried while requests go through another box.
    static let ownAgain = TimeSpan.minutes(2)

    /// How long the other post is left alone after it had no way; longer each time.
    static let peerAgain = Backoff(firstDelay: .seconds(30), longestDelay: .minutes(5))

    /// The way of the last request that came through; the own one before.
    package private(set) var route = Route.own

    private var nextOwn: Instant?
    private var nextPeer: Instant?
    private var peerFailures = 0

    package init() {}

    /// The ways that the next request is tried on, in this order until one comes through. It is never empty.
    package func ways(at now: Instant) -> [Route] {
        switch route {
        case .own: isDue(nextPeer, now) ? [.own, .peer] : [.own]
        case .peer: isDue(nextOwn, now) ? [.own, .peer] : [.peer, .own]
        }
    }

    /// Takes note of what came of a way.
    ///
    /// - Parameter cameThrough: whether something answered as the park's server does, well or not.
    package mutating func took(_ way: Route, cameThrough: Bool, at now: Instant) {
        switch way {
        case .own:
            if cameThrough { route = .own } else { nextOwn = now + Self.ownAgain }
        case .peer:
            if cameThrough {
                (route, nextPeer, peerFailures) = (.peer, nil, 0)
            } else {
                peerFailures += 1
                (route, nextPeer) = (.own, now + Self.peerAgain.delay(attempt: peerFailures, random: 1))
            }
        }
    }

    /// The kernel says that routes or addresses changed: both ways are tried at the next request.
    package mutating func networkChanged() { (nextOwn, nextPeer, peerFailures) = (nil, nil, 0) }

    private func isDue(_ moment: Instant?, _ now: Instant) -> Bool { moment.map { now >= $0 } ?? true }
}
