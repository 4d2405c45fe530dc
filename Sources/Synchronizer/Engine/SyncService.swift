import Enforcement
import Foundation
import Storage

/// What the console and `status` show of synchronization.
package struct SyncState: Sendable, Equatable {
    package var level: LinkMonitor.Level

    /// On the wall clock; nil while online.
    package var offlineSince: Instant?

    /// Why nothing is sent though the server answers.
    package var pauseReason: String?

    /// How far the box's clock is ahead of the server's.
    package var skew: TimeSpan?
    package var lastCycleAt: Instant?

    /// What the database did not do at the last cycle.
    package var storeFailure: String?
}

/// Runs the engine on a thread of its own: every 30 s, on a new passage, when the network changes, and when asked.
package final class SyncService: @unchecked Sendable {
    private let engine: SyncEngine
    private let store: Store
    private let clock: any SyncClock
    private let cancellation: CurlTransport.Canceller?

    // Everything below is guarded by `condition`. The engine is the thread's alone.
    private let condition = NSCondition()
    private var isStopping = false
    private var hasEnded = false
    private var wakes: Set<Wake> = []
    private var newSettings: SyncSettings?
    private var snapshot: SyncState
    private var changeTask: Task<Void, Never>?
    private var watch: LinkWatch?

    private enum Wake: Hashable {
        case stored, network, hand
    }

    /// - Parameters:
    ///   - engine: used by this service alone from now on.
    ///   - cancellation: ends what its transport has under way when the service stops.
    package init(_ engine: SyncEngine, cancellation: CurlTransport.Canceller? = nil) {
        self.engine = engine
        self.cancellation = cancellation
        store = engine.store
        clock = engine.clock
        snapshot = Self.state(of: engine)
    }

    package var state: SyncState {
        condition.lock()
        defer { condition.unlock() }
        return snapshot
    }

    package func start() {
        let changes = store.changes()
        changeTask = Task { [weak self] in
            for await change in changes {
                guard !change.isDisjoint(with: [.passage, .violation, .overstayAlert]) else { continue }
                self?.wake(.stored)
            }
        }
        watch = LinkWatch { [weak self] in self?.wake(.network) }
        let thread = Thread { [self] in run() }
        thread.name = "sync"
        thread.start()
    }

    /// Runs a cycle at once, whatever paused it.
    package func syncNow() { wake(.hand) }

    /// Settings that hold from the next cycle on.
    package func apply(_ settings: SyncSettings) {
        condition.lock()
        newSettings = settings
        wakes.insert(.stored)
        condition.signal()
        condition.unlock()
    }

    /// Ends what is under way within a second. When it returns, the database is no longer used.
    package func stop() {
        changeTask?.cancel()
        watch?.stop()
        cancellation?.cancel()
        condition.lock()
        isStopping = true
        condition.broadcast()
        while !hasEnded { condition.wait() }
        condition.unlock()
    }

    private func wake(_ reason: Wake) {
        condition.lock()
        wakes.insert(reason)
        condition.signal()
        condition.unlock()
    }

    private func run() {
        var next = clock.uptime
        while let wakes = reasons(until: next) {
            var failure: String?
            do {
                if wakes.contains(.network) { engine.networkChanged() }
                if wakes.contains(.hand) { engine.requestCycle(byHand: true) }
                if wakes.contains(.stored), try engine.hasDueEntry() { engine.requestCycle() }
                next = try engine.tick()
            } catch {
                // The disk may be full for a while. Nothing is lost: what is on it is sent when it works again.
                failure = "\(error)"
                next = clock.uptime + engine.settings.interval
            }
            publish(failure)
        }
        condition.lock()
        hasEnded = true
        condition.broadcast()
        condition.unlock()
    }

    /// Waits for a reason to run.
    ///
    /// - Returns: the reasons; none when the time has come; nil when the service ends.
    private func reasons(until moment: Instant) -> Set<Wake>? {
        condition.lock()
        defer { condition.unlock() }
        while !isStopping, wakes.isEmpty {
            let left = (moment - clock.uptime).seconds
            guard left > 0 else { break }
            // Bounded, so that a state that ages (offline, SMS) is published again.
            if !condition.wait(until: Date(timeIntervalSinceNow: min(left, 5))) { snapshot = Self.aged(snapshot, self) }
        }
        if isStopping { return nil }
        if let settings = newSettings { engine.apply(settings) }
        newSettings = nil
        defer { wakes = [] }
        return wakes
    }

    private func publish(_ failure: String?) {
        var state = Self.state(of: engine)
        state.lastCycleAt = clock.now
        state.storeFailure = failure
        condition.lock()
        snapshot = state
        condition.unlock()
    }

    /// The same, with the level as it is now.
    private static func aged(_ state: SyncState, _ service: SyncService) -> SyncState {
        var aged = Self.state(of: service.engine)
        aged.lastCycleAt = state.lastCycleAt
        aged.storeFailure = state.storeFailure
        return aged
    }

    private static func state(of engine: SyncEngine) -> SyncState {
        let uptime = engine.clock.uptime
        return SyncState(
            level: engine.link.level(at: uptime),
            offlineSince: engine.link.offlineSince(at: uptime).map { engine.clock.now - (uptime - $0) },
            pauseReason: engine.queue.pauseReason, skew: engine.skew)
    }
}
