import Enforcement
import Foundation
import Logging
import Storage

/// A cycle that a person asks for: the running appliance makes it, at once and whatever it was waiting for; while none runs, this process
/// does.
package struct CycleByHand {
    package enum Performer: String, Encodable, Sendable {
        case appliance, command
    }

    private let configuration: Configuration
    private let store: Store
    private let timeoutSeconds: Int

    /// - Parameter timeoutSeconds: how long the appliance is waited for.
    package init(_ configuration: Configuration, store: Store, timeoutSeconds: Int) {
        self.configuration = configuration
        self.store = store
        self.timeoutSeconds = timeoutSeconds
    }

    /// - Returns: who made it, and what went wrong: nil when the last cycle says that.
    package func run() async throws -> (by: Performer, problem: String?) {
        if let obstacle = try BoxMachine(store).obstacle() { throw obstacle }
        return RunLock.isHeld(folder: configuration.dataFolder)
            ? (.appliance, try await askAppliance()) : (.command, try runHere())
    }

    /// Has box and server compared day by day.
    ///
    /// - Returns: what was found; nil where the comparison is not through yet, or the problem says why it was none.
    package func compare() async throws -> (found: ComparisonRecord?, problem: String?) {
        let asked = BoxClock.now
        try store.cursors.set(SyncCursor(name: SyncCursor.comparisonRequested, value: asked.milliseconds), at: asked)
        let (performer, problem) = try await run()
        if performer == .appliance, problem == nil { try await awaitComparison(since: asked) }
        return (try store.comparisons.last().flatMap { $0.at >= asked ? $0 : nil }, problem)
    }

    /// A long comparison takes several cycles.
    private func awaitComparison(since asked: Instant) async throws {
        let deadline = ContinuousClock.now + .seconds(timeoutSeconds)
        while ContinuousClock.now < deadline {
            if let last = try store.comparisons.last(), last.at >= asked { return }
            try await Task.sleep(for: .milliseconds(200))
        }
    }

    /// - Returns: what went wrong; nil when the appliance says that a cycle is done.
    private func askAppliance() async throws -> String? {
        try SyncRequestFile.make(folder: configuration.dataFolder)
        let deadline = ContinuousClock.now + .seconds(timeoutSeconds)
        while ContinuousClock.now < deadline {
            if !SyncRequestFile.isThere(folder: configuration.dataFolder) {
                let link = StatusBoard.read(folder: configuration.dataFolder)?.link
                if let failure = link?.storeFailure { return "the database failed: \(failure)" }
                if let reason = link?.pauseReason { return reason }
                return link?.offlineSince.map {
                    "the server is out of reach since \($0.nepalText)" + (link?.failure.map { ": \($0)" } ?? "")
                }
            }
            guard RunLock.isHeld(folder: configuration.dataFolder) else {
                SyncRequestFile.remove(folder: configuration.dataFolder)
                return "the appliance has stopped; run this again"
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        return "the appliance is still at it after \(timeoutSeconds) s; `checkpost sync` shows how far it is"
    }

    /// Runs cycles until nothing is due, as the one process that may.
    private func runHere() throws -> String? {
        let lock = try RunLock(folder: configuration.dataFolder)
        defer { withExtendedLifetime(lock) {} }
        let log = Logger(label: "sync") { _ in SwiftLogNoOpLogHandler() }
        guard let (engine, _) = try ApplianceSync.makeEngine(configuration, store: store, log: log) else {
            return nil
        }
        engine.requestCycle(byHand: true)
        try engine.tick()
        guard !engine.link.isDown else { return engine.linkFailure ?? "the server does not answer" }
        // Photos are sent some at a time.
        for _ in 0..<1000 where engine.isRequested && !engine.link.isDown { try engine.tick() }
        return engine.queue.pauseReason
    }
}
