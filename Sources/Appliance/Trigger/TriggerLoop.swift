import Enforcement
import Foundation
import Logging
import MachineClock
import Modem
import Storage

/// Performs what ``TriggerReceiver`` decides: the port, the records, the alarms, and which vehicles the events were.
struct TriggerLoop {
    private static let wait = Duration.milliseconds(200)
    private static let writeTimeout = Duration.milliseconds(500)
    private static let beatInterval = TimeSpan.seconds(2)
    private static let lookedFor = TimeSpan.minutes(1)

    private let trigger: Configuration.Trigger
    private let store: Store
    private let alarms: AlarmBoard
    private let desk: PartDesk
    private let log: Logger
    private let backoff = Backoff()
    private var receiver: TriggerReceiver
    private var keeper: TriggerKeeper
    private var look = TriggerLook()

    private var port: SerialPort?
    private var attempt = 0
    private var nextTry: Instant?
    private var trouble: String?
    private var isKeepingBroken = false
    private var lastBeat: Instant?
    private var lastEventAt: Instant?

    init(
        _ trigger: Configuration.Trigger, _ configuration: Configuration, known: [TriggerEvent.Name], store: Store,
        alarms: AlarmBoard, desk: PartDesk, log: Logger
    ) {
        (self.trigger, self.store, self.alarms, self.desk, self.log) = (trigger, store, alarms, desk, log)
        receiver = TriggerReceiver(known: known, silentAfter: trigger.silentAfter)
        keeper = TriggerKeeper(trigger, configuration, store: store, log: log)
    }

    mutating func run(while goesOn: () -> Bool) {
        // What the run before said was its own: what still is so is said again.
        for key in ["trigger.silent", "trigger.port"] { alarms.clear(key) }
        while goesOn() {
            if port == nil, nextTry.map({ MachineClock.uptime >= $0 }) ?? true { open() }
            read()
            perform(receiver.handle(.tick, at: MachineClock.uptime))
            keeper.look(at: BoxClock.now)
            beat()
        }
        port?.discard()
    }

    private mutating func open() {
        var settings = SerialPort.Settings()
        settings.speed = trigger.speed
        do throws(SerialPortError) {
            port = try SerialPort(path: trigger.device, settings: settings)
            log.info("the port of the trigger is open", metadata: ["device": "\(trigger.device)"])
            perform(receiver.handle(.opened, at: MachineClock.uptime))
        } catch {
            lose(error)
        }
    }

    private mutating func lose(_ error: SerialPortError) {
        port?.discard()
        port = nil
        attempt += 1
        nextTry = MachineClock.uptime + backoff.delay(attempt: attempt, random: Double.random(in: 0...1))
        perform(receiver.handle(.closed, at: MachineClock.uptime))
        guard trouble != error.description else { return }
        trouble = error.description
        alarms.raise(
            "trigger.port", .warning, "The loop or radar can't be heard: \(error.description).",
            hint:
                "It is tried again by itself. Plates are read all the same; vehicles without one aren't counted meanwhile."
        )
    }

    private mutating func read() {
        guard let port else {
            usleep(UInt32(Self.wait / .microseconds(1)))
            return
        }
        port.wait(atMost: Self.wait)
        do throws(SerialPortError) {
            let bytes = try port.read()
            guard !bytes.isEmpty else { return }
            perform(receiver.handle(.received(bytes, at: BoxClock.now), at: MachineClock.uptime))
        } catch {
            lose(error)
        }
        guard receiver.hasHeard, attempt > 0 || trouble != nil else { return }
        (attempt, trouble) = (0, nil)
        alarms.clear("trigger.port")
    }

    private mutating func perform(_ actions: [TriggerReceiver.Action]) {
        for action in actions {
            switch action {
            case .write(let frame): write(frame)
            case .keep(let event): keep(event)
            case .raise(let alarm): raise(alarm)
            case .clear(let alarm): alarms.clear("trigger.\(alarm.kind)")
            }
        }
    }

    private mutating func write(_ frame: TriggerFrame) {
        guard let port else { return }
        do throws(SerialPortError) {
            try port.write(frame.bytes, timeout: Self.writeTimeout)
        } catch {
            lose(error)
        }
    }

    private mutating func keep(_ event: TriggerEvent) {
        // Before anything else: the cameras are to look now. What waited at the device is gone from the road.
        if BoxClock.now - event.at < Self.lookedFor {
            look.add(event.at)
            RunFolder.write(look, to: desk.folder.triggerLook)
        }
        lastEventAt = event.at
        do {
            try store.trigger.keep(event)
            isKeepingBroken = false
            perform(receiver.handle(.kept(event.name), at: MachineClock.uptime))
        } catch {
            if !isKeepingBroken { log.error("an event of the trigger can't be kept", metadata: ["error": "\(error)"]) }
            isKeepingBroken = true
            perform(receiver.handle(.notKept(event.name), at: MachineClock.uptime))
        }
    }

    private func raise(_ alarm: TriggerAlarm) {
        switch alarm {
        case .silent(let span):
            alarms.raise(
                "trigger.silent", .warning,
                "The loop or radar at \(trigger.device) has said nothing for \(Wording.span(span)).",
                hint:
                    "Look at its power and its cable: `checkpost trigger test` says what comes. Plates are read all the same."
            )
        case .lost(let count):
            alarms.raise(
                "trigger.lost", .warning,
                "On the line of the loop or radar \(Wording.count(count, "event")) went lost.",
                hint: "Look at its cable, its shield and its speed in baud. The count of vehicles lacks them.")
        case .overflow(let count):
            alarms.raise(
                "trigger.overflow", .warning,
                "The loop or radar had no room for \(Wording.count(count, "event")) while nobody took them.",
                hint:
                    "The box was off for long, can't write to its disk, or the device doesn't hear it: look at `checkpost status` and at "
                    + "the wire that goes to the device. The count of vehicles lacks them.")
        case .flood(let count):
            alarms.raise(
                "trigger.flood", .warning,
                "The loop or radar tells of more vehicles than any road has: \(Wording.count(count, "event")) dropped.",
                hint:
                    "Its loop or its sensitivity is wrong, or something chatters. Until it is mended, the count of vehicles is wrong."
            )
        }
    }

    private mutating func beat() {
        let now = MachineClock.uptime
        guard lastBeat.map({ now - $0 >= Self.beatInterval }) ?? true else { return }
        lastBeat = now
        desk.fault.strike(.work)
        desk.beat(PartNews(trigger: report))
    }

    private var report: TriggerReport {
        let state: TriggerReport.State =
            port == nil ? .closed : receiver.isSilent ? .silent : receiver.hasHeard ? .connected : .waiting
        var report = TriggerReport(device: trigger.device, state: state, trouble: trouble)
        report.counts = receiver.counts
        report.lastFrameAt = receiver.lastFrameAt
        report.lastEventAt = lastEventAt
        return report
    }
}
