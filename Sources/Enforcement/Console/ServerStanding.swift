/// What the park's server said last of an account that is its, not the box's.
package struct ServerStanding: Sendable, Equatable {
    /// Whether it may sign in here: it is active, of this post, and has the password that the server knows.
    package var isOpen: Bool

    /// When the server was asked last.
    package var askedAt: Instant

    package init(isOpen: Bool, askedAt: Instant) {
        self.isOpen = isOpen
        self.askedAt = askedAt
    }

    /// The server is asked about one account at most this often.
    private static let freshness = TimeSpan.minutes(1)

    /// Whether the server was asked just now, so that it isn't asked again. A time ahead of ours was another clock's.
    package func isFresh(at now: Instant) -> Bool {
        askedAt <= now && now - askedAt < Self.freshness
    }

    /// Whether the account may be let in on the server's last word.
    ///
    /// - Parameter age: how old that word may be.
    package func holds(at now: Instant, for age: TimeSpan) -> Bool {
        isOpen && now - askedAt <= age
    }
}
