import Enforcement
import MachineClock
import Storage
import Synchronization

/// How the data link is, as the synchronization's part tells it in its file.
///
/// When that part is dead or hangs, its news get old. Then nobody knows how the link is, nothing is sent over it, and so it counts as down
/// since the last success that stands in the database: a passage goes by SMS all the same.
final class DataLinkNews: DataLink {
    /// How long the part may be silent, or without a finished cycle after its start, before the link counts as down.
    static let patience = TimeSpan.minutes(2)

    private struct Known {
        var sight = LinkSight.unknown
        var uptime: Instant
    }

    private let read: @Sendable () -> PartNews?
    private let lastSuccess: @Sendable () throws -> Instant?
    private let uptime: @Sendable () -> Instant
    private let begunAt: Instant
    private let known: Mutex<Known>

    convenience init(folder: RunFolder, store: Store) {
        self.init(
            read: { PartNews.read(of: .sync, in: folder) },
            lastSuccess: { try store.cursors.value(SyncCursor.linkLastSuccess).map(Instant.init(milliseconds:)) },
            begunAt: BoxClock.now)
    }

    /// - Parameters:
    ///   - lastSuccess: the server's last good answer on the wall clock, as the disk has it.
    ///   - begunAt: now, on the wall clock.
    init(
        read: @escaping @Sendable () -> PartNews?, lastSuccess: @escaping @Sendable () throws -> Instant?,
        begunAt: Instant, uptime: @escaping @Sendable () -> Instant = { MachineClock.uptime }
    ) {
        self.read = read
        self.lastSuccess = lastSuccess
        self.uptime = uptime
        self.begunAt = begunAt
        known = Mutex(Known(uptime: uptime()))
    }

    func sight(at now: Instant) -> LinkSight {
        let moment = uptime()
        return known.withLock { known in
            // Before its first cycle is over, an old answer may only mean that the box was off.
            if let news = read(), news.age(at: moment) <= PartNews.oldAfter, let link = news.link,
                link.lastCycleAt != nil
            {
                known = Known(sight: link.offlineSince.map { .offline(since: $0) } ?? .online, uptime: moment)
            } else if moment - known.uptime > Self.patience {
                // A database that can't be read changes nothing: no SMS is sent on a guess.
                if case .success(let last) = Result(catching: lastSuccess) {
                    known.sight = .offline(since: last ?? begunAt)
                }
            }
            return known.sight
        }
    }
}
