import Enforcement
import Foundation
import Storage

/// Forgets what was fetched from the server where a person wishes it, so that it is fetched anew. It is done by the one who reads from
/// the server: the engine between two of its cycles, or a command while no engine runs.
///
/// What is held until the server has told it (`FetchedKind.held`) is the business of `ReferenceData`.
package struct FetchedReset {
    private let store: Store

    package init(_ store: Store) {
        self.store = store
    }

    /// Does what is wished. A power cut in between does no harm: the wish is on record until all of it is done.
    ///
    /// - Returns: what was done.
    @discardableResult
    package func perform(at now: Instant) throws -> Set<FetchedKind> {
        let wishes = try store.fetched.wishes()
        let due = wishes.subtracting(FetchedKind.held)
        guard !due.isEmpty else { return [] }
        // First of all: nothing is said to be known of the other post that is about to go.
        try store.fetched.beginAnew(
            due == FetchedKind.forgotten ? PullCursor.allCases.map(\.prefix) : due.flatMap(Self.cursors).map(\.prefix),
            otherPostToo: due.contains(.passages))
        if due.contains(.passages) { while try store.fetched.forgetPassages() > 0 {} }
        if due.contains(.accounts) { _ = try store.fetched.forgetAccounts() }
        if due.contains(.findings) {
            // What the server has no longer is not among what it tells: the comparison finds it.
            try store.cursors.set(SyncCursor(name: SyncCursor.comparisonRequested, value: now.milliseconds), at: now)
        }
        for wish in due { try store.fetched.done(wish) }
        return due
    }

    private static func cursors(_ kind: FetchedKind) -> [PullCursor] {
        switch kind {
        case .passages: [.other, .changes]
        case .findings: [.own, .violations, .outcomes, .alerts]
        case .road, .lists, .accounts: []
        }
    }
}
