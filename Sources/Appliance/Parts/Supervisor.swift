import CLinux
import Enforcement
import Foundation
import Logging
import MachineClock

/// Starts the parts of the appliance as processes, and performs what ``PartSupervisor`` decides about them.
///
/// It reads no picture, no record and no answer, so that nothing that comes from outside can end it: it counts beats, passes on lines and
/// collects children. All of it is one loop on one thread, and none of its steps waits.
final class Supervisor {
    private static let interval: Int32 = 250
    private static let newsInterval = TimeSpan.seconds(1)

    private let folder: RunFolder
    private let notifier = SystemdNotifier()
    private let words: SupervisorLog
    private let log: Logger
    private let startedAt = BoxClock.now
    private var machine: PartSupervisor
    private var children: [Part: ChildProcess] = [:]
    private var signals: [Int32] = [-1, -1]
    private var isOver = false
    private var ending = Ending.stopped
    private var isAskedToStop = false
    private var lastTick: Instant?
    private var lastNews: Instant?
    private var lastAlive: Instant?
    private var toldStatus = ""

    /// Called once, when passages can be recorded.
    var onReady: () -> Void = {}

    init(parts: [Part], folder: RunFolder, words: SupervisorLog, log: Logger) {
        (self.folder, self.words, self.log) = (folder, words, log)
        let fault = PartFault()
        let bytes = Int(sysconf(Int32(_SC_PHYS_PAGES))) * Int(sysconf(Int32(_SC_PAGESIZE)))
        machine = PartSupervisor(
            parts.map { ($0, fault.shortened(PartBounds($0, machineBytes: bytes), of: $0)) })
    }

    /// Why it returned.
    enum Ending {
        case stopped
        /// A part found the database damaged: it has to be set aside while no part has it open.
        case damagedDatabase
        /// The box records in its spare folder, and need not any more.
        case diskHasMoved
    }

    /// Returns when the appliance has been asked to stop and every part is gone.
    ///
    /// Parts are killed by the kernel when the thread that started them ends, so this is to be called on one that lives as long.
    func run() -> Ending {
        guard pipe2(&signals, O_CLOEXEC | O_NONBLOCK) == 0 else { return ending }
        checkpost_write_signals_to(signals[1])
        perform(machine.handle(.begin, at: MachineClock.uptime))
        while !isOver {
            wait()
            hear()
            takeSignals()
            resumeStopped()
            collect()
            look()
        }
        writeNews()
        return ending
    }

    private func wait() {
        let ends = [signals[0]] + children.values.flatMap { [$0.beats, $0.words] }
        var waiting = ends.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = poll(&waiting, nfds_t(waiting.count), Self.interval)
        // A child that closed its pipes is about to end; its end comes as a signal, and this loop must not spin until then.
        if waiting.contains(where: { $0.revents & Int16(POLLHUP) != 0 }) { usleep(5000) }
    }

    private func hear() {
        for part in children.keys {
            switch children[part]?.beat() {
            case .plain: perform(machine.handle(.beat(part), at: MachineClock.uptime))
            case .able: perform(machine.handle(.able(part), at: MachineClock.uptime))
            case nil: break
            }
            if let lines = children[part]?.heard() { words.pass(lines) }
        }
    }

    private func takeSignals() {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(signals[0], &bytes, bytes.count)
        guard count > 0 else { return }
        for byte in bytes[..<count] {
            switch Int32(byte) {
            case SIGTERM, SIGINT:
                notifier.stopping()
                ending = .stopped
                isAskedToStop = true
                perform(machine.handle(.stop, at: MachineClock.uptime))
            case SIGHUP:
                // Before its first beat a part has not read the file yet, and does not expect the signal.
                for state in machine.states where state.phase == .up {
                    if let child = children[state.part] { kill(child.pid, SIGHUP) }
                }
            default: break
            }
        }
    }

    /// Nobody at the post would let a part go on that was stopped, and half a minute passes before it counts as hung.
    private func resumeStopped() {
        while true {
            let pid = checkpost_next_stopped()
            guard pid > 0 else { return }
            let part = children.first { $0.value.pid == pid }?.key
            log.warning("a part was stopped by a signal; it goes on", metadata: ["part": "\(part?.name ?? "\(pid)")"])
            kill(pid, SIGCONT)
        }
    }

    private func collect() {
        var (status, number): (Int32, Int32) = (0, 0)
        while true {
            let pid = checkpost_next_ended(&status, &number)
            guard pid > 0 else { return }
            guard let part = children.first(where: { $0.value.pid == pid })?.key, var child = children[part] else {
                continue
            }
            words.pass(child.heard(isOver: true))
            child.closeEnds()
            children[part] = nil
            let ended: PartEnding = number != 0 ? .signalled(number) : .exited(status: status)
            let reason: Ending? =
                switch ended {
                case .exited(status: BoxDatabase.damagedExitCode): .damagedDatabase
                case .exited(status: BoxDatabase.diskMovedExitCode): .diskHasMoved
                default: nil
                }
            // Before its end is taken for a fault: the part has said what it found, and asks for a new beginning.
            if let reason, !isAskedToStop, ending == .stopped {
                ending = reason
                perform(machine.handle(.stop, at: MachineClock.uptime))
            }
            perform(machine.handle(.ended(part, ended), at: MachineClock.uptime))
        }
    }

    private func look() {
        let now = MachineClock.uptime
        if lastTick.map({ now - $0 >= .milliseconds(Int64(Self.interval)) }) ?? true {
            lastTick = now
            for (part, child) in children {
                if let bytes = child.residentBytes { perform(machine.handle(.memory(part, bytes: bytes), at: now)) }
            }
            perform(machine.handle(.tick, at: now))
        }
        if lastNews.map({ now - $0 >= Self.newsInterval }) ?? true { writeNews() }
        if machine.statusText != toldStatus {
            toldStatus = machine.statusText
            notifier.status(machine.statusText)
        }
        guard let interval = notifier.watchdogInterval, machine.isInOrder(at: now) else { return }
        let span = TimeSpan.milliseconds(Int64(interval.milliseconds))
        if lastAlive.map({ now - $0 >= min(span, .seconds(2)) }) ?? true {
            lastAlive = now
            notifier.alive()
        }
    }

    private func perform(_ actions: [PartSupervisor.Action]) {
        for action in actions {
            switch action {
            case .start(let part, let reason, let ends): start(part, after: reason, ends: ends)
            case .terminate(let part): signal(part, SIGTERM)
            case .kill(let part): signal(part, SIGKILL)
            case .raise(_, let alarm):
                log.log(
                    level: alarm.isCritical ? .critical : .warning, "\(alarm.message) \(alarm.part.hint)",
                    metadata: ["alarm": "\(SupervisorNews.Alarm.prefix)\(alarm.part.name)"])
                lastNews = nil
            case .clear(let part):
                log.notice("over", metadata: ["alarm": "\(SupervisorNews.Alarm.prefix)\(part.name)"])
                lastNews = nil
            case .ready:
                notifier.ready()
                onReady()
            case .finished: isOver = true
            }
        }
    }

    /// The whole group, but to be asked to stop: what a part started is the part's to end.
    private func signal(_ part: Part, _ number: Int32) {
        guard let child = children[part] else { return }
        kill(number == SIGKILL ? -child.pid : child.pid, number)
    }

    private func start(_ part: Part, after reason: String?, ends: Int) {
        var arguments = CommandLine.arguments + ["--part", part.name, "--supervisor", "\(getpid())"]
        arguments += ["--data", folder.dataFolder, "--ends", "\(ends)"]
        if let reason { arguments += ["--after", reason] }
        var environment = ProcessInfo.processInfo.environment
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { environment[name] = nil }
        // Taking a crash apart would keep a part from coming back for seconds; its last words are in the log.
        if environment["SWIFT_BACKTRACE"] == nil { environment["SWIFT_BACKTRACE"] = "enable=no" }
        do {
            children[part] = try ChildProcess(arguments: arguments, environment: environment)
            log.debug("part started", metadata: ["part": "\(part.name)"])
        } catch {
            perform(machine.handle(.notStarted(part, reason: error.reason), at: MachineClock.uptime))
        }
        lastNews = nil
    }

    private func writeNews() {
        let now = MachineClock.uptime
        lastNews = now
        let lines = machine.states.map { state in
            let child = children[state.part]
            return SupervisorNews.Line(
                name: state.part.name, state: state.phase.word, pid: child?.pid,
                upSeconds: (now - state.startedAt).seconds, ends: state.ends, reason: state.reason,
                residentBytes: child?.residentBytes, alarm: state.alarm.map(SupervisorNews.Alarm.init))
        }
        RunFolder.write(
            SupervisorNews(
                pid: getpid(), version: Version.text, startedAt: startedAt, updatedAt: BoxClock.now, uptime: now,
                parts: lines), to: folder.supervisor)
    }
}

extension PartSupervisor.Phase {
    fileprivate var word: String {
        switch self {
        case .waiting: "waiting"
        case .starting: "starting"
        case .up: "up"
        case .ending: "ending"
        case .stopped: "stopped"
        }
    }
}
