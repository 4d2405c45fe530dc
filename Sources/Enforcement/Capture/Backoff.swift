/// How long to wait before the next attempt: longer after every failure, up to a bound, never the same for two posts.
///
/// The wait is a random share, between half and the whole, of `firstDelay * 2^(attempt - 1)`, at most `longestDelay`. With a
/// first delay of 1 s and a longest of 30 s, attempt 4 waits between 4 s and 8 s, attempt 9 between 15 s and 30 s.
package struct Backoff: Sendable, Equatable {
    package var firstDelay: TimeSpan
    package var longestDelay: TimeSpan

    package init(firstDelay: TimeSpan = .seconds(1), longestDelay: TimeSpan = .seconds(30)) {
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
    }

    /// - Parameters:
    ///   - attempt: 1 after the first failure.
    ///   - random: 0…1, drawn by the caller.
    package func delay(attempt: Int, random: Double) -> TimeSpan {
        let whole = firstDelay.doubled(attempt - 1, atMost: longestDelay)
        return .seconds(whole.seconds * (0.5 + 0.5 * min(max(random, 0), 1)))
    }
}
