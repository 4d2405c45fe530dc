import Foundation
import Pages
import ParkAPI
import Synchronization

/// Those who listen to what changes, by the segment that they may read.
package final class ChangeHubs: Sendable {
    /// One for each segment in which somebody has listened; under nil those who read all.
    private let hubs = Mutex<[UUID?: EventHub]>([:])

    package init() {}

    package var readerCount: Int { hubs.withLock { $0.values.reduce(0) { $0 + $1.readerCount } } }

    /// - Returns: nil when too many listen.
    package func subscribe(to segment: UUID?, for person: String) -> AsyncStream<EventHub.Event>? {
        let hub = hubs.withLock { hubs in
            let hub = hubs[segment] ?? EventHub(keepsNewest: true)
            hubs[segment] = hub
            return hub
        }
        return hub.subscribe(after: nil, for: person)
    }

    /// Says that something was written in these segments.
    package func tell(_ segments: [UUID]) {
        guard !segments.isEmpty else { return }
        let told = hubs.withLock { hubs in (segments + [nil]).compactMap { hubs[$0] } }
        for hub in told { hub.send(ChangeEvent.change.rawValue) }
    }

    /// Says the same to all.
    package func tellAll(_ event: ChangeEvent) {
        for hub in hubs.withLock({ Array($0.values) }) { hub.send(event.rawValue) }
    }

    /// Ends all streams: the server stops.
    package func finish() {
        for hub in hubs.withLock({ Array($0.values) }) { hub.finish() }
    }
}
