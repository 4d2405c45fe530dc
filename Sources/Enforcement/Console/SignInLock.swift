/// Slows down whoever tries passwords: after a few failures each further one doubles the wait.
///
/// With the fifth failure the wait is 30 s, with the sixth 60 s, and at most an hour. A success opens it.
package struct SignInLock: Sendable, Equatable {
    package private(set) var failureCount: Int
    package private(set) var lockedUntil: Instant?

    /// So many failures cost nothing: gloves and the night make some.
    package static let freeFailures = 4
    package static let firstWait = TimeSpan.seconds(30)
    package static let longestWait = TimeSpan.hours(1)

    package init(failureCount: Int = 0, lockedUntil: Instant? = nil) {
        self.failureCount = failureCount
        self.lockedUntil = lockedUntil
    }

    /// When the next attempt is allowed; nil when it is now.
    package func waitsUntil(at now: Instant) -> Instant? {
        guard let lockedUntil, lockedUntil > now else { return nil }
        return min(lockedUntil, now + wait)
    }

    /// Puts right a wait that ends later than any wait begun now would: the clock was set back since. It counts from now, once, and
    /// not from each look at it, or it would never end.
    ///
    /// - Returns: whether anything was changed.
    package mutating func settle(at now: Instant) -> Bool {
        guard let lockedUntil, lockedUntil > now + wait else { return false }
        self.lockedUntil = now + wait
        return true
    }

    package mutating func failed(at now: Instant) {
        failureCount = min(failureCount + 1, 1000)
        guard failureCount > Self.freeFailures else { return }
        lockedUntil = now + wait
    }

    /// How long the last failure keeps it shut.
    private var wait: TimeSpan {
        var wait = Self.firstWait
        for _ in 0..<max(0, failureCount - Self.freeFailures - 1) where wait < Self.longestWait {
            wait = TimeSpan(milliseconds: wait.milliseconds * 2)
        }
        return min(wait, Self.longestWait)
    }

    package mutating func succeeded() {
        self = SignInLock()
    }
}
