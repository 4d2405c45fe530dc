import Enforcement

/// The time in front of a camera: that of its last frame, and what has passed since that was answered for.
///
/// Vehicles come and go by the frames' own times. A folder that is read an hour late, or across a power cut, must give the
/// same sightings as one that is read at once, and a camera whose clock is wrong must not end a sighting by it.
struct CameraTime: Sendable {
    private var frameTime: Instant?
    private var arrival = ContinuousClock.now

    /// - Parameter last: the time of the last frame before a restart.
    init(last: Instant?) {
        frameTime = last
    }

    /// The time of a frame that has just come.
    mutating func come(_ frame: Frame) -> Instant {
        frameTime = frame.recordedAt
        arrival = .now
        return frame.recordedAt
    }

    /// It was read and answered for. A busy box takes seconds for that, in which a folder's next picture may have come and nobody looked:
    /// no vehicle went away in them.
    mutating func answered() { arrival = .now }

    /// Nil before the first frame.
    var now: Instant? {
        frameTime.map { $0 + .milliseconds(Int64((ContinuousClock.now - arrival).milliseconds)) }
    }
}
