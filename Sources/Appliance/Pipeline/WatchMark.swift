import Capture
import Enforcement
import Foundation
import MachineClock
import Storage

/// Up to when a camera has watched the road: it says so with what its frames give, and on a quiet road once a minute.
///
/// A picture that is the one before, byte for byte, shows nothing of the road: a camera that hangs sends such. Nor does a time count that
/// may be put right later.
struct WatchMark {
    private static let interval = TimeSpan.minutes(1)

    private var picture: Data?
    private var seen: FrameCommit.Watch?
    private var told: Instant?

    /// Of pictures that came one after the other, by the time since the machine started: which, since when, and when the last came.
    private var stretch: (id: UUID, since: Instant, last: Instant)?

    /// - Parameter uptime: the time since the machine started.
    mutating func see(_ frame: Frame, at uptime: Instant = MachineClock.uptime) {
        defer { picture = frame.picture }
        guard frame.picture != picture else { return }
        // What comes from a folder is taken once, by its name: it may come late, and nothing may come for long.
        let stretch = frame.sourceKey == nil ? goOn(at: uptime) : nil
        guard frame.clockState.isTrusted else { return seen = nil }
        seen = FrameCommit.Watch(
            upTo: frame.recordedAt,
            stretch: stretch.map { .init(id: $0.id, start: frame.recordedAt - (uptime - $0.since)) })
    }

    private mutating func goOn(at uptime: Instant) -> (id: UUID, since: Instant, last: Instant) {
        let isBroken = stretch.map { uptime - $0.last > UnwatchedTable.leastGap } ?? true
        let known = isBroken ? nil : stretch
        let goesOn = (id: known?.id ?? UUID(), since: known?.since ?? uptime, last: uptime)
        stretch = goesOn
        return goesOn
    }

    /// Whether it is worth a transaction of its own.
    var isDue: Bool {
        guard let seen else { return false }
        // A clock that was set back is no reason to wait for it.
        return told.map { abs((seen.upTo - $0).seconds) >= Self.interval.seconds } ?? true
    }

    /// What goes on record with the next transaction.
    mutating func take() -> FrameCommit.Watch? {
        defer { seen = nil }
        if let seen { told = seen.upTo }
        return seen
    }
}
