import Foundation

/// Runs a program of the system to its end, for no longer than it may take and with no more output than fits.
package enum BoundedProgram {
    private static let mostBytes = 4 << 20

    package struct Result: Sendable {
        /// -1 when it could not be started, or took too long.
        package var status: Int32

        /// What it wrote, output and errors, or why it did not run.
        package var output: String
    }

    /// - Parameter errors: whether what it writes as errors belongs to its output.
    package static func run(
        _ program: String, _ arguments: [String], seconds: Double, errors: Bool = true
    ) -> Result {
        guard access(program, X_OK) == 0 else { return Result(status: -1, output: "There is no \(program) here.\n") }
        let (pid, output): (pid_t, Int32)
        do throws(ProgramSpawn.Failure) { (pid, output) = try start(program, arguments, errors: errors) } catch {
            return Result(status: -1, output: "\(program) can't be started: \(error.reason).\n")
        }
        defer { close(output) }
        var data = Data()
        let deadline = ContinuousClock.now + .seconds(seconds)
        // Its end is what counts: a program that it leaves behind may hold its output for ever.
        while true {
            let status = ended(pid)
            let isOver = read(output, into: &data, milliseconds: status == nil ? 20 : 0)
            if let status { return Result(status: status, output: String(decoding: data, as: UTF8.self)) }
            if isOver { usleep(2000) }
            guard ContinuousClock.now < deadline else { break }
        }
        kill(-pid, SIGKILL)
        // One that hangs in the kernel isn't waited for either.
        let patience = ContinuousClock.now + .seconds(2)
        while ended(pid) == nil, ContinuousClock.now < patience { usleep(10_000) }
        return Result(status: -1, output: String(decoding: data, as: UTF8.self) + "It took too long.\n")
    }

    /// - Returns: its process, and the end of a pipe from which its output comes.
    private static func start(
        _ program: String, _ arguments: [String], errors: Bool
    ) throws(ProgramSpawn.Failure) -> (pid_t, Int32) {
        let (reading, writing) = try ProgramSpawn.pipe()
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer {
            close(writing)
            close(nowhere)
        }
        do throws(ProgramSpawn.Failure) {
            let pid = try ProgramSpawn.start(
                program, arguments: [program] + arguments, environment: ProcessInfo.processInfo.environment,
                descriptors: [STDOUT_FILENO: writing, STDERR_FILENO: errors ? writing : nowhere])
            return (pid, reading)
        } catch {
            close(reading)
            throw error
        }
    }

    /// The exit status, or 128 and the number of the signal that ended it; nil while it runs.
    private static func ended(_ pid: pid_t) -> Int32? {
        var raw: Int32 = 0
        let found = waitpid(pid, &raw, WNOHANG)
        guard found == pid || (found < 0 && errno != EINTR) else { return nil }
        guard found == pid else { return -1 }
        let number = raw & 0x7f
        return number == 0 ? (raw >> 8) & 0xff : 128 + number
    }

    /// Takes what has come, and waits so long for it.
    ///
    /// - Returns: whether nobody writes any more.
    private static func read(_ output: Int32, into data: inout Data, milliseconds: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        var wait = milliseconds
        // One that never stops writing has its limit looked at between.
        for _ in 0..<64 {
            var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, wait) > 0 else { return false }
            let count = Glibc.read(output, &bytes, bytes.count)
            guard count > 0 else { return true }
            if data.count < mostBytes { data.append(contentsOf: bytes.prefix(min(count, mostBytes - data.count))) }
            wait = 0
        }
        return false
    }
}
