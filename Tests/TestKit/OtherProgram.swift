import Foundation

/// Runs other programs for the tests and always ends them, by their own process ids.
package enum OtherProgram {
    package struct Result: Sendable {
        package var status: Int32
        package var output: String
    }

    /// Runs a program to its end, without holding a thread that other tests need. Output and errors are one text.
    ///
    /// - Parameter limitSeconds: after so long it is killed.
    package static func run(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], input: String = "",
        limitSeconds: Double = 300
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            Thread {
                continuation.resume(
                    with: Swift.Result {
                        try runAndWait(
                            program, arguments, environment: environment, input: input, limitSeconds: limitSeconds)
                    })
            }.start()
        }
    }

    /// The same for a test that has nothing else to do.
    package static func runAndWait(
        _ program: String, _ arguments: [String] = [], environment: [String: String] = [:], input: String = "",
        limitSeconds: Double = 300
    ) throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (output, standardInput) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = output
        process.standardInput = standardInput
        try process.run()
        let id = process.processIdentifier
        // It is kept until its time has come, called off or not; the pipes must not stay open so long.
        let limit = DispatchWorkItem { [weak process] in if process?.isRunning == true { kill(id, SIGKILL) } }
        DispatchQueue.global().asyncAfter(deadline: .now() + limitSeconds, execute: limit)
        defer { limit.cancel() }
        try? standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? standardInput.fileHandleForWriting.close()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Result(status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
    }
}
