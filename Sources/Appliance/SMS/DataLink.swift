import Enforcement

/// What is known of the data link to the server.
enum LinkSight: Equatable, Sendable {
    /// Nobody has asked the server yet. Nothing goes by SMS on a guess.
    case unknown

    case online

    /// `since` is the server's last good answer, on the wall clock.
    case offline(since: Instant)
}

/// Knows how the data link is: whatever synchronizes.
protocol DataLink: Sendable {
    func sight(at now: Instant) -> LinkSight
}

/// A post without a server: there is no link to wait for.
struct NoDataLink: DataLink {
    func sight(at now: Instant) -> LinkSight { .offline(since: Instant(milliseconds: 0)) }
}
