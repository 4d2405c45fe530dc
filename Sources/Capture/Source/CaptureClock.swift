import CLinux
import Enforcement
import Glibc

/// The clock that frames are stamped and judged by. Replay judges every stamp as simulated.
package struct CaptureClock: Sendable {
    package var now: @Sendable () -> Instant

    /// Judges a stamp that a camera gave against the arrival of its frame.
    package var state: @Sendable (_ stamp: Instant, _ arrival: Instant) -> ClockState

    package init(
        now: @escaping @Sendable () -> Instant, state: @escaping @Sendable (Instant, Instant) -> ClockState
    ) {
        self.now = now
        self.state = state
    }

    package static let live = CaptureClock(now: systemNow) { stamp, arrival in
        ClockState.ofLiveFrame(stamp: stamp, arrival: arrival, hostIsSynchronised: kernelClockIsSynchronised())
    }

    package static let simulated = CaptureClock(now: systemNow) { _, _ in .simulated }

    /// Whether the kernel knows that a time service keeps its clock right. Asking changes nothing and needs no privilege.
    package static func kernelClockIsSynchronised() -> Bool { checkpost_clock_is_synchronised() != 0 }

    @Sendable private static func systemNow() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Time since boot: never steps, so silence and waits are measured by it.
    static func monotonicNow() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
