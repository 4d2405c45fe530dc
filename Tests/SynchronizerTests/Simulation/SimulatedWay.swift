import Enforcement
import ParkAPI

@testable import Synchronizer

/// The way to the park through another box: through the other post as long as that has power and a link, and the radio between the two
/// carries, else through a hub.
final class SimulatedWay: SyncTransport {
    private let own: SimulatedLink
    private let isPostOut: () -> Bool
    private let hub: SimulatedHub

    /// Requests that were answered over it.
    private(set) var carried = 0

    /// - Parameters:
    ///   - own: what is asked over the way stands in the trace of the post's link.
    ///   - isPostOut: whether nothing goes through the other post now.
    init(_ own: SimulatedLink, hub: SimulatedHub, isPostOut: @escaping () -> Bool) {
        (self.own, self.isPostOut, self.hub) = (own, isPostOut, hub)
    }

    func perform(_ request: SyncRequest) -> ServerExchange {
        let isOfHub = isPostOut()
        let exchange = own.perform(request) { isOfHub && hub.isOut }
        if case .answered = exchange {
            carried += 1
            if isOfHub { hub.carried += 1 }
        }
        return exchange
    }
}

/// The headquarters' box, which lends its link to all posts around it. It draws from a seed of its own, so that nothing else of a day
/// changes with it.
final class SimulatedHub {
    /// A quarter of the roads have one.
    let isThere: Bool
    private let time: SimulatedTime
    private var outages: [ClosedRange<TimeSpan>] = []

    /// Requests that were answered through it.
    var carried = 0

    init(seed: UInt64, _ time: SimulatedTime, until length: TimeSpan) {
        var chance = Chance(seed: seed &* 251 &+ 29)
        self.time = time
        isThere = chance.happens(0.25)
        var at = chance.span(0...600)
        while at < length {
            let end = at.adding(chance.span(30...900))
            outages.append(at...end)
            at = end.adding(chance.span(60...900))
        }
    }

    var isOut: Bool { !isThere || outages.contains { $0.contains(time.passed) } }
}
