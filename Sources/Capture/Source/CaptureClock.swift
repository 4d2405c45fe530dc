import Enforcement
import MachineClock

/// The clock that frames are stamped and judged by. Replay judges every stamp as simulated.
package struct CaptureClock: Sendable {
    package var now: @Sendable () -> Instant

    /// Judges the time that a frame came with against its arrival.
    package var judge: @Sendable (_ time: CaptureTime, _ arrival: Instant) -> FrameTime

    package init(
        now: @escaping @Sendable () -> Instant, judge: @escaping @Sendable (CaptureTime, Instant) -> FrameTime
    ) {
        self.now = now
        self.judge = judge
    }

    package static let simulated = CaptureClock(
        now: { MachineClock.now },
        judge: { time, _ in FrameTime(recordedAt: time.instant, state: StampedState(clockState: .simulated)) })

    /// A live camera's clock, by what the kernel says of the box's.
    package static var live: CaptureClock {
        live(CameraClock()) {
            HostTime(
                own: MachineClock.boot, now: MachineClock.now,
                verdict: MachineClock.isSynchronised ? .believed : .unknown)
        }
    }

    /// A live camera's clock.
    ///
    /// - Parameters:
    ///   - camera: what was learned of the camera's own clock before.
    ///   - host: the box's clock now, and whether it can be believed.
    ///   - report: told when the camera's clock jumps, and when what it is off by is learned.
    package static func live(
        _ camera: CameraClock, host: @escaping @Sendable () -> HostTime,
        report: @escaping @Sendable (CameraClock.News) -> Void = { _ in }
    ) -> CaptureClock {
        let clock = Guarded(FrameClock(camera: camera))
        return CaptureClock(
            now: { MachineClock.now },
            judge: { time, arrival in
                let now = host()
                let (judged, news) = clock.withLock {
                    $0.judge(stamp: time.origin == .arrival ? nil : time.instant, arrival: arrival, host: now)
                }
                if let news { report(news) }
                return judged
            })
    }
}
