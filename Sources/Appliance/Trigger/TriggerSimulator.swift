import Enforcement
import Foundation
import MachineClock
import Modem

/// A loop detector on a pseudo-terminal: for trying a box without one.
package struct TriggerSimulator {
    package struct Plan: Sendable {
        /// A vehicle each so often, so many of them; nil for ever.
        package var interval: TimeSpan
        package var vehicles: Int?
        package var speedKmh: Double?

        /// Whether the line is bad: noise between frames, and every third event frame damaged on its way.
        package var isNoisy = false

        package init(interval: TimeSpan, vehicles: Int?, speedKmh: Double?, isNoisy: Bool = false) {
            (self.interval, self.vehicles, self.speedKmh, self.isNoisy) = (interval, vehicles, speedKmh, isNoisy)
        }
    }

    private let plan: Plan
    private let terminal: PseudoTerminal
    private let link: String
    private var device: TriggerDevice
    private var sent = 0
    private var vehicles = 0
    private var nextVehicle: Instant?

    /// - Parameter link: a link to the terminal is made here: what `device` in the configuration names.
    package init(_ plan: Plan, link: String, boot: UInt16 = .random(in: 1...UInt16.max)) throws {
        self.plan = plan
        self.link = link
        terminal = try PseudoTerminal()
        device = TriggerDevice(boot: boot)
        var status = stat()
        if lstat(link, &status) == 0, status.st_mode & S_IFMT != S_IFLNK {
            throw AdvisedError("\(link) is there, and is no link.", hint: "Name a path where nothing is.")
        }
        unlink(link)
        guard symlink(terminal.path, link) == 0 else {
            throw AdvisedError(
                "No link can be made at \(link): \(String(cString: strerror(errno))).", hint: "Name another path.")
        }
    }

    /// Until all vehicles have passed and are acknowledged; for ever without a number of them.
    ///
    /// - Parameter tell: told of each vehicle, and of what comes back.
    package mutating func run(while goesOn: () -> Bool = { true }, tell: (String) -> Void) {
        defer {
            unlink(link)
            close(terminal.master)
        }
        while goesOn(), plan.vehicles.map({ vehicles < $0 || device.waitingCount > 0 }) ?? true {
            var waiting = pollfd(fd: terminal.master, events: Int16(POLLIN), revents: 0)
            _ = poll(&waiting, 1, 50)
            // Nobody has the other side open: then there is nothing to wait for, and the loop must not spin.
            if waiting.revents & Int16(POLLHUP) != 0 { usleep(50_000) }
            var bytes = [UInt8](repeating: 0, count: 1024)
            let count = read(terminal.master, &bytes, bytes.count)
            let now = MachineClock.uptime
            if count > 0 {
                let before = device.waitingCount
                write(device.handle(.received(Array(bytes.prefix(count))), at: now))
                if device.waitingCount < before { tell("acknowledged: \(before - device.waitingCount)") }
            }
            write(device.handle(.tick, at: now))
            guard nextVehicle.map({ now >= $0 }) ?? true, plan.vehicles.map({ vehicles < $0 }) ?? true else { continue }
            nextVehicle = now + plan.interval
            vehicles += 1
            tell("vehicle \(vehicles)" + (plan.speedKmh.map { " at \(Wording.decimal($0)) km/h" } ?? ""))
            write(device.handle(.vehicle(lane: 1, direction: .forward, speedKmh: plan.speedKmh), at: now))
        }
    }

    /// What the terminal has no room for is lost, as on a line that nobody listens to.
    private mutating func write(_ frames: [TriggerFrame]) {
        for frame in frames {
            var bytes = frame.bytes
            if plan.isNoisy {
                sent += 1
                if sent % 3 == 0, bytes.count > 8 { bytes[6] ^= 0x10 }
                bytes = [0x00, 0x7E, 0x55, 0xAA] + bytes
            }
            _ = Foundation.write(terminal.master, bytes, bytes.count)
        }
    }
}
