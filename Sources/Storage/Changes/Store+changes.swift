import Foundation
import GRDB

extension Store {
    /// What is committed from now on, by this process or another, one element for one or more transactions.
    ///
    /// The buffer holds one element: a reader that is late gets the union of what it missed, and never less. What this process
    /// commits is told at once, what another does within `lookInterval`.
    package func changes() -> AsyncStream<StoreChange> {
        if changeHub.beginsToLook() {
            // What is there now is no news. When it can't be read, the first look that works is the beginning.
            if let counts = try? changeCounts() { _ = changeHub.news(counts) }
            let hub = changeHub
            Task { [weak self] in
                while !hub.isFinished {
                    try? await Task.sleep(for: Self.lookInterval)
                    guard let self else { return }
                    // A database that can't be read now is looked at again: nothing is lost, since the counts stay.
                    hub.look { if let counts = try? self.changeCounts() { hub.announce(hub.news(counts)) } }
                }
            }
        }
        return changeHub.subscribe()
    }

    /// Names the state of these kinds of things, each set for itself: it is another after each commit that changes any of them, by
    /// whatever process.
    package func revisions(of sets: [StoreChange]) throws -> [String] {
        let counts = try changeCounts()
        return sets.map(counts.revision)
    }

    /// How late another process's commit is noticed at most. A look is one read of eight rows.
    private static let lookInterval = Duration.milliseconds(200)

    private func changeCounts() throws -> ChangeCounts {
        try read("Looking for changes") { try ChangeCounts.read($0) }
    }
}
