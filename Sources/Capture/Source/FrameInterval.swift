import Enforcement

/// Passes over frames of a stream that come faster than they are wanted.
struct FrameInterval: Sendable {
    private let shortest: TimeSpan
    private var next: Instant?

    init(shortest: TimeSpan) {
        self.shortest = shortest
    }

    static func shortest(framesPerSecond: Double?) -> TimeSpan {
        guard let framesPerSecond, framesPerSecond > 0 else { return .milliseconds(0) }
        return .seconds(1 / framesPerSecond)
    }

    /// Keeps the rate on average: a frame that comes a little late does not put off those after it.
    mutating func takes(_ now: Instant) -> Bool {
        guard let next else {
            self.next = now + shortest
            return true
        }
        guard now >= next else { return false }
        self.next = max(next + shortest, now + .milliseconds(shortest.milliseconds / 2))
        return true
    }
}
