import Foundation
import Synchronization

@testable import Appliance

/// `checkpost run` as a child process that can be frozen while the modem answers it.
final class FrozenBox: Sendable {
    private let process = Mutex<Process?>(nil)
    private let isFrozen = Mutex(false)
    private let freezes = Mutex(false)

    var standsStill: Bool {
        get { freezes.withLock { $0 } }
        set { freezes.withLock { $0 = newValue } }
    }

    var hasStopped: Bool { isFrozen.withLock { $0 } }

    func start(_ configuration: URL) throws {
        isFrozen.withLock { $0 = false }
        let started = try Program.start(["run", "--config", configuration.path])
        process.withLock { $0 = started }
    }

    /// Called before the modem answers.
    func modemGot(_ text: String) {
        // A PDU, and no command.
        guard standsStill, !text.hasPrefix("AT"), text.count > 20 else { return }
        guard let id = process.withLock({ $0?.processIdentifier }) else { return }
        // The supervisor first, so that it doesn't start the others again.
        Glibc.kill(id, SIGSTOP)
        let parts = Self.parts(of: id)
        for part in parts { Glibc.kill(part, SIGSTOP) }
        // The signal is on its way: a thread on another processor may yet read the modem's OK and write it down.
        for _ in 0..<1000 where !([id] + parts).allSatisfy(Self.standsStill) { usleep(10_000) }
        isFrozen.withLock { $0 = true }
    }

    /// Whether each thread of a process has stopped.
    private static func standsStill(_ process: pid_t) -> Bool {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return tasks.allSatisfy { task in
            // "4711 (a name) T 1 …"; one that is gone does nothing any more.
            let stat = try? String(contentsOfFile: "/proc/\(process)/task/\(task)/stat", encoding: .utf8)
            return stat?.components(separatedBy: ") ").last?.hasPrefix("T") ?? true
        }
    }

    private static func parts(of supervisor: pid_t) -> [pid_t] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(supervisor)/task")) ?? []
        return tasks.flatMap { task in
            ((try? String(contentsOfFile: "/proc/\(supervisor)/task/\(task)/children", encoding: .utf8)) ?? "")
                .split(separator: " ").compactMap { pid_t($0) }
        }
    }

    func kill() {
        guard let running = process.withLock({ $0 }) else { return }
        Glibc.kill(running.processIdentifier, SIGKILL)
        running.waitUntilExit()
        process.withLock { $0 = nil }
    }

    deinit { kill() }
}
