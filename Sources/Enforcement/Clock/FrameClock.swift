/// The time of a frame, and how far it can be believed.
package struct FrameTime: Sendable, Equatable {
    package var recordedAt: Instant
    package var clockState: ClockState

    /// The box's clock, when it gave this time without being known to be right: the time can be put right once it is. Nil for every
    /// other time.
    package var stampedBy: BootClock?

    package init(recordedAt: Instant, clockState: ClockState, stampedBy: BootClock? = nil) {
        self.recordedAt = recordedAt
        self.clockState = clockState
        self.stampedBy = stampedBy
    }
}

/// The box's clock at one moment.
package struct HostTime: Sendable, Equatable {
    package var own: BootClock
    package var verdict: HostClock.Verdict

    package init(own: BootClock, verdict: HostClock.Verdict) {
        self.own = own
        self.verdict = verdict
    }

    package var clockState: ClockState { verdict == .believed ? .synchronised : .untrusted }

    /// The clock to name with a time that may be put right later. One that somebody contradicts is not waited for: nobody will tell.
    package var mendable: BootClock? { verdict == .unknown ? own : nil }
}

/// Judges the times of one camera's frames against the box's clock.
package struct FrameClock: Sendable, Equatable {
    package private(set) var camera: CameraClock
    private var host: BootClock?

    /// What the kernel's slewing moves in a moment is less; a clock that is set moves by more.
    private static let step = TimeSpan.seconds(1)

    package init(camera: CameraClock = CameraClock()) {
        self.camera = camera
    }

    /// - Parameters:
    ///   - stamp: the capture time that the camera gave; nil where it gave none.
    ///   - arrival: the box's clock when the picture came.
    package mutating func judge(stamp: Instant?, arrival: Instant, host now: HostTime) -> (FrameTime, CameraClock.News?)
    {
        if let before = host, before.boot == now.own.boot {
            let moved = now.own.startedAt - before.startedAt
            if moved.magnitude > Self.step { camera.hostMoved(by: moved) }
        }
        host = now.own
        guard let stamp else {
            return (FrameTime(recordedAt: arrival, clockState: now.clockState, stampedBy: now.mendable), nil)
        }
        let judged = camera.judge(stamp: stamp, arrival: arrival)
        guard judged.isBelieved else {
            return (FrameTime(recordedAt: judged.time, clockState: .untrusted), judged.news)
        }
        return (
            FrameTime(recordedAt: judged.time, clockState: now.clockState, stampedBy: now.mendable), judged.news
        )
    }
}

/// How far a time that the box's clock gives now can be believed.
package struct StampedState: Sendable, Equatable {
    package var clockState: ClockState

    /// See ``FrameTime/stampedBy``.
    package var stampedBy: BootClock?

    package init(clockState: ClockState, stampedBy: BootClock? = nil) {
        self.clockState = clockState
        self.stampedBy = stampedBy
    }

    package init(_ time: HostTime) {
        self.init(clockState: time.clockState, stampedBy: time.mendable)
    }
}
