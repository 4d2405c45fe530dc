/// How far the time of a passage can be believed. It is recorded with every passage.
package enum ClockState: String, Codable, Sendable, CaseIterable {
    /// The clock that stamped the frame was synchronised.
    case synchronised

    /// The time belongs to a replay or a demonstration. It counts as trusted.
    case simulated

    /// The clock may be wrong. A passage on such a clock never makes a violation by itself.
    case untrusted

    package var isTrusted: Bool { self != .untrusted }

    /// A live camera's time stamp further than this from the frame's arrival is untrusted, unless it is as far off all the time.
    package static let liveTolerance = TimeSpan.seconds(5)

    /// 2026-01-01: no box has run before. A clock that shows an earlier time is wrong.
    package static let earliest = Instant(seconds: 1_767_225_600)
}
