import Enforcement

/// Since when a camera's frames can't be recorded, when to try again, and when to speak of it again.
struct RecordingTrouble {
    private(set) var isOn = false
    private var retryAt: ContinuousClock.Instant?
    private var toldAt: ContinuousClock.Instant?
    private var waitSeconds = 0

    private static let longestWaitSeconds = 5

    /// The alarm's text follows what is waiting, but not with every try.
    private static let tellEvery = Duration.seconds(60)

    /// Whether it is time for another try.
    var isDue: Bool { retryAt.map { .now >= $0 } ?? true }

    /// Notes a failure.
    ///
    /// - Returns: whether it should be told.
    mutating func failed() -> Bool {
        isOn = true
        let tells = toldAt.map { .now - $0 >= Self.tellEvery } ?? true
        if tells { toldAt = .now }
        return tells
    }

    /// The pause before the next try: 1, 2, 4, 5 seconds, and 5 from then on: what comes after the trouble is to be on record within ten.
    mutating func nextWaitSeconds() -> Int {
        waitSeconds = min(Self.longestWaitSeconds, max(1, waitSeconds * 2))
        retryAt = .now + .seconds(waitSeconds)
        return waitSeconds
    }

    /// - Returns: whether there was trouble until now.
    mutating func over() -> Bool {
        defer { self = RecordingTrouble() }
        return isOn
    }
}
