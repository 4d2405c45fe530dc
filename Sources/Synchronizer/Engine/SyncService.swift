import Enforcement
import Foundation
import HTTPClient
import MachineClock
import Storage

/// What the console and `status` show of synchronization.
package struct SyncState: Sendable, Equatable {
    package var level: LinkMonitor.Level

    /// On the wall clock; nil while online.
    package var offlineSince: Instant?

    /// When the server last answered well, on the wall clock; nil while it never did.
    package var lastSuccessAt: Instant?

    /// What came of the last exchange, when it was no good answer.
    package var linkFailure: String?

    /// Why nothing is sent though the server answers.
    package var pauseReason: String?

    /// How far the box's clock is ahead of the server's.
    package var skew: TimeSpan?
    package var lastCycleAt: Instant?

    /// What the database did not do at the last cycle.
    package var storeFailure: String?

    /// How many of the calls of `syncNow` have been answered by a cycle.
    package var answeredRequests = 0

    /// Whether the server tells when something changes.
    package var isTold = false

    /// Why photos wait, where it is for the link's sake.
    package var photosWait: PhotoAllowance.Wait?

    /// Whether the server is reached by way of the other post.
    package var isThroughPeer = false

    /// Grows with each exchange and cycle, and while the engine waits for its next one: what shows that it doesn't hang.
    package var turns = 0
}

/// Runs the engine on a thread of its own: every 30 s, on a new passage, when the network changes, and when asked.
package final class SyncService: @unchecked Sendable {
    private let engine: SyncEngine
    private let store: Store
    private let clock: any SyncClock
    private let cancellation: HTTPCancellation?

    // Everything below is guarded by `condition`. The engine is the thread's alone.
    private let condition = MonotonicCondition()
    private var isStopping = false
    private var hasEnded = false
    private var wakes: Set<Wake> = []
    private var newSettings: SyncSettings?
    private var requests = 0
    private var snapshot: Snapshot
    private var changeTask: Task<Void, Never>?
    private var watch: LinkWatch?
    private let changeLine: (any ChangeLine)?
    private var listener: ChangeListener?
    private var changeQuestion: SyncRequest?

    private enum Wake: Hashable {
        case stored, network, hand
        case told(ChangeListener.News)
    }

    /// What the thread has made known: the link itself, since its state changes with time alone.
    private struct Snapshot {
        var link: LinkMonitor
        var linkFailure: String?
        var pauseReason: String?
        var skew: TimeSpan?
        var lastCycleAt: Instant?
        var storeFailure: String?
        var answeredRequests = 0
        var isTold = false
        var photosWait: PhotoAllowance.Wait?
        var isThroughPeer = false
        var turns = 0
    }

    /// - Parameters:
    ///   - engine: used by this service alone from now on.
    ///   - changeLine: on which the server may tell what changes.
    ///   - cancellation: ends what its transport has under way when the service stops.
    package init(
        _ engine: SyncEngine, changeLine: (any ChangeLine)? = nil, cancellation: HTTPCancellation? = nil
    ) {
        self.engine = engine
        self.changeLine = changeLine
        self.cancellation = cancellation
        store = engine.store
        clock = engine.clock
        snapshot = Snapshot(link: engine.link)
        engine.onExchange = { [unowned self] in publish() }
    }

    package var state: SyncState {
        condition.lock()
        defer { condition.unlock() }
        let (uptime, now) = (clock.uptime, clock.now)
        return SyncState(
            level: snapshot.link.level(at: uptime),
            offlineSince: snapshot.link.offlineSince(at: uptime).map { now - (uptime - $0) },
            lastSuccessAt: snapshot.link.knownSuccess.map { now - (uptime - $0) }, linkFailure: snapshot.linkFailure,
            pauseReason: snapshot.pauseReason, skew: snapshot.skew, lastCycleAt: snapshot.lastCycleAt,
            storeFailure: snapshot.storeFailure,
            answeredRequests: snapshot.answeredRequests, isTold: snapshot.isTold, photosWait: snapshot.photosWait,
            isThroughPeer: snapshot.isThroughPeer, turns: snapshot.turns)
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
        guard let changeLine else { return }
        listener = ChangeListener(changeLine) { [weak self] in
            self?.askedForChanges
        } tell: { [weak self] in
            self?.wake(.told($0))
        }
        listener?.start()
    }

    private var askedForChanges: SyncRequest? {
        condition.lock()
        defer { condition.unlock() }
        return changeQuestion
    }

    /// Runs a cycle at once, whatever paused it.
    ///
    /// - Returns: the request's number: it is answered when `state.answeredRequests` has come so far.
    @discardableResult
    package func syncNow() -> Int {
        condition.lock()
        defer { condition.unlock() }
        requests += 1
        wakes.insert(.hand)
        condition.signal()
        return requests
    }

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
        changeLine?.cancellation.cancel()
        cancellation?.cancel()
        condition.lock()
        isStopping = true
        condition.broadcast()
        while !hasEnded { condition.wait() }
        condition.unlock()
        listener?.stop()
    }

    private func wake(_ reason: Wake) {
        condition.lock()
        wakes.insert(reason)
        condition.signal()
        condition.unlock()
    }

    private func run() {
        var next = clock.uptime
        while let (wakes, request) = reasons(until: next) {
            var failure: String?
            do {
                if wakes.contains(.network) { engine.networkChanged() }
                if wakes.contains(.hand) { engine.requestCycle(byHand: true) }
                try take(wakes)
                if wakes.contains(.stored), try engine.hasDueEntry() { engine.requestCycle() }
                next = try engine.tick()
            } catch {
                // The disk may be full for a while. Nothing is lost: what is on it is sent when it works again.
                failure = "\(error)"
                next = clock.uptime + engine.settings.interval
            }
            publish()
            condition.lock()
            snapshot.storeFailure = failure
            // To have heard that the server is there is no cycle.
            if wakes != [.told(.alive)] { snapshot.lastCycleAt = clock.now }
            snapshot.answeredRequests = request
            condition.unlock()
        }
        condition.lock()
        hasEnded = true
        condition.broadcast()
        condition.unlock()
    }

    /// What the server told, with the end of its telling last.
    private func take(_ wakes: Set<Wake>) throws {
        defer { if wakes.contains(.told(.ended)) { engine.nothingTold() } }
        if wakes.contains(.told(.change)) { try engine.changeTold() }
        if wakes.contains(.told(.alive)) { try engine.serverHeard() }
    }

    /// Waits for a reason to run.
    ///
    /// - Returns: the reasons, none when the time has come, and the last request by hand among them; nil when the service ends.
    private func reasons(until moment: Instant) -> (Set<Wake>, request: Int)? {
        condition.lock()
        defer { condition.unlock() }
        while !isStopping, wakes.isEmpty {
            let left = (moment - clock.uptime).seconds
            guard left > 0 else { break }
            // Bounded, since a sleeping machine's clocks disagree about how long it slept.
            condition.wait(until: MonotonicCondition.deadline(in: min(left, 5)))
            snapshot.turns += 1
        }
        if isStopping { return nil }
        if let settings = newSettings { engine.apply(settings) }
        newSettings = nil
        defer { wakes = [] }
        return (wakes, requests)
    }

    /// Makes known how it stands; from the engine's thread only.
    private func publish() {
        condition.lock()
        snapshot.turns += 1
        snapshot.link = engine.link
        snapshot.linkFailure = engine.linkFailure
        snapshot.pauseReason = engine.queue.pauseReason
        snapshot.skew = engine.skew
        snapshot.isTold = engine.isTold
        snapshot.photosWait = engine.photosWait
        snapshot.isThroughPeer = engine.isThroughPeer
        changeQuestion = engine.changeQuestion
        condition.unlock()
    }
}
