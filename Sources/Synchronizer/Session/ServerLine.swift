import Enforcement
import Foundation
import ParkAPI
import Storage

/// The way to the server. What comes of each request tells how the link is, and how far box and server are apart in time.
final class ServerLine {
    private let transport: any SyncTransport
    private let store: Store
    private let clock: any SyncClock
    private let random: () -> Double
    private var maximumSkew: TimeSpan

    private(set) var link: LinkMonitor

    /// How far the box's clock is ahead of the server's; nil until the server has told its time.
    private(set) var skew: TimeSpan?

    /// What came of the last exchange, when it was no good answer.
    private(set) var failure: String?

    /// When the server's time was taken down, on `SyncClock.uptime`.
    private var serverTimeNotedAt: Instant?

    /// When the last success was written down, on `SyncClock.uptime`.
    private var successStoredAt: Instant?

    init(
        transport: any SyncTransport, store: Store, clock: any SyncClock, random: @escaping () -> Double,
        settings: SyncSettings
    ) {
        self.transport = transport
        self.store = store
        self.clock = clock
        self.random = random
        maximumSkew = settings.maximumSkew
        link = LinkMonitor(settings: settings.link, startedAt: clock.uptime)
    }

    func apply(_ settings: SyncSettings) {
        link.settings = settings.link
        maximumSkew = settings.maximumSkew
    }

    /// Takes up where an earlier run ended, so that a restart doesn't begin an outage anew.
    func recall() throws {
        link = LinkMonitor(settings: link.settings, lastSuccess: try storedSuccess(), startedAt: clock.uptime)
    }

    /// The last success of an earlier run, on this run's clock.
    private func storedSuccess() throws -> Instant? {
        guard let stored = try store.cursors.value(CursorName.lastSuccess) else { return nil }
        let ago = clock.now - Instant(milliseconds: stored)
        return ago > .milliseconds(0) ? clock.uptime - ago : nil
    }

    /// The kernel says that routes or addresses changed.
    func networkChanged() {
        transport.networkChanged()
        _ = link.handle(.networkChanged, at: clock.uptime, random: random())
    }

    /// Whether the server is to be asked now whether it is there again.
    func isProbeDue() -> Bool { !link.handle(.tick, at: clock.uptime, random: random()).isEmpty }

    func perform(_ request: SyncRequest) -> ServerExchange { transport.perform(request) }

    var isThroughPeer: Bool { transport.isThroughPeer }

    /// When something was asked, on both clocks.
    struct Asked {
        var now: Instant
        var uptime: Instant
    }

    var asked: Asked { Asked(now: clock.now, uptime: clock.uptime) }

    /// Takes note of what came of asking.
    ///
    /// - Returns: whether the link came back with it.
    func note(_ exchange: ServerExchange, since asked: Asked) throws -> Bool {
        let took = clock.uptime - asked.uptime
        let event: LinkMonitor.Event
        switch exchange {
        case .silent(let reason):
            event = .unanswered
            failure = reason
        case .answered(let answer):
            let showsLink = answer.showsLink
            event = showsLink ? .wellAnswered : .badlyAnswered
            failure = showsLink ? nil : Verdict(exchange, identities: [], at: clock.now).reason
            if showsLink { try noteTime(answer, asked, took: took) }
        }
        let actions = link.handle(event, at: clock.uptime, random: random())
        let isStale = successStoredAt.map { clock.uptime - $0 >= .seconds(10) } ?? true
        if event == .wellAnswered, isStale || !actions.isEmpty {
            try storeSuccess()
        }
        return actions.contains { if case .cameBack = $0 { true } else { false } }
    }

    /// The server says on its stream that it is there. That proves nothing while what it is asked fails: a server that takes no record is no
    /// link for it, and after five minutes the texts go, whatever a stream says that still stands.
    func noteHeard() throws {
        guard !link.isDown, failure == nil else { return }
        _ = link.handle(.wellAnswered, at: clock.uptime, random: random())
        // It is heard three times a minute: so often nothing is written for it.
        guard successStoredAt.map({ clock.uptime - $0 >= .minutes(1) }) ?? true else { return }
        try storeSuccess()
    }

    private func storeSuccess() throws {
        successStoredAt = clock.uptime
        try store.cursors.set(SyncCursor(name: CursorName.lastSuccess, value: clock.now.milliseconds), at: clock.now)
    }

    /// The server's date is cut to seconds and was written somewhere between question and answer.
    private func noteTime(_ answer: ServerAnswer, _ asked: Asked, took: TimeSpan) throws {
        guard let date = answer.date.flatMap(Instant.init(httpDate:)) else { return }
        let written = date + .milliseconds(500)
        let half = TimeSpan.milliseconds(took.milliseconds / 2)
        try noteServerTime(written, at: asked.uptime + half, took: took)
        let found = asked.now + half - written
        let isNews = skew.map { abs($0.seconds - found.seconds) > 2 } ?? true
        skew = found
        guard isNews else { return }
        try store.cursors.set(SyncCursor(name: CursorName.skew, value: found.milliseconds), at: clock.now)
        if found.magnitude > maximumSkew {
            let seconds = Int(found.seconds.rounded())
            let direction = seconds > 0 ? "ahead of" : "behind"
            try store.alarms.raise(
                "clock.skew", .warning, "The clock is \(abs(seconds)) s \(direction) the server's.",
                hint: "Check that the time service runs and reaches its servers.", at: clock.now)
        } else {
            try store.alarms.clear("clock.skew", at: clock.now)
        }
    }

    /// An answer that took longer says too little of when it was written.
    private static let quickAnswer = TimeSpan.seconds(4)

    private static let serverTimeInterval = TimeSpan.minutes(10)

    /// Tells the box when this run of the machine began by the server's clock. Its own may be wrong.
    private func noteServerTime(_ time: Instant, at uptime: Instant, took: TimeSpan) throws {
        guard let boot = clock.boot?.boot, took <= Self.quickAnswer else { return }
        guard serverTimeNotedAt.map({ uptime - $0 >= Self.serverTimeInterval }) ?? true else { return }
        let start = BootClock(boot: boot, startedAt: Instant(milliseconds: 0) + (time - uptime))
        try store.clock.told(HostClock.ServerTime(start: start, askedAt: uptime), at: clock.now)
        serverTimeNotedAt = uptime
    }
}
