import Foundation

/// A shell that runs PostgreSQL for the tests, as the user that it wants, for as long as this is used or this process lives.
///
/// Its script says `started`, waits for the end of its standard input, and then stops and removes what it started.
final class WatchedShell: Sendable {
    private let lifeline: FileHandle

    /// - Parameter script: with these arguments; the first one is `$1`.
    /// - Throws: `PostgresCluster.Failure` with `trouble` when the script ends before it says that it started.
    init(_ script: String, _ arguments: [String], trouble: String) throws {
        let process = Process()
        // initdb refuses to run as root.
        process.executableURL = URL(fileURLWithPath: getuid() == 0 ? "/usr/sbin/runuser" : "/bin/sh")
        let command = ["-c", script, "postgres-of-tests"] + arguments
        process.arguments = getuid() == 0 ? ["-u", "postgres", "--", "/bin/sh"] + command : command
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        lifeline = input.fileHandleForWriting
        guard !output.fileHandleForReading.availableData.isEmpty else {
            throw PostgresCluster.Failure(description: trouble)
        }
    }

    /// Stops it now; also what is not used any more stops.
    func stop() { try? lifeline.close() }
}
