import Enforcement
import Foundation
import Storage
import Synchronizer

/// Has fetched anew what a person chooses: what it will do is said before, and the running appliance does it, or this process while none runs.
package struct FetchedAnew {
    package enum Outcome: Sendable, Equatable {
        case done
        /// The appliance has not come to it yet. It is on record, and done with the next cycle.
        case asked
    }

    private let configuration: Configuration
    private let store: Store

    package init(_ configuration: Configuration, store: Store) {
        self.configuration = configuration
        self.store = store
    }

    /// What it will do, line by line.
    package func plan(_ kinds: Set<FetchedKind>, at now: Instant) throws -> [String] {
        let counts = try store.fetched.counts()
        var lines = FetchedKind.allCases.filter(kinds.contains).map { line($0, counts) }
        let figures = try SyncFigures(store, at: now)
        lines.append(
            "Untouched: what this post recorded, its pictures, reviews, lists and own accounts, and the queue (\(figures.queueText))."
        )
        return lines + (try obstacle(kinds, at: now).map { [$0] } ?? [])
    }

    private func line(_ kind: FetchedKind, _ counts: FetchedCounts) -> String {
        switch kind {
        case .passages:
            "Passages of \(configuration.otherPostCode), removed and fetched anew as far back as matching looks: \(counts.passages); "
                + "kept, since something here refers to them: \(counts.passagesKept). No overstay is judged until they are here again."
        case .road: "Road, limits and settings: they hold until the server has told them anew."
        case .lists: "The office's lists: \(counts.listedPlates) plates hold until the server has told them anew."
        case .accounts:
            "Accounts of the server: \(counts.accounts) are removed with their PINs, and their sessions end. Each signs in with the password "
                + "once the server answers."
        case .findings:
            "Matches, violations, outcomes and alerts: \(counts.violations) violations hold until the server has told them anew; what it has "
                + "no longer is found by a comparison."
        }
    }

    /// Why nothing is fetched at once, and what that means; nil where it is.
    private func obstacle(_ kinds: Set<FetchedKind>, at now: Instant) throws -> String? {
        var why: String
        if RunLock.isHeld(folder: configuration.dataFolder) {
            guard let since = StatusBoard.read(folder: configuration.dataFolder)?.link?.offlineSince else { return nil }
            why = "The server is out of reach since \(since.nepalText): it is fetched when it answers."
        } else {
            why = "The appliance is not running: it is fetched after its start, when the server answers."
        }
        if kinds.contains(.passages) {
            why +=
                " Until then this post doesn't know who passed \(configuration.otherPostCode): no violation is found, and no overstay "
                + "alert raised."
        }
        return why
    }

    /// Keeps the wish, and has it done.
    ///
    /// - Parameter timeoutSeconds: how long the appliance is waited for.
    package func run(_ kinds: Set<FetchedKind>, timeoutSeconds: Int) async throws -> Outcome {
        try store.fetched.wish(kinds, at: BoxClock.now)
        let folder = configuration.dataFolder
        guard RunLock.isHeld(folder: folder) else {
            let lock = try RunLock(folder: folder)
            defer { withExtendedLifetime(lock) {} }
            try FetchedReset(store).perform(at: BoxClock.now)
            return .done
        }
        try SyncRequestFile.make(folder: folder)
        let deadline = ContinuousClock.now + .seconds(timeoutSeconds)
        while ContinuousClock.now < deadline {
            if try store.fetched.wishes().subtracting(FetchedKind.held).isEmpty { return .done }
            try await Task.sleep(for: .milliseconds(100))
        }
        return .asked
    }
}
