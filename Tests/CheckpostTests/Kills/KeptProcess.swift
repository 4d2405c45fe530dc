import Foundation

/// A child that is killed by chance and started again, and that never outlives the test.
///
/// It runs under a shell that reads a pipe from this process: however the test ends, the pipe closes and the shell kills it. The
/// shell doesn't wait for it, so its number stays its own until then.
final class KeptProcess {
    struct Failure: Error, CustomStringConvertible { let description: String }

    let pid: pid_t
    private let shell: Process
    private let life: FileHandle

    /// - Parameters:
    ///   - log: what the child says is added to this file.
    ///   - user: runs it as this user, where the test is root.
    init(_ arguments: [String], log: String, user: String? = nil) throws {
        let script = """
            log=$1; shift
            OMP_THREAD_LIMIT=1 "$@" >>"$log" 2>&1 </dev/null & pid=$!
            echo $pid
            read -r nothing
            kill -9 $pid 2>/dev/null
            """
        let asUser = user.map { getuid() == 0 ? ["/usr/sbin/runuser", "-u", $0, "--"] : [] } ?? []
        let command = asUser + ["/bin/sh", "-c", script, "kept", log] + arguments
        shell = Process()
        shell.executableURL = URL(fileURLWithPath: command[0])
        shell.arguments = Array(command.dropFirst())
        shell.currentDirectoryURL = URL(fileURLWithPath: "/")
        let (output, input) = (Pipe(), Pipe())
        shell.standardOutput = output
        shell.standardInput = input
        try shell.runWithSignals()
        life = input.fileHandleForWriting
        let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let number = pid_t(said.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Failure(description: "\(arguments) did not start: \(said)")
        }
        pid = number
    }

    deinit {
        // Closing the pipe is what makes the shell kill the child.
        do { try life.close() } catch { kill(pid, SIGKILL) }
        shell.waitUntilExit()
    }

    /// Whether it runs: neither gone nor waiting to be reaped.
    var isRunning: Bool { Self.state(of: pid).map { $0 != "Z" && $0 != "X" } ?? false }

    /// Its own children, as the kernel lists them.
    var children: [pid_t] {
        guard let list = try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8) else {
            return []
        }
        return list.split(separator: " ").compactMap { pid_t($0) }
    }

    private static func state(of pid: pid_t) -> Character? {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        return text[end...].dropFirst(2).first
    }

    func waitUntilGone(seconds: Double = 30) async throws {
        let deadline = Date().addingTimeInterval(seconds)
        while isRunning, Date() < deadline { try await Task.sleep(for: .milliseconds(20)) }
        if isRunning { throw Failure(description: "the process \(pid) is still there after \(seconds) s") }
    }
}
