import CLinux
import Enforcement
import Foundation

/// The machine's clocks. The domain is told the time; only shells ask for it, and they ask here.
package enum MachineClock {
    /// What the machine takes for the time of day. It may be wrong, and it may be set.
    package static var now: Instant { time(of: CLOCK_REALTIME) }

    /// The time since the machine started, the same in every process. It only runs forward, so waits and outages are measured by it.
    package static var uptime: Instant { time(of: CLOCK_BOOTTIME) }

    /// Whether the kernel knows that a time service keeps its clock right. Asking changes nothing and needs no privilege.
    package static var isSynchronised: Bool { checkpost_clock_is_synchronised() != 0 }

    /// This run of the machine by its own clock.
    package static var boot: BootClock { BootClock(boot: run, startedAt: Instant(milliseconds: 0) + (now - uptime)) }

    /// The kernel gives each run of the machine a name.
    private static let run: String = {
        let name = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return name?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown"
    }()

    private static func time(of clock: clockid_t) -> Instant {
        var time = timespec()
        clock_gettime(clock, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
