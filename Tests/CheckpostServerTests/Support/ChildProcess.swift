import Foundation

/// Runs programs for the tests and always ends them.
enum ChildProcess {
    struct Result {
        var status: Int32
        var output: String
    }

    /// Runs a program to its end; after the limit it is ended by its own id. Output and errors are one text.
    static func run(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], input: String = "",
        limitSeconds: Double = 300
    ) async throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (output, standardInput) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = output
        process.standardInput = standardInput
        try process.run()
        try? standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? standardInput.fileHandleForWriting.close()
        let limit = Task {
            try await Task.sleep(for: .seconds(limitSeconds))
            kill(process.processIdentifier, SIGKILL)
        }
        defer { limit.cancel() }
        return await withCheckedContinuation { continuation in
            Thread {
                let data = output.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                continuation.resume(
                    returning: Result(status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
                )
            }.start()
        }
    }
}
