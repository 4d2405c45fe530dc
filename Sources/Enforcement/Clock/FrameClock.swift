/// The time of a frame, and how far it can be believed.
package struct FrameTime: Sendable, Equatable {
    package var recordedAt: Instant
    package var state: StampedState

    package init(recordedAt: Instant, state: StampedState) {
        self.recordedAt = recordedAt
        self.state = state
    }
}

/// How far a time can be believed.
package struct StampedState: Sendable, Equatable {
    package var clockState: ClockState

    /// The box's clock, when it gave the time without being known to be right: the time can be put right once it is. Nil for every
    /// other time.
    package var stampedBy: BootClock?

    package init(clockState: ClockState, stampedBy: BootClock? = nil) {
        self.clockState = clockState
        self.stampedBy = stampedBy
    }

    /// Of a time that the box's clock gives now.
    package init(_ time: HostTime) {
        self.init(clockState: time.clockState, stampedBy: time.mendable)
    }
}

/// The box's clock at one moment.
package struct HostTime: Sendable, Equatable {
    package var own: BootClock
    package var now: Instant
    package var verdict: HostClock.Verdict

    package init(own: BootClock, now: Instant, verdict: HostClock.Verdict) {
        self.own = own
        self.now = now
        self.verdict = verdict
    }

    package var clockState: ClockState { verdict == .believed ? .synchronised : .untrusted }

    /// The clock to name with a time that may be put right later. One that somebody contradicts is not waited for: nobody will tell.
    package var mendable: BootClock? { verdict == .unknown ? own : nil }

    /// Of a picture that came at a moment: a file in a folder has the time of the clock that wrote it, which may have been another one.
    fileprivate func state(ofArrival arrival: Instant) -> StampedState {
        guard verdict == .unknown else {
            return StampedState(clockState: arrival < ClockState.earliest ? .untrusted : clockState)
        }
        let isOfThisRun = arrival >= own.startedAt && arrival <= now + ClockState.liveTolerance
        return StampedState(clockState: .untrusted, stampedBy: isOfThisRun ? own : nil)
    }
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
        if let before = self.host, before.boot == now.own.boot {
            let moved = now.own.startedAt - before.startedAt
            if moved.magnitude > Self.step { camera.hostMoved(by: moved) }
        }
        self.host = now.own
        let host = now.state(ofArrival: arrival)
        guard let stamp else {
            return (FrameTime(recordedAt: arrival, state: host), nil)
        }
        let judged = camera.judge(stamp: stamp, arrival: arrival)
        let state = judged.isBelieved ? host : StampedState(clockState: .untrusted)
        return (FrameTime(recordedAt: judged.time, state: state), judged.news)
    }
}
