/// What the box found out about one of its parts when it was asked to try it.
package struct SelfTestFinding: Codable, Equatable, Sendable {
    package enum Outcome: String, Codable, Sendable {
        case passed
        case failed
        /// Nothing of the kind is there or configured, or the machine doesn't tell.
        case absent
    }

    /// What was tried: `camera.gate`, `plate`, `database`, `disk`, `wear`, `memory`, `temperature`, `clock`, `modem`, `server`, `sound`.
    package var check: String
    package var outcome: Outcome
    package var detail: String

    /// What to do about it; nil when there is nothing to do.
    package var hint: String?

    /// Nothing answered: it says nothing about how it is configured.
    package var isOutOfReach = false

    enum CodingKeys: String, CodingKey {
        case check, outcome, detail, hint
    }

    package init(_ check: String, _ outcome: Outcome, _ detail: String, hint: String? = nil) {
        self.check = check
        self.outcome = outcome
        self.detail = detail
        self.hint = outcome == .failed ? hint : nil
    }

    /// `passed  memory       1.4 GB of 2.0 GB are free.`
    package var text: String {
        func column(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(1, width - text.count))
        }
        let line = column(outcome.rawValue, 8) + column(check, 14) + detail
        return hint.map { "\(line)\n" + String(repeating: " ", count: 22) + $0 } ?? line
    }
}

/// From what on a figure of the machine is a failure. Figures come from the shell that measured them.
package enum SelfTestRule {
    /// A camera's part with its models takes about 150 MB; with less than this the kernel is about to end something.
    package static let leastMemoryBytes = 200 << 20

    /// Processors for machines of this kind slow down from 85 °C on.
    package static let hottestCelsius = 85.0

    /// A good card commits in 10 ms. One that takes a quarter of a second each time can't keep up with a line of vehicles.
    package static let slowestUsualWrite = TimeSpan.milliseconds(250)
    package static let slowestWrite = TimeSpan.seconds(2)

    /// Days of photos at a busy post.
    package static let leastDiskBytes = 1 << 30

    package static func memory(freeBytes: Int?, allBytes: Int?) -> SelfTestFinding {
        guard let freeBytes, let allBytes else {
            return SelfTestFinding("memory", .absent, "The machine doesn't say how much is free.")
        }
        let detail = "\(Wording.bytes(freeBytes)) of \(Wording.bytes(allBytes)) are free."
        guard freeBytes < leastMemoryBytes else { return SelfTestFinding("memory", .passed, detail) }
        return SelfTestFinding(
            "memory", .failed, detail, hint: "Stop other programs on this machine: top shows them; or add memory.")
    }

    package static func temperature(celsius: Double?) -> SelfTestFinding {
        guard let celsius else { return SelfTestFinding("temperature", .absent, "The machine has no sensor to read.") }
        let detail = "\(Wording.decimal(celsius, 0)) °C in the machine."
        guard celsius >= hottestCelsius else { return SelfTestFinding("temperature", .passed, detail) }
        return SelfTestFinding(
            "temperature", .failed, detail, hint: "Give the box shade and air: it slows down, and ages fast.")
    }

    /// - Parameter writes: what single commits took, each synced to the disk; empty when none came through.
    package static func writes(_ check: String, _ writes: [TimeSpan]) -> SelfTestFinding {
        let sorted = writes.sorted()
        guard let slowest = sorted.last else {
            return SelfTestFinding(
                check, .failed, "Nothing could be written.", hint: "Look at the data folder and its disk: df, dmesg.")
        }
        let usual = sorted[sorted.count / 2]
        let detail = "A write is on the disk after \(usual.milliseconds) ms, at most \(slowest.milliseconds) ms."
        guard usual > slowestUsualWrite || slowest > slowestWrite else {
            return SelfTestFinding(check, .passed, detail)
        }
        return SelfTestFinding(
            check, .failed, detail, hint: "The disk is too slow, or about to fail: copy what is on it, and exchange it."
        )
    }

    package static func disk(freeBytes: Int?, isReadOnly: Bool) -> SelfTestFinding {
        if isReadOnly {
            return SelfTestFinding(
                "disk", .failed, "The disk can only be read.", hint: "Look at it: dmesg, then mount -o remount,rw.")
        }
        guard let freeBytes else {
            return SelfTestFinding(
                "disk", .failed, "The data folder is not there.", hint: "Start the appliance once, or run setup.")
        }
        let detail = "\(Wording.bytes(freeBytes)) are free."
        guard freeBytes < leastDiskBytes else { return SelfTestFinding("disk", .passed, detail) }
        return SelfTestFinding("disk", .failed, detail, hint: "Free space, or take a larger disk.")
    }

    /// - Parameter tenths: what an eMMC says of its life: 1 for up to a tenth of it, 10 for the last one, 11 for beyond.
    package static func wear(tenths: Int?) -> SelfTestFinding {
        guard let tenths, tenths > 0 else {
            return SelfTestFinding("wear", .absent, "The disk doesn't say how worn it is.")
        }
        let detail = tenths > 10 ? "It is past its life." : "Up to \(tenths * 10) % of its life is used."
        guard tenths >= 9 else { return SelfTestFinding("wear", .passed, detail) }
        return SelfTestFinding("wear", .failed, detail, hint: "Copy what is on it, and exchange it.")
    }

    /// Before the program was made, the clock can't have been right.
    /// - Parameter verdict: how far the clock can be believed, with the server's word.
    package static func clock(
        _ now: Instant, isSynchronised: Bool, verdict: HostClock.Verdict, hasBattery: Bool
    ) -> SelfTestFinding {
        let battery = hasBattery ? "a clock with a battery" : "no clock with a battery"
        let detail = "\(now.nepalText) in Nepal, "
        if now < ClockState.earliest {
            return SelfTestFinding(
                "clock", .failed, detail + "which can't be; \(battery).",
                hint: "Set it: timedatectl set-time, or let it reach a time service.")
        }
        let keeper = isSynchronised ? "kept by a time service" : "not kept by a time service"
        switch verdict {
        case .believed where isSynchronised: return SelfTestFinding("clock", .passed, detail + "\(keeper); \(battery).")
        case .believed:
            return SelfTestFinding(
                "clock", .passed,
                detail + "\(keeper), and right by the server, which is asked all the time: passages count; \(battery).",
                hint: "Without the server it is believed for six hours. A time service keeps it longer: timedatectl.")
        case .contradicted(let ahead):
            return SelfTestFinding(
                "clock", .failed,
                detail
                    + "\(keeper), and \(Wording.span(ahead.magnitude)) \(ahead > .seconds(0) ? "ahead of" : "behind") the server; "
                    + "\(battery).",
                hint:
                    "Passages make no violations by themselves until the two agree: timedatectl, chronyc tracking, and the server's clock."
            )
        case .unknown:
            return SelfTestFinding(
                "clock", .failed, detail + "\(keeper), and no server has said that it is right; \(battery).",
                hint:
                    "Passages make no violations by themselves until one of the two is so: timedatectl, chronyc tracking."
            )
        }
    }
}
