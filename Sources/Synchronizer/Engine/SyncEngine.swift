import Enforcement
import Foundation
import ParkAPI
import Storage

/// What the engine needs of the rest of the appliance.
package protocol SyncSurroundings: AnyObject {
    /// Passages of the other post, or the server's word on ours, have arrived: matching tries again.
    func passagesArrived(at now: Instant) throws

    /// A photo as JPEG or PNG with at most so many bytes.
    ///
    /// - Throws: when the photo can't be read or made that small; it is then counted as an attempt.
    func photo(_ record: PhotoRecord, maximumBytes: Int) throws -> PreparedPhoto
}

package struct PreparedPhoto: Sendable, Equatable {
    package var bytes: Data
    /// `image/jpeg` or `image/png`
    package var mediaType: String

    package init(bytes: Data, mediaType: String) {
        self.bytes = bytes
        self.mediaType = mediaType
    }
}

/// Brings everything that is recorded to the server, and what the server knows here: push, then pull, then photos.
///
/// It performs what `SyncQueue` and `LinkMonitor` decide. It is used by one thread, and blocks while the server answers. It
/// never waits: `tick` does what is due and says when something is due again, so that a simulation can drive it with a clock
/// and a transport of its own.
package final class SyncEngine {
    let store: Store
    let transport: any SyncTransport
    let server: SyncServer
    let tokenStore: TokenStore
    let clock: any SyncClock
    let random: () -> Double
    let surroundings: any SyncSurroundings

    /// Called after each exchange with the server, on the engine's thread.
    package var onExchange: () -> Void = {}

    package internal(set) var settings: SyncSettings
    package internal(set) var queue: SyncQueue
    package internal(set) var link: LinkMonitor
    package internal(set) var skew: TimeSpan?

    /// What came of the last exchange, when it was no good answer.
    package internal(set) var linkFailure: String?

    var tokens: SyncTokens?
    var place: (segment: Segment, checkposts: [Checkpost])?
    var nextReference: Instant
    /// How the server speaks; nil until it was asked. What it can do is learned into it, once a run.
    var dialect: ServerDialect?
    /// Whether this run has asked for its own passages before the first push; a server that has none leaves no cursor.
    var hasRestored = false
    /// What waited here when the server was told last, and when it is told again.
    var toldReviews: OtherPost.Reviews?
    var nextReviews = Instant(milliseconds: 0)

    /// What is left of a comparison that takes several cycles.
    var comparison: Comparison?
    var photoWaits: [UUID: Instant] = [:]
    var nextPhotoRevival: Instant
    var nextMetadata: Instant
    var counts = Counts()
    /// When the last success was written down, on `SyncClock.uptime`.
    var successStoredAt: Instant?
    var lastServerSettings: [String: String]?
    /// Whether what this run begins with was read.
    private var isLoaded = false
    /// Whether the disk may show entries as under way that nobody sends.
    var mayHoldOrphans = true

    private var nextCycle: Instant
    private var nextLook: Instant
    /// Whether a cycle is due at once: there is more to send than one cycle takes.
    package private(set) var isRequested = false

    struct Counts {
        var pushed = 0
        var pulled = 0
        var photos = 0
        /// Rows of the server that make no sense here.
        var leftOut = 0
    }

    /// - Parameters:
    ///   - random: 0…1, for the jitter of waits.
    package init(
        store: Store, transport: any SyncTransport, server: SyncServer, settings: SyncSettings = SyncSettings(),
        tokens: TokenStore, clock: any SyncClock = SystemSyncClock(),
        random: @escaping () -> Double = { Double.random(in: 0...1) }, surroundings: any SyncSurroundings
    ) throws {
        self.store = store
        self.transport = transport
        self.server = server
        self.settings = settings
        tokenStore = tokens
        self.clock = clock
        self.random = random
        self.surroundings = surroundings
        let uptime = clock.uptime
        queue = SyncQueue(settings: settings.queue)
        link = LinkMonitor(settings: settings.link, startedAt: uptime)
        (nextReference, nextPhotoRevival, nextMetadata, nextCycle, nextLook) = (uptime, uptime, uptime, uptime, uptime)
        self.tokens = tokenStore.load(owner: "\(server.email) \(server.url)")
        // A disk that fails now doesn't keep the box from starting: the first tick reads it again.
        do {
            try load()
            try store.recoverInFlight()
        } catch is StoreError {}
    }

    private func load() throws {
        guard !isLoaded else { return }
        let lastSuccess = try Self.lastSuccess(store, clock)
        if let known = try store.segment(ofCheckpost: server.checkpostCode) { place = known }
        link = LinkMonitor(settings: settings.link, lastSuccess: lastSuccess, startedAt: clock.uptime)
        isLoaded = true
    }

    /// Puts what nobody sends any longer back in line. Also while the link is down: what seems to be under way is never due for SMS.
    func recoverOrphans() throws {
        guard mayHoldOrphans else { return }
        try perform(handle(.began))
        mayHoldOrphans = false
    }

    /// The last success of an earlier run on this run's clock, so that a restart doesn't begin an outage anew.
    private static func lastSuccess(_ store: Store, _ clock: any SyncClock) throws -> Instant? {
        guard let stored = try store.cursor(CursorName.lastSuccess) else { return nil }
        let ago = clock.now - Instant(milliseconds: stored)
        return ago > .milliseconds(0) ? clock.uptime - ago : nil
    }

    /// What runs from now on; what is under way is not disturbed.
    package func apply(_ settings: SyncSettings) {
        self.settings = settings
        queue.settings = settings.queue
        link.settings = settings.link
    }

    /// A cycle is due at once. By hand, a pause for a refused account ends, and limits and settings are asked for as well.
    package func requestCycle(byHand: Bool = false) {
        isRequested = true
        guard byHand else { return }
        nextReference = clock.uptime
        _ = queue.handle(.askedByHand, at: clock.now, random: random())
    }

    /// The kernel says that routes or addresses changed.
    package func networkChanged() {
        _ = link.handle(.networkChanged, at: clock.uptime, random: random())
    }

    /// Whether something waits that could be sent now: a reason for a cycle when the database changed.
    package func hasDueEntry() throws -> Bool {
        guard let first = try store.waitingToSend(limit: 1).first else { return false }
        return first.nextAttemptAt.map { $0 <= clock.now } ?? true
    }

    /// Does what is due.
    ///
    /// - Returns: when something is due again, on `SyncClock.uptime`.
    /// - Throws: `StoreError` when the database fails.
    @discardableResult
    package func tick() throws -> Instant {
        do {
            try load()
            try recoverOrphans()
            return try doWhatIsDue()
        } catch {
            mayHoldOrphans = true
            throw error
        }
    }

    private func doWhatIsDue() throws -> Instant {
        if link.isDown {
            let isDue = !link.handle(.tick, at: clock.uptime, random: random()).isEmpty || isRequested
            isRequested = false
            guard isDue else { return link.nextProbe }
            _ = try exchange(probe)
            guard !link.isDown else { return link.nextProbe }
            nextCycle = clock.uptime
        }
        guard isRequested || clock.uptime >= nextCycle else {
            return try keepLinkKnown() ? min(nextCycle, nextLook) : clock.uptime
        }
        isRequested = false
        nextCycle = clock.uptime + settings.interval
        let wait = try runCycle()
        if let wait { nextCycle = min(nextCycle, clock.uptime + max(wait - clock.now, .milliseconds(50))) }
        return link.isDown ? link.nextProbe : min(nextCycle, max(nextLook, clock.uptime))
    }

    /// Asks for something small now and then when cycles are further apart than an answer counts.
    ///
    /// - Returns: false when the link is down since.
    private func keepLinkKnown() throws -> Bool {
        guard clock.uptime >= nextLook else { return true }
        nextLook = clock.uptime + .seconds(settings.link.onlineFor.seconds / 2)
        if clock.uptime - link.lastSuccess >= .seconds(settings.link.onlineFor.seconds / 2) { _ = try exchange(probe) }
        return !link.isDown
    }

    private var probe: SyncRequest {
        .read(RowQuery<CheckpostColumn>().telling([.id]).limited(to: 1), timeout: .seconds(20))
    }

    /// Pulls; what holds it up doesn't hold up the photos, unless it is the link or the disk.
    private func pullAsFarAsItGoes() throws -> CycleEnd? {
        do {
            try pull()
            return nil
        } catch let end as CycleEnd {
            if link.isDown || tokens == nil { throw end }
            return end
        } catch let error as StoreError where [.refused, .unknown, .unreadable].contains(error.kind) {
            // One row that the database won't have, or has and can't tell: everything else works.
            return CycleEnd(error.message)
        }
    }

    /// One cycle: push everything, pull, photos, and last what it did.
    ///
    /// - Returns: before when something in the queue waits, on the wall clock; nil for the next interval.
    @discardableResult
    package func runCycle() throws -> Instant? {
        let startedAt = clock.now
        counts = Counts()
        var failure: String?
        var wait: Instant?
        mayHoldOrphans = true
        do {
            try recoverOrphans()
            try signInIfNeeded()
            try refreshReferenceIfDue()
            try restoreFirst()
            wait = try push()
            let pullEnd = try pullAsFarAsItGoes()
            try uploadPhotos()
            if let pullEnd { throw pullEnd }
            if counts.leftOut > 0 {
                throw CycleEnd("\(counts.leftOut) of the server's rows make no sense and were left out.")
            }
        } catch let end as CycleEnd {
            failure = end.reason
            wait = queue.pausedUntil
            // An account that is refused leaves the link alone: it is asked about by itself.
            if queue.pauseReason != nil, !link.isDown { _ = try exchange(probe) }
        }
        try store.record(
            SyncRun(
                startedAt: startedAt, finishedAt: max(clock.now, startedAt), pushed: counts.pushed,
                pulled: counts.pulled, photos: counts.photos, failure: failure))
        if failure == nil { try reportRuns() }
        return wait
    }
}

/// What the engine remembers in the table of cursors.
enum CursorName {
    static let lastSuccess = SyncCursor.linkLastSuccess
    static let skew = SyncCursor.clockSkew
    static let reportedRuns = "sync_runs_reported_up_to"
    /// When box and server were last compared.
    static let comparedAt = "compared_at"
    /// The server's numbers went back, and not everything was compared since.
    static let serverWentBack = "server_went_back"
    /// Outcomes and dismissals are to be told again once the server has been read.
    static let findingsWait = "findings_to_send_again"
}
