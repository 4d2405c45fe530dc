import Foundation

/// Runs `checkpost` as a child process.
struct Program {
    struct Result: Sendable {
        var status: Int32
        var output: String
        var errors: String

        /// The output's lines as JSON objects.
        var objects: [[String: Any]] {
            output.split(separator: "\n").compactMap {
                try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }
        }
    }

    /// Runs it to its end, at most two minutes, without holding a thread that other tests need.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], input: URL? = nil
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Swift.Result { try runAndWait(arguments, environment, input) })
            }
        }
    }

    private static func runAndWait(
        _ arguments: [String], _ environment: [String: String], _ input: URL?
    ) throws -> Result {
        let output = Pipe()
        let errors = Pipe()
        let process = try start(arguments, environment: environment, output: output, errors: errors, input: input)
        let collected = Collected()
        let readers = DispatchGroup()
        DispatchQueue.global().async(group: readers) {
            collected.output = output.fileHandleForReading.readDataToEndOfFile()
        }
        DispatchQueue.global().async(group: readers) {
            collected.errors = errors.fileHandleForReading.readDataToEndOfFile()
        }
        // For a machine that does ten other things: it is there to end what hangs.
        let deadline = Date().addingTimeInterval(480)
        while process.isRunning, Date() < deadline { usleep(20_000) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        readers.wait()
        return Result(
            status: process.terminationStatus, output: String(decoding: collected.output, as: UTF8.self),
            errors: String(decoding: collected.errors, as: UTF8.self))
    }

    /// Starts it and leaves it running.
    static func start(
        _ arguments: [String], as user: uid_t? = nil, environment: [String: String] = [:], output: Any? = nil,
        errors: Any? = nil, input: URL? = nil
    ) throws -> Process {
        let process = Process()
        process.executableURL = Checkout.program
        process.arguments = arguments
        if let user {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
            process.arguments =
                ["--reuid=\(user)", "--regid=\(user)", "--clear-groups", Checkout.program.path] + arguments
        }
        process.environment = ProcessInfo.processInfo.environment
            .merging(["OMP_THREAD_LIMIT": "1"]) { $1 }.merging(environment) { $1 }
        process.standardOutput = output ?? FileHandle.nullDevice
        process.standardError = errors ?? FileHandle.nullDevice
        process.standardInput = try input.map { try FileHandle(forReadingFrom: $0) } ?? .nullDevice
        try process.run()
        return process
    }

    private final class Collected: @unchecked Sendable {
        // Written by one reader each, and read after both are done.
        var output = Data()
        var errors = Data()
    }
}
