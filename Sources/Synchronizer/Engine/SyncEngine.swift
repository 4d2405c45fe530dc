import Enforcement
import Foundation
import HTTPClient
import ParkAPI
import Storage

/// Brings everything that is recorded to the server, and what the server knows here: push, then pull, then photos.
///
/// It is a loop over parts, each with a state of its own; a part asks the server through the ``SyncContext`` that all share. It is
/// used by one thread, and blocks while the server answers. It never waits: `tick` does what is due and says when something is due
/// again, so that a simulation can drive it with a clock and a transport of its own.
package final class SyncEngine {
    private let context: SyncContext
    private let outbox: Outbox
    private let keptTexts: KeptTextSender
    private let reference: ReferenceData
    private let pull: Pull
    private let photos: PhotoUploads
    private let reports: RunReports

    private let ledger: DataLedger

    /// Whether what this run begins with was read.
    private var isLoaded = false

    /// When the server last said something on its stream, on `SyncClock.uptime`; nil since that ended.
    private var heardAt: Instant?

    /// Whether the server tells when something changes: then there is less to ask for.
    package var isTold: Bool { heardAt.map { clock.uptime - $0 < Self.longestSilence } ?? false }

    private static let longestSilence = TimeSpan.seconds(60)

    /// Whether the last cycle came to its end with nothing done.
    private var wasQuiet = false

    // On `SyncClock.uptime`.
    private var nextCycle: Instant
    private var nextLook: Instant
    /// When the last cycle ended.
    private(set) var lastCycle: Instant?

    /// - Parameters:
    ///   - random: 0…1, for the jitter of waits.
    ///   - meter: that of the transport.
    package init(
        store: Store, transport: any SyncTransport, server: SyncServer, settings: SyncSettings = SyncSettings(),
        tokens: TokenStore, clock: any SyncClock = SystemSyncClock(),
        random: @escaping () -> Double = { Double.random(in: 0...1) }, surroundings: any SyncSurroundings,
        meter: DataMeter = DataMeter()
    ) throws {
        context = SyncContext(
            store: store, transport: transport, server: server, settings: settings, tokens: tokens, clock: clock,
            random: random)
        let taken = TakenRecords(context)
        let reviews = ReviewExchange(context, surroundings: surroundings)
        outbox = Outbox(context, taken: taken)
        keptTexts = KeptTextSender(context)
        reference = ReferenceData(context)
        pull = Pull(context, reference: reference, reviews: reviews, taken: taken, surroundings: surroundings)
        ledger = DataLedger(context, meter)
        photos = PhotoUploads(context, outbox: outbox, ledger: ledger, surroundings: surroundings)
        reports = RunReports(context, reviews: reviews)
        (nextCycle, nextLook) = (clock.uptime, clock.uptime)
        context.tellQueue = { [unowned outbox] in try outbox.tell($0) }
        // A disk that fails now doesn't keep the box from starting: the first tick reads it again.
        do {
            try load()
            try store.queue.recoverInFlight()
        } catch is StoreError {}
    }

    private func load() throws {
        guard !isLoaded else { return }
        try context.line.recall()
        try reference.recall()
        isLoaded = true
    }

    var store: Store { context.store }
    var clock: any SyncClock { context.clock }
    package var settings: SyncSettings { context.settings }
    package var queue: SyncQueue { outbox.queue }
    package var link: LinkMonitor { context.line.link }
    package var skew: TimeSpan? { context.line.skew }

    /// Whether the server is reached by way of the other post.
    package var isThroughPeer: Bool { context.line.isThroughPeer }

    /// What came of the last exchange, when it was no good answer.
    package var linkFailure: String? { context.line.failure }

    /// Whether a cycle is due at once: there is more to send than one cycle takes.
    package var isRequested: Bool { context.isCycleRequested }

    /// Called after each exchange with the server, on the engine's thread.
    package var onExchange: () -> Void {
        get { context.onExchange }
        set { context.onExchange = newValue }
    }

    /// What runs from now on; what is under way is not disturbed.
    package func apply(_ settings: SyncSettings) {
        context.apply(settings)
        outbox.apply(settings)
    }

    /// A cycle is due at once. By hand, a pause for a refused account ends, and limits and settings are asked for as well.
    package func requestCycle(byHand: Bool = false) {
        context.requestCycle()
        guard byHand else { return }
        reference.expire()
        pull.expire()
        outbox.askedByHand()
    }

    /// What the server is asked to tell of changes; nil for one that can't, and while nobody is signed in or nothing answers.
    package var changeQuestion: SyncRequest? {
        guard !link.isDown, !isThroughPeer, let token = context.session.tokens?.accessToken,
            let dialect = context.dialect,
            dialect.schema == .ours, dialect.can(.news) == true
        else { return nil }
        return SyncRequest(.get, ParkPath.changes, headers: ["Accept": "text/event-stream"])
            .authorised(apiKey: context.server.apiKey, token: token)
    }

    /// The server says that something changed: a cycle is due at once, or some seconds after the last one. What this box sent comes back as
    /// such a word, too.
    package func changeTold() throws {
        nextCycle = min(nextCycle, max(clock.uptime, lastCycle.map { $0 + Self.toldPause } ?? clock.uptime))
        try serverHeard()
    }

    /// The server says that it is there, and tells what changes.
    package func serverHeard() throws {
        heardAt = clock.uptime
        try context.line.noteHeard()
    }

    /// The server tells nothing more: everything is looked at, and the timer has its usual pace.
    package func nothingTold() {
        guard heardAt != nil else { return }
        heardAt = nil
        context.requestCycle()
    }

    private static let toldPause = TimeSpan.seconds(5)

    /// While the server tells what changes, quiet cycles are so far apart. What is told to it, and what it can't tell, comes with them.
    private static let toldInterval = TimeSpan.minutes(1)

    /// What ended early, or has done something and may have more to do, goes on at the usual pace.
    private var interval: TimeSpan {
        isTold && wasQuiet ? max(settings.interval, Self.toldInterval) : settings.interval
    }

    /// The kernel says that routes or addresses changed.
    package func networkChanged() {
        context.line.networkChanged()
    }

    /// Whether something waits that could be sent now: a reason for a cycle when the database changed.
    package func hasDueEntry() throws -> Bool { try outbox.hasDueEntry() }

    /// Does what is due.
    ///
    /// - Returns: when something is due again, on `SyncClock.uptime`.
    /// - Throws: `StoreError` when the database fails.
    @discardableResult
    package func tick() throws -> Instant {
        do {
            try load()
            try outbox.recoverOrphans()
            try forgetWhatIsWished()
            return try doWhatIsDue()
        } catch {
            outbox.suspectOrphans()
            throw error
        }
    }

    /// Between two cycles, whether the server is in reach or not.
    private func forgetWhatIsWished() throws {
        guard try !FetchedReset(store).perform(at: clock.now).isEmpty else { return }
        pull.expire()
        context.requestCycle()
    }

    /// Of days that a person wants sent once more so many passages are put in line at once: what is recorded now waits for no more of them.
    private static let wantedAtOnce = 200

    private func sendWantedDays() throws {
        guard try store.days.wanted(.send) != nil else { return }
        guard try store.queue.counts()[.pending] ?? 0 < Self.wantedAtOnce else { return }
        if try store.days.sendNext(limit: Self.wantedAtOnce, at: clock.now) == Self.wantedAtOnce {
            context.requestCycle()
        }
    }

    private func doWhatIsDue() throws -> Instant {
        if link.isDown {
            let isProbeDue = context.line.isProbeDue()
            guard context.takeCycleRequest() || isProbeDue else { return link.nextProbe }
            _ = try context.exchange(probe)
            guard !link.isDown else { return link.nextProbe }
            nextCycle = clock.uptime
        }
        guard context.takeCycleRequest() || clock.uptime >= nextCycle else {
            return try keepLinkKnown() ? min(nextCycle, nextLook) : clock.uptime
        }
        let began = clock.uptime
        nextCycle = began + settings.interval
        let wait = try runCycle()
        lastCycle = clock.uptime
        nextCycle = max(began + interval, clock.uptime)
        if let wait { nextCycle = min(nextCycle, clock.uptime + max(wait - clock.now, .milliseconds(50))) }
        return link.isDown ? link.nextProbe : min(nextCycle, max(nextLook, clock.uptime))
    }

    /// Asks for something small now and then when cycles are further apart than an answer counts.
    ///
    /// - Returns: false when the link is down since.
    private func keepLinkKnown() throws -> Bool {
        guard clock.uptime >= nextLook else { return true }
        nextLook = clock.uptime + .seconds(settings.link.onlineFor.seconds / 2)
        if clock.uptime - link.lastSuccess >= .seconds(settings.link.onlineFor.seconds / 2) {
            _ = try context.exchange(probe)
        }
        return !link.isDown
    }

    private var probe: SyncRequest {
        .read(RowQuery<CheckpostColumn>().telling([.id]).limited(to: 1), timeout: .seconds(20))
    }

    /// Pulls; what holds it up doesn't hold up the photos, unless it is the link or the disk.
    private func pullAsFarAsItGoes() throws -> CycleEnd? {
        do {
            try pull.run()
            return nil
        } catch let end as CycleEnd {
            if link.isDown || context.session.tokens == nil { throw end }
            return end
        } catch let error as StoreError where [.refused, .unknown, .unreadable].contains(error.kind) {
            // One row that the database won't have, or has and can't tell: everything else works.
            return CycleEnd(error.message)
        }
    }

    /// Why photos wait though the server answers; nil when they don't.
    package var photosWait: PhotoAllowance.Wait? { photos.wait == .peer && !isThroughPeer ? nil : photos.wait }

    /// One cycle: push everything, pull, photos, and last what it did.
    ///
    /// - Returns: before when something in the queue waits, on the wall clock; nil for the next interval.
    @discardableResult
    package func runCycle() throws -> Instant? {
        let startedAt = clock.now
        context.counts = CycleCounts()
        var failure: String?
        var wait: Instant?
        outbox.suspectOrphans()
        do {
            try outbox.recoverOrphans()
            try outbox.signInIfNeeded()
            try reference.refreshIfDue()
            try pull.restoreFirst()
            try sendWantedDays()
            wait = try outbox.push()
            try keptTexts.send()
            let pullEnd = try pullAsFarAsItGoes()
            try photos.upload()
            if let pullEnd { throw pullEnd }
            // On a quiet road nothing else is sent whose success would bring back what failed.
            try outbox.tell(.answeredWell)
            if context.counts.leftOut > 0 {
                throw CycleEnd("\(context.counts.leftOut) of the server's rows make no sense and were left out.")
            }
        } catch let end as CycleEnd {
            failure = end.reason
            wait = outbox.queue.pausedUntil
            // An account that is refused leaves the link alone: it is asked about by itself.
            if outbox.queue.pauseReason != nil, !link.isDown { _ = try context.exchange(probe) }
        }
        try ledger.write()
        try store.runs.record(
            SyncRun(
                startedAt: startedAt, finishedAt: max(clock.now, startedAt), pushed: context.counts.pushed,
                pulled: context.counts.pulled, photos: context.counts.photos, failure: failure))
        let counts = context.counts
        wasQuiet = failure == nil && counts.pushed + counts.pulled + counts.photos == 0
        if failure == nil { try reports.tell() }
        return wait
    }
}
