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
    ///
    /// A wait that is longer than any that is given belongs to a clock that was set back: it counts from now.
    package func waitsUntil(at now: Instant) -> Instant? {
        guard let lockedUntil, lockedUntil > now else { return nil }
        return min(lockedUntil, now + Self.longestWait)
    }

    package mutating func failed(at now: Instant) {
        failureCount = min(failureCount + 1, 1000)
        guard failureCount > Self.freeFailures else { return }
        var wait = Self.firstWait
        for _ in (Self.freeFailures + 1)..<failureCount where wait < Self.longestWait {
            wait = TimeSpan(milliseconds: wait.milliseconds * 2)
        }
        lockedUntil = now + min(wait, Self.longestWait)
    }

    package mutating func succeeded() {
        self = SignInLock()
    }
}
