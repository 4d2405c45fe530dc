import Enforcement
import MachineClock
import Storage
import Synchronization

/// Asks how far the box's clock can be believed: the kernel's word beside what the server said in this run of the machine.
package final class HostClockReader: Sendable {
    /// What the machine says, each asked anew.
    package struct Machine: Sendable {
        package var boot: @Sendable () -> BootClock
        package var uptime: @Sendable () -> Instant
        package var isSynchronised: @Sendable () -> Bool

        package static let real = Machine(
            boot: { MachineClock.boot }, uptime: { MachineClock.uptime },
            isSynchronised: { MachineClock.isSynchronised })

        package init(
            boot: @escaping @Sendable () -> BootClock, uptime: @escaping @Sendable () -> Instant,
            isSynchronised: @escaping @Sendable () -> Bool
        ) {
            self.boot = boot
            self.uptime = uptime
            self.isSynchronised = isSynchronised
        }
    }

    /// The machine's clock at one moment, and what follows from it.
    package struct Reading: Sendable, Equatable {
        package var own: BootClock
        package var uptime: Instant
        package var isSynchronised: Bool
        package var clock: HostClock

        package var time: HostTime {
            HostTime(own: own, now: own.startedAt + (uptime - Instant(milliseconds: 0)), verdict: clock.verdict)
        }
    }

    private let store: Store
    private let machine: Machine

    /// What the server said, and when it was looked up: frames come faster than it changes.
    private let told = Mutex<(server: HostClock.ServerTime?, at: Instant)?>(nil)

    private static let freshness = TimeSpan.seconds(2)

    package init(store: Store, machine: Machine = .real) {
        self.store = store
        self.machine = machine
    }

    package func read() -> Reading {
        let (own, uptime) = (machine.boot(), machine.uptime())
        let isSynchronised = machine.isSynchronised()
        let server = serverTime(inRun: own.boot, at: uptime)
        let clock = HostClock(own: own, uptime: uptime, isSynchronised: isSynchronised, server: server)
        return Reading(own: own, uptime: uptime, isSynchronised: isSynchronised, clock: clock)
    }

    /// While the database can't be read, what was known last counts.
    private func serverTime(inRun boot: String, at uptime: Instant) -> HostClock.ServerTime? {
        let last = told.withLock { $0 }
        if let last, uptime - last.at < Self.freshness { return last.server }
        let server: HostClock.ServerTime?
        do { server = try store.clock.serverTime(inRun: boot) } catch { server = last?.server }
        told.withLock { $0 = (server, uptime) }
        return server
    }
}
