/// How far the time of a passage can be believed. It is recorded with every passage.
package enum ClockState: String, Codable, Sendable, CaseIterable {
    /// The clock that stamped the frame was synchronised.
    case synchronised

    /// The time belongs to a replay or a demonstration. It counts as trusted.
    case simulated

    /// The clock may be wrong. A passage on such a clock never makes a violation by itself.
    case untrusted

    package var isTrusted: Bool { self != .untrusted }

    /// A live camera's time stamp further than this from the frame's arrival is untrusted.
    package static let liveTolerance = TimeSpan.seconds(5)

    /// Judges a live frame's time stamp against the box's clock at its arrival.
    ///
    /// - Parameters:
    ///   - stamp: the capture time that the camera gave.
    ///   - arrival: the box's clock when the frame arrived.
    ///   - hostIsSynchronised: whether the box's own clock is known to be right.
    package static func ofLiveFrame(stamp: Instant, arrival: Instant, hostIsSynchronised: Bool) -> ClockState {
        guard hostIsSynchronised else { return .untrusted }
        return (stamp - arrival).magnitude > liveTolerance ? .untrusted : .synchronised
    }
}
