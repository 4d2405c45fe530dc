import ParkAPI

@testable import Synchronizer

/// The way to the park through the other post: as long as that has power and a link, and the radio between the two carries.
final class SimulatedWay: SyncTransport {
    private let own: SimulatedLink
    private let isOut: () -> Bool

    /// Requests that were answered over it.
    private(set) var carried = 0

    /// - Parameters:
    ///   - own: what is asked over the way stands in the trace of the post's link.
    ///   - isOut: whether it carries nothing now.
    init(_ own: SimulatedLink, isOut: @escaping () -> Bool) {
        (self.own, self.isOut) = (own, isOut)
    }

    func perform(_ request: SyncRequest) -> ServerExchange {
        let exchange = own.perform(request, isOut: isOut)
        if case .answered = exchange { carried += 1 }
        return exchange
    }
}
