import Foundation
import Synchronization

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
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = errors ? pipe : FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        do { try process.run() } catch {
            return Result(status: -1, output: "\(program) can't be started: \(error.localizedDescription)\n")
        }
        let isLate = Mutex(false)
        let limit = DispatchWorkItem {
            isLate.withLock { $0 = true }
            kill(process.processIdentifier, SIGKILL)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: limit)
        var data = Data()
        while let more = try? pipe.fileHandleForReading.read(upToCount: 1 << 16), !more.isEmpty {
            if data.count < mostBytes { data += more.prefix(mostBytes - data.count) }
        }
        process.waitUntilExit()
        limit.cancel()
        let text = String(decoding: data, as: UTF8.self)
        guard !isLate.withLock(\.self) else { return Result(status: -1, output: text + "It took too long.\n") }
        return Result(status: process.terminationStatus, output: text)
    }
}
