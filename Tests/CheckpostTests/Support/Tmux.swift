import Foundation

/// A terminal in tmux, with a server of its own: keys go in, the screen is read back as text.
final class Tmux {
    private static let program = "/usr/bin/tmux"
    private let socket: String
    private let raw: URL
    private let server = Process()

    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: program) }

    /// Runs a command line in a terminal of this size.
    init(_ command: [String], width: Int, height: Int, folder: TemporaryFolder) async throws {
        socket = folder["tmux"].path
        raw = folder["terminal.raw"]
        try startServer()
        try await ConsoleBox.wait("tmux") { FileManager.default.fileExists(atPath: socket) }
        let line = command.map { "'" + $0.replacing("'", with: "'\\''") + "'" }.joined(separator: " ")
        try tmux(
            "new-session", "-d", "-x", "\(width)", "-y", "\(height)",
            "until [ -e '\(raw.path)' ]; do sleep 0.02; done; \(line); echo; echo ENDED with $?; sleep 600")
        try tmux("set", "-g", "remain-on-exit", "on")
        // What the program writes, byte for byte: the bell leaves no trace on a screen. The program waits until it is written down.
        try tmux("pipe-pane", "cat >> '\(raw.path)'")
    }

    deinit {
        guard server.isRunning else { return }
        server.terminate()
        server.waitUntilExit()
    }

    /// In the foreground: one that detaches itself keeps what it inherited, and whoever started it waits for ever.
    private func startServer() throws {
        prepare(server, ["-D", "-f", "/dev/null"])
        server.standardOutput = FileHandle.nullDevice
        server.standardError = FileHandle.nullDevice
        try server.runWithSignals()
    }

    private func prepare(_ process: Process, _ arguments: [String]) {
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = ["-u", "-S", socket] + arguments
        process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm-256color", "HOME": "/tmp"]
        process.standardInput = FileHandle.nullDevice
    }

    @discardableResult
    private func tmux(_ arguments: String...) throws -> String {
        let process = Process()
        prepare(process, arguments)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.runWithSignals()
        let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ConsoleBox.Failure(description: "\(arguments): \(said)") }
        return said
    }

    /// The screen as it is: its lines without their styles.
    var screen: String { (try? tmux("capture-pane", "-p")) ?? "" }
    var lines: [String] { screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    var bells: Int {
        ((try? Data(contentsOf: raw)) ?? Data()).count { $0 == 7 }
    }

    func type(_ text: String) throws { try tmux("send-keys", "-l", text) }

    /// Presses keys by their names: `Enter`, `Escape`, `Down`.
    func press(_ keys: String...) throws {
        for key in keys { try tmux("send-keys", key) }
    }

    func resize(width: Int, height: Int) throws {
        try tmux("resize-window", "-x", "\(width)", "-y", "\(height)")
    }

    /// Waits until the screen shows a text.
    func wait(for text: String) async throws {
        do {
            try await ConsoleBox.wait("\"\(text)\"") { screen.contains(text) }
        } catch {
            throw ConsoleBox.Failure(description: "\(error). The screen:\n\(screen)")
        }
    }

    /// Waits until it no longer does.
    func wait(without text: String) async throws {
        do {
            try await ConsoleBox.wait("the end of \"\(text)\"") { !screen.contains(text) }
        } catch {
            throw ConsoleBox.Failure(description: "\(error). The screen:\n\(screen)")
        }
    }
}
