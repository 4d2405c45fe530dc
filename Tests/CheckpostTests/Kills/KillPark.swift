import Foundation

/// A park whose every process may be killed: PostgreSQL, the server, and a box at each end of the road, each in a state of its own
/// on the disk that the next start goes on from.
final class KillPark {
    enum Part: String, CaseIterable {
        case postgres, server, boxA, boxB
    }

    static let isPossible = Park.isPossible

    let folder: String
    private let bin: String
    private let port: Int
    private var running: [Part: KeptProcess] = [:]

    private static let server = Checkout.program.deletingLastPathComponent().appendingPathComponent("checkpost-server")
        .path

    init() async throws {
        let versions = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql").sorted()
        bin = "/usr/lib/postgresql/\(versions.last ?? "15")/bin"
        folder = "/tmp/checkpost-kills-\(UUID().uuidString.prefix(8))"
        port = try FreePort.next()
        try FileManager.default.createDirectory(atPath: folder + "/postgres", withIntermediateDirectories: true)
        try Self.shell("chmod 755 '\(folder)'; [ \"$(id -u)\" != 0 ] || chown postgres '\(folder)/postgres'")
        let initialise =
            "'\(bin)/initdb' -D '\(folder)/postgres/data' -A trust -U postgres -E UTF8 --no-locale --no-sync"
        let asPostgres = getuid() == 0 ? "runuser -u postgres -- " : ""
        try Self.shell("cd / && \(asPostgres)\(initialise) >/dev/null")
        try start(.postgres)
        try await waitForPostgres()
        try Self.shell("'\(bin)/createdb' -h '\(folder)/postgres' -U postgres checkpost")
        try configureServer()
        try start(.server)
        for letter in ["a", "b"] { try configureBox(letter) }
    }

    deinit {
        running = [:]
        // PostgreSQL's own children notice that their parent is gone and end a moment later.
        for _ in 0..<50 {
            do {
                try FileManager.default.removeItem(atPath: folder)
                return
            } catch { usleep(100_000) }
        }
    }

    // MARK: Processes

    func start(_ part: Part) throws {
        let arguments: [String]
        switch part {
        case .postgres:
            arguments = [
                bin + "/postgres", "-D", folder + "/postgres/data", "-k", folder + "/postgres", "-c",
                "listen_addresses=", "-c", "fsync=on",
            ]
            // What a killed server leaves behind, and a restart by hand would remove.
            try Self.shell("rm -f '\(folder)/postgres/data/postmaster.pid'")
        case .server: arguments = [Self.server, "run", "--config", serverFile]
        case .boxA, .boxB:
            arguments = [Checkout.program.path, "run", "--simulated-clock", "--config", configuration(part)]
        }
        running[part] = try KeptProcess(
            arguments, log: "\(part == .postgres ? folder + "/postgres" : folder)/\(part.rawValue).log",
            user: part == .postgres ? "postgres" : nil)
    }

    func process(_ part: Part) -> KeptProcess? { running[part] }

    /// Starts whatever is not running. A server or a box that gave up while its database was away is a case of it.
    func startWhatIsGone() throws -> [Part] {
        let gone = Part.allCases.filter { running[$0]?.isRunning != true }
        for part in gone { try start(part) }
        return gone
    }

    func stop(_ part: Part, by signal: Int32) async throws {
        guard let process = running[part] else { return }
        kill(process.pid, signal)
        try await process.waitUntilGone()
        running[part] = nil
    }

    func waitForPostgres() async throws {
        try await ConsoleBox.wait("PostgreSQL") {
            (try? Self.shell("'\(bin)/psql' -h '\(folder)/postgres' -U postgres -Atc 'select 1' postgres 2>/dev/null"))
                == "1\n"
        }
    }

    // MARK: What they hold

    func query(_ sql: String) throws -> [String] {
        try Self.shell("'\(bin)/psql' -h '\(folder)/postgres' -U postgres -d checkpost -Atc \"\(sql)\"")
            .split(separator: "\n").map(String.init)
    }

    func configuration(_ part: Part) -> String { "\(box(part))/checkpost.toml" }

    func box(_ part: Part) -> String { "\(folder)/bnp-\(part == .boxA ? "a" : "b")" }

    func log(_ part: Part) -> String { folder + (part == .postgres ? "/postgres/" : "/") + part.rawValue + ".log" }

    private var serverFile: String { folder + "/server.toml" }

    private func configureServer() throws {
        let database = "host=\(folder)/postgres dbname=checkpost user="
        let files = Checkout.root.appendingPathComponent("deploy/server").path
        let options = "--config '\(serverFile)'"
        try Self.shell(
            """
            set -e
            '\(Self.server)' init \(options) --database-url '\(database)authenticator' --owner-url '\(database)postgres' \
              --port \(port) --photo-folder '\(folder)/photos' >/dev/null
            '\(Self.server)' migrate \(options) --migrations '\(files)/migrations' >/dev/null
            '\(Self.server)' seed \(options) --file '\(files)/seed/banke.sql' >/dev/null
            echo right-and-long-enough >'\(folder)/password'
            for post in a b; do
              '\(Self.server)' user add bnp-$post@bnp.local --name "Box $post" --checkpost BNP-$(echo $post | tr ab AB) \
                \(options) <'\(folder)/password' >/dev/null
            done
            chmod 600 '\(folder)/password'
            """)
    }

    private func configureBox(_ letter: String) throws {
        let keys = try Self.shell("'\(Self.server)' keys --env --config '\(serverFile)'")
        let anon = keys.split(separator: "\n").first { $0.hasPrefix("SUPABASE_ANON_KEY=") }?.dropFirst(18) ?? ""
        let (own, other) = letter == "a" ? ("BNP-A", "BNP-B") : ("BNP-B", "BNP-A")
        let home = "\(folder)/bnp-\(letter)"
        for name in ["incoming", "data"] {
            try FileManager.default.createDirectory(atPath: "\(home)/\(name)", withIntermediateDirectories: true)
        }
        let models = Checkout.root.appendingPathComponent("models").path
        let post = PostFile.text(of: own, other: other, position: letter == "a" ? 0 : 1)
        try """
        \(post)[reader]
        models = "\(models)"
        # A test machine that is busy may bring the next frame of a vehicle late, and for the box the time between was real.
        absence_seconds = 600
        [server]
        url = "http://127.0.0.1:\(port)"
        email = "bnp-\(letter)@bnp.local"
        password_file = "\(folder)/password"
        anon_key = "\(anon.trimmingCharacters(in: ["\"", "'"]))"
        [sync]
        interval_seconds = 2
        """.write(toFile: home + "/checkpost.toml", atomically: true, encoding: .utf8)
    }

    @discardableResult
    private static func shell(_ script: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script]
        let output = Pipe()
        process.standardOutput = output
        try process.runWithSignals()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw KeptProcess.Failure(description: "exit \(process.terminationStatus): \(script)\n\(said)")
        }
        return said
    }
}
