import Foundation
import TestKit

/// A park on this machine, as `deploy/server/demo --stay` makes it: PostgreSQL, the server, two checkposts, and a sample day that has
/// passed both. It is stopped with this object.
final class Park {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let folder: String
    let said: String
    private let process: Process

    /// PostgreSQL is a package of its own, and the server a program of its own: `swift build` makes it.
    static var isPossible: Bool {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        return !versions.isEmpty && FileManager.default.isExecutableFile(atPath: server.path)
    }

    private static let server = Checkout.program.deletingLastPathComponent().appendingPathComponent("checkpost-server")

    /// Waits until the sample day is at the server, at most three minutes.
    init() throws {
        let process = Process()
        process.executableURL = Checkout.root.appendingPathComponent("deploy/server/demo")
        process.arguments = [Checkout.program.path, Self.server.path, "--stay"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.runWithSignals()
        self.process = process
        var said = ""
        let deadline = Date().addingTimeInterval(180)
        let descriptor = output.fileHandleForReading.fileDescriptor
        while !said.contains("signs in with the password"), Date() < deadline {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 1000) > 0 else { continue }
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            said += String(decoding: data, as: UTF8.self)
        }
        self.said = said
        guard let start = said.range(of: "/tmp/checkpost-park."), said.contains("signs in with the password") else {
            process.terminate()
            throw Failure(description: "The park did not start: \(said)")
        }
        folder = "/tmp/" + said[start.lowerBound...].split(separator: "/")[1]
    }

    func configuration(_ letter: String) -> String { "\(folder)/bnp-\(letter)/checkpost.toml" }

    /// Runs a command of a post.
    func run(_ arguments: [String], at letter: String) async throws -> Program.Result {
        try await Program.run(arguments + ["--config", configuration(letter)])
    }

    /// Rows of a query at the server, columns separated by `|`.
    func query(_ sql: String) throws -> [String] {
        let said = try OtherProgram.runAndWait(
            "/usr/bin/psql", ["-h", folder + "/postgres", "-U", "postgres", "-d", "checkpost", "-Atc", sql])
        return said.output.split(separator: "\n").map(String.init)
    }

    /// Ends all of it and waits for the end.
    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    deinit { if process.isRunning { stop() } }
}
