import Enforcement
import Logging
import Storage

/// Watches the box's clock: says what is wrong with it, takes down when it was set, and puts the times right that were recorded before
/// it was known.
final class ClockKeeper {
    private let reader: HostClockReader
    private let store: Store
    private let alarms: AlarmBoard
    private let log: Logger
    private var last: (own: BootClock, isBelieved: Bool)?

    init(reader: HostClockReader, store: Store, alarms: AlarmBoard, log: Logger) {
        self.reader = reader
        self.store = store
        self.alarms = alarms
        self.log = log
    }

    /// A time service slews by less between two looks.
    private static let leastStep = TimeSpan.seconds(1)

    /// A box that nobody has told the time for so long sends what it has, with times that can't be trusted.
    private static let longestWait = TimeSpan.hours(24)

    /// In one look; the next one goes on.
    private static let mostSteps = 20

    func look(at now: Instant = BoxClock.now) {
        let reading = reader.read()
        do {
            try noteStep(reading, at: now)
            try settle(reading, at: now)
        } catch {
            log.error("the times could not be put right; it is tried again", metadata: ["error": "\(error)"])
        }
        judge(reading)
    }

    private func noteStep(_ reading: HostClockReader.Reading, at now: Instant) throws {
        defer { last = (reading.own, reading.clock.isBelieved) }
        guard let last, last.own.boot == reading.own.boot else { return }
        let moved = reading.own.startedAt - last.own.startedAt
        guard moved.magnitude > Self.leastStep else { return }
        let direction = moved > .milliseconds(0) ? "forward" : "back"
        log.notice(
            "the clock was set",
            metadata: ["by": "\(Wording.span(moved.magnitude)) \(direction)", "believed_before": "\(last.isBelieved)"])
        try store.clock.note(ClockStep(at: now, moved: moved, wasBelieved: last.isBelieved))
        if last.isBelieved, moved.magnitude > ClockState.liveTolerance {
            alarms.raise(
                "clock.step", .warning,
                "The box's clock was set \(direction) by \(Wording.span(moved.magnitude)), although it counted as right.",
                hint: "Find out who set it. Compare the times of passages before and after with the other post's.")
        }
    }

    private func settle(_ reading: HostClockReader.Reading, at now: Instant) throws {
        guard try store.clock.hasUnsettled() else { return }
        let clock = reading.clock
        if let start = clock.trueStart {
            let teller: TimeTeller = clock.isBelieved ? .service : .server
            try store.clock.know(BootClock(boot: reading.own.boot, startedAt: start), by: teller, at: now)
            var count = 0
            for _ in 0..<Self.mostSteps {
                let some = try store.clock.putRight(at: now)
                count += some
                if some == 0 { break }
            }
            if count > 0 {
                log.notice("times were put right", metadata: ["passages": "\(count)", "by": "\(teller.rawValue)"])
            }
        }
        // Another run of the machine tells nothing more, nor does a clock that somebody contradicts.
        let waits = clock.verdict == .unknown && reading.uptime - Instant(milliseconds: 0) < Self.longestWait
        let count = try store.clock.giveUp(except: waits ? reading.own.boot : nil)
        if count > 0 {
            log.warning("the true time of passages will not be known", metadata: ["passages": "\(count)"])
        }
    }

    private func judge(_ reading: HostClockReader.Reading) {
        switch reading.clock.verdict {
        case .believed: alarms.clear("clock")
        case .contradicted(let ahead):
            let direction = ahead > .milliseconds(0) ? "ahead of" : "behind"
            alarms.raise(
                "clock", .critical,
                "The box's clock is \(Wording.span(ahead.magnitude)) \(direction) the server's, though its time service "
                    + "says that it is right: its passages make no violations by themselves.",
                hint: "Compare both with a watch. At the box: timedatectl timesync-status, or chronyc sources.")
        case .unknown where reading.clock.trueStart != nil:
            alarms.raise(
                "clock", .warning,
                "No time service sets the box's clock, and it differs from the server's: times are put right by the server's.",
                hint:
                    "Check the time service: timedatectl. What is recorded while the server is out of reach for hours waits."
            )
        case .unknown:
            alarms.raise(
                "clock", .warning,
                "The box's clock is not synchronised: its passages make no violations by themselves.",
                hint:
                    "Check the time service: timedatectl. As soon as it, or the server, tells the time, the times that were "
                    + "recorded since the start are put right.")
        }
    }
}
