import Foundation
import TestKit
import Testing

/// A program that a test starts and stops itself, by its own process id.
final class RunningProgram: @unchecked Sendable {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ program: String, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit { stop() }

    var identifier: Int32 { process.processIdentifier }

    /// The first line that it prints.
    func firstLine() throws -> String {
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data([10]) { line += byte }
        return String(decoding: line, as: UTF8.self)
    }

    func stop() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Runs a program to its end; its output, standard error with it.
    @discardableResult
    static func run(_ program: String, _ arguments: [String]) throws -> String {
        let said = try OtherProgram.runAndWait(program, arguments)
        #expect(said.status == 0, "\(program) \(arguments.joined(separator: " ")): \(said.output)")
        return said.output
    }

    /// The ffmpeg processes on this machine whose command line holds `text`.
    static func ffmpegProcesses(with text: String) throws -> [Int32] {
        let entries = try FileManager.default.contentsOfDirectory(atPath: "/proc")
        return entries.compactMap { Int32($0) }.filter { identifier in
            guard let line = FileManager.default.contents(atPath: "/proc/\(identifier)/cmdline") else { return false }
            let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return words.first?.hasSuffix("ffmpeg") == true && words.contains { $0.contains(text) }
        }
    }
}
