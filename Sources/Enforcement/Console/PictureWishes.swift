import Foundation

/// Which pictures of the other post are wanted, and when each is asked for again.
///
/// A picture is wanted when somebody looks at a violation. It is asked for at once, and again with growing pauses until it
/// comes or until nobody has looked for an hour.
package struct PictureWishes: Sendable, Equatable {
    /// What came of asking.
    package enum Answer: Sendable, Equatable {
        case here
        /// The server has no picture of that passage yet.
        case notYet
        /// The server did not answer, or not well.
        case silent
    }

    private struct Wish: Sendable, Equatable {
        var lookedAt: Instant
        var nextAt: Instant
        var attempts = 0
        var answer: Answer?
    }

    /// More are not remembered: the oldest looks give way.
    package static let most = 100
    package static let patience = TimeSpan.hours(1)
    private static let firstPause = TimeSpan.seconds(5)
    private static let longestPause = TimeSpan.minutes(5)

    private var wishes: [UUID: Wish] = [:]

    package init() {}

    package var count: Int { wishes.count }

    /// Somebody looks at it.
    ///
    /// - Returns: what came of asking last; nil when it was not asked for yet.
    @discardableResult
    package mutating func want(_ passage: UUID, at now: Instant) -> Answer? {
        if let wish = wishes[passage] {
            wishes[passage]?.lookedAt = now
            return wish.answer
        }
        if wishes.count >= Self.most, let oldest = wishes.min(by: { $0.value.lookedAt < $1.value.lookedAt })?.key {
            wishes[oldest] = nil
        }
        wishes[passage] = Wish(lookedAt: now, nextAt: now)
        return nil
    }

    /// The one to ask for now, the one that is due longest.
    package mutating func next(at now: Instant) -> UUID? {
        // A clock that was set back must not keep a wish for ever.
        wishes = wishes.filter { now - $0.value.lookedAt <= Self.patience && $0.value.lookedAt <= now }
        return wishes.filter { $0.value.nextAt <= now || $0.value.nextAt > now + Self.longestPause }
            .min { ($0.value.nextAt, $0.key.uuidString) < ($1.value.nextAt, $1.key.uuidString) }?.key
    }

    package mutating func answered(_ passage: UUID, _ answer: Answer, at now: Instant) {
        guard answer != .here else {
            wishes[passage] = nil
            return
        }
        guard var wish = wishes[passage] else { return }
        let pause = Self.firstPause.seconds * pow(2, Double(min(wish.attempts, 10)))
        wish.attempts += 1
        wish.answer = answer
        wish.nextAt = now + min(.seconds(pause), Self.longestPause)
        wishes[passage] = wish
    }
}
