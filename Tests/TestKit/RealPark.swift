import Foundation

/// The park's own server over a PostgreSQL cluster of its own, seeded with the pilot, with one account for each post.
///
/// Both run under shells that read a pipe from this process: however it ends, the pipe closes, and each shell stops what it
/// started. The shells don't `wait`: they inherit a mask without SIGCHLD, and would wait for ever.
package final class RealPark {
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    package let folder: String
    package private(set) var url = ""
    package private(set) var key = ""

    /// What the provider of SMS signs with.
    package private(set) var smsToken = ""
    private var lifelines: [FileHandle] = []
    private var serverLife: FileHandle?

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The server's program: beside the tests, or where the environment says.
    package static let program: String? = {
        let named = ProcessInfo.processInfo.environment["CHECKPOST_SERVER"]
        let built = root.appendingPathComponent(".build/debug/checkpost-server").path
        return [named, built].compactMap(\.self).first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    private static let bin: String? = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        return versions.map { "/usr/lib/postgresql/\($0)/bin" }
            .first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
    }()

    package static var isPossible: Bool { program != nil && bin != nil }

    package init(port: Int = 0) throws {
        guard let bin = Self.bin, let program = Self.program else { throw Failure(description: "no server here") }
        folder = "/tmp/checkpost-sync-\(UUID().uuidString.prefix(8))"
        let cluster = """
            mkdir -m 755 "$1" && cd "$1" || exit 1
            "$2/initdb" -D data -A trust -U postgres -E UTF8 --no-locale --no-sync >initdb.log 2>&1 || exit 1
            "$2/postgres" -D data -k "$1" -c listen_addresses= -c fsync=off >postgres.log 2>&1 </dev/null &
            pid=$!
            for i in $(seq 200); do "$2/createdb" -h "$1" -U postgres checkpost 2>/dev/null && break; sleep 0.05; done
            echo ready
            read -r nothing
            kill -INT "$pid"
            for i in $(seq 100); do [ -e data/postmaster.pid ] || break; sleep 0.1; done
            cd / && rm -rf "$1"
            """
        let asPostgres = getuid() == 0 ? ["/usr/sbin/runuser", "-u", "postgres", "--"] : []
        let (life, line) = try Self.start(asPostgres + ["/bin/sh", "-c", cluster, "cluster", folder, bin])
        lifelines.append(life)
        guard line == "ready" else { throw Failure(description: "PostgreSQL did not start in \(folder)") }
        try configure(program, port: port)
        try start()
    }

    deinit {
        stop()
        for life in lifelines { try? life.close() }
        for file in [configuration, configuration + ".log", updates] {
            try? FileManager.default.removeItem(atPath: file)
        }
    }

    private var configuration: String { folder + ".toml" }

    /// Where packages lie that are offered to the boxes.
    private var updates: String { folder + ".updates" }

    /// Runs a command of the server's program, such as `update list`.
    @discardableResult
    package func command(_ arguments: String...) throws -> OtherProgram.Result {
        try OtherProgram.runAndWait(Self.program ?? "", arguments + ["--config", configuration], limitSeconds: 60)
    }

    private func configure(_ program: String, port: Int) throws {
        let database = "host=\(folder) dbname=checkpost user="
        let photos = NSTemporaryDirectory() + "photos-\(UUID().uuidString.prefix(8))"
        try run(
            program, "init", "--config", configuration, "--database-url", database + "authenticator", "--owner-url",
            database + "postgres", "--port", String(port), "--photo-folder", photos)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: configuration))
        try file.seekToEnd()
        try file.write(contentsOf: Data("\n[updates]\nfolder = \"\(updates)\"\n".utf8))
        try file.close()
        let deploy = Self.root.appendingPathComponent("deploy/server").path
        let files = ProcessInfo.processInfo.environment["CHECKPOST_SERVER_FILES"] ?? deploy
        try run(program, "migrate", "--config", configuration, "--migrations", files + "/migrations")
        try run(program, "seed", "--config", configuration, "--file", files + "/seed/banke.sql")
        // The tests' times lie at the limits themselves.
        _ = try query("update highway_segments set tolerance_kmh = 0, tolerance_percent = 0")
        for post in ["a", "b"] {
            try run(
                program, "user", "add", "bnp-\(post)@bnp.local", "--name", "Box \(post)", "--checkpost",
                "BNP-\(post.uppercased())", "--config", configuration, input: "right-and-long-enough\n")
        }
        for line in try run(program, "keys", "--env", "--config", configuration).split(separator: "\n") {
            let value =
                line.split(separator: "=", maxSplits: 1).last.map { $0.trimmingCharacters(in: ["\"", "'"]) } ?? ""
            if line.contains("SUPABASE_ANON_KEY=") { key = value }
            if line.contains("TWILIO_AUTH_TOKEN=") { smsToken = value }
        }
    }

    /// Starts the server, on the port it had.
    package func start() throws {
        guard let program = Self.program else { return }
        let script = """
            "$1" run --config "$2" 2>"$2.log" & pid=$!
            # A server that ends at once is heard to: nobody else writes there.
            exec >&-
            read -r nothing
            kill -9 "$pid"
            """
        let (life, line) = try Self.start(["/bin/sh", "-c", script, "server", program, configuration])
        serverLife = life
        guard let range = line.range(of: "http://") else { throw Failure(description: "the server says \(line)") }
        url = String(line[range.lowerBound...])
    }

    /// Kills the server, as a power cut would.
    package func stop() {
        try? serverLife?.close()
        serverLife = nil
    }

    /// Rows of a query, columns separated by `|`.
    package func query(_ sql: String) throws -> [String] {
        guard let bin = Self.bin else { return [] }
        return try run(bin + "/psql", "-h", folder, "-U", "postgres", "-d", "checkpost", "-Atc", sql)
            .split(separator: "\n").map(String.init)
    }

    /// Keeps the database as it is now; the server pauses for it. It needs a port of its own.
    package func backUp() throws { try replace("backup", by: "checkpost") }

    /// Puts the database back as it was kept: rows and numbers since are gone.
    package func restore() throws { try replace("checkpost", by: "backup") }

    private func replace(_ database: String, by template: String) throws {
        guard let bin = Self.bin else { return }
        stop()
        let end = "select pg_terminate_backend(pid) from pg_stat_activity where datname in ('checkpost', 'backup')"
        for statement in [
            end, "drop database if exists \(database)", "create database \(database) template \(template)",
        ] {
            try run(bin + "/psql", "-h", folder, "-U", "postgres", "-d", "postgres", "-Atc", statement)
        }
        try start()
    }

    /// Rows a second that `pgbench` inserts over one connection, each in a transaction of its own, with the triggers on.
    package func insertRate(rows: Int) throws -> Double {
        guard let bin = Self.bin else { return 0 }
        let script = configuration + ".sql"
        defer { try? FileManager.default.removeItem(atPath: script) }
        try """
        \\set n random(1, 1000000000)
        insert into vehicle_passages (client_id, plate_number, plate_number_raw, vehicle_type, checkpost_id, segment_id,
            recorded_at, clock_state, confidence)
        values (gen_random_uuid(), 'PG' || :n, 'PG', 'car', 'b0000000-0000-4000-8000-00000000000a',
            'b0000000-0000-4000-8000-000000000002', now() - make_interval(secs => :n % 80000), 'synchronised', 0.9);
        """.write(toFile: script, atomically: true, encoding: .utf8)
        let said = try run(
            bin + "/pgbench", "-n", "-h", folder, "-U", "postgres", "-t", String(rows), "-f", script, "checkpost")
        let words = said.split(whereSeparator: \.isWhitespace).map(String.init)
        return words.firstIndex(of: "tps").flatMap { Double(words[$0 + 2]) } ?? 0
    }

    @discardableResult
    private func run(_ arguments: String..., input: String = "") throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: arguments[0])
        process.arguments = Array(arguments.dropFirst())
        let (output, standardInput) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = output
        process.standardInput = standardInput
        try process.run()
        try? standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? standardInput.fileHandleForWriting.close()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: "\(arguments.prefix(3)): \(said)") }
        return said
    }

    /// - Returns: the pipe that ends it when it is closed, and the first line that it says.
    private static func start(_ arguments: [String]) throws -> (FileHandle, String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: arguments[0])
        process.arguments = Array(arguments.dropFirst())
        let (output, input) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardInput = input
        try process.run()
        let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        return (input.fileHandleForWriting, String(said.split(separator: "\n").first ?? ""))
    }
}
