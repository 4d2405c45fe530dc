import Foundation
import TestKit
import Testing

@testable import checkpost_server

@Suite("The command line", .serialized, .timeLimit(.minutes(10)))
struct CommandTests {
    let folder: URL
    var config: String { folder.appendingPathComponent("server.toml").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("commands-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// The program that was built with these tests; it lies beside their bundle.
    static var program: String {
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let beside = bundle.appendingPathComponent("checkpost-server").path
        return FileManager.default.isExecutableFile(atPath: beside)
            ? beside : PostgresCluster.package.appendingPathComponent(".build/debug/checkpost-server").path
    }

    private func run(_ arguments: String..., input: String = "") async throws -> OtherProgram.Result {
        try await OtherProgram.run(Self.program, arguments, input: input, limitSeconds: 60)
    }

    @Test func `sets up a server from nothing and serves until told to stop`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try TestDatabase(template: "template0")
        let made = try await run(
            "init", "--config", config, "--database-url", database.gatewayURL, "--owner-url", database.ownerURL,
            "--port", "0",
            "--public-url", "http://park.example", "--photo-folder", folder.appendingPathComponent("photos").path)
        #expect(made.status == 0, "\(made.output)")
        let mode = try FileManager.default.attributesOfItem(atPath: config)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try await run("init", "--config", config).status == 1)

        let early = try await run("run", "--config", config)
        #expect(early.status == 1)
        #expect(early.output.contains("migrate"))
        for command in [
            ["report"], ["report", "--json"], ["user", "list"], ["seed", "--file", PostgresCluster.seed],
        ] {
            let result = try await OtherProgram.run(
                Self.program, command + ["--config", config], input: "", limitSeconds: 60)
            #expect(result.status == 1)
            #expect(result.output.contains("Run `checkpost-server migrate` first."), "\(command): \(result.output)")
        }
        let migrations = PostgresCluster.migrations
        let trial = try await run("migrate", "--dry-run", "--config", config, "--migrations", migrations)
        #expect(trial.status == 0 && trial.output.contains("functions anew"), "\(trial.output)")
        #expect(trial.output.contains("nothing is changed"))
        let before = try await run("migrate", "--status", "--config", config, "--migrations", migrations)
        #expect(
            before.status == 1 && before.output.contains("  to be applied") && !before.output.contains("  applied 2"))
        let migrated = try await run("migrate", "--config", config, "--migrations", migrations)
        #expect(migrated.status == 0 && migrated.output.contains("functions anew"), "\(migrated.output)")
        #expect(try await run("migrate", "--config", config, "--migrations", migrations).output.contains("up to date"))
        let after = try await run("migrate", "--status", "--config", config, "--migrations", migrations)
        #expect(after.status == 0 && after.output.contains("  applied 2") && !after.output.contains("to be applied"))
        for _ in 0..<2 {
            #expect(try await run("seed", "--config", config, "--file", PostgresCluster.seed).status == 0)
        }
        let added = try await run(
            "user", "add", "warden@bnp.local", "--name", "W", "--role", "admin", "--config", config,
            input: "password-w\n")
        #expect(added.status == 0, "\(added.output)")
        let twice = try await run(
            "user", "add", "Warden@bnp.local", "--name", "W", "--role", "admin", "--config", config,
            input: "password-w\n")
        #expect(twice.status == 1 && twice.output.contains("user set-password"), "\(twice.output)")
        #expect(try await run("user", "list", "--json", "--config", config).output.contains("warden@bnp.local"))
        #expect(try await run("check-overstay", "--json", "--config", config).output == "{\"alerts_created\":0}\n")

        let keys = try await run("keys", "--env", "--config", config).output
        #expect(keys == (try await run("keys", "--env", "--config", config).output))
        let names = keys.split(separator: "\n").map { $0.split(separator: "=")[0] }
        #expect(
            names == [
                "SUPABASE_URL", "SUPABASE_ANON_KEY", "SUPABASE_SERVICE_ROLE_KEY", "SUPABASE_JWT_SECRET",
                "TWILIO_AUTH_TOKEN", "SMS_NAMESPACE",
            ])
        #expect(keys.contains("SUPABASE_URL=http://park.example\n"))
        #expect(keys.contains("SMS_NAMESPACE=6f1c9a52-3f0e-5d5b-9c1a-7b5f0f6f2e11\n"))
        try await serveAndStop()
    }

    private func serveAndStop() async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = ["run", "--verbose", "--config", config]
        let output = Pipe()
        process.standardOutput = output
        let log = folder.appendingPathComponent("log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        process.standardError = try FileHandle(forWritingTo: log)
        try process.run()
        defer { kill(process.processIdentifier, SIGKILL) }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: ":").last ?? "") ?? 0
        let server = TestServer(port: port, settings: Settings(), signer: TokenSigner(secret: ""), users: [:])
        #expect(try await server.send("GET", "/health", as: nil).text == #"{"photos":"ok","status":"ok"}"#)
        let signIn = try await server.send(
            "POST", "/auth/v1/token?grant_type=password", as: nil,
            json: ["email": "warden@bnp.local", "password": "password-w"])
        #expect(signIn.status == 200)
        let refused = try await server.send(
            "POST", "/auth/v1/token?grant_type=password", as: nil,
            json: ["email": "warden@bnp.local\n2026 forged", "password": "password-typed-wrongly"])
        #expect(refused.status == 400)
        kill(process.processIdentifier, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
        try checkLog(String(contentsOf: log, encoding: .utf8), signIn.object)
    }

    /// What the most talkative log says of what nobody may see, and of who was refused.
    private func checkLog(_ log: String, _ session: [String: Any]) throws {
        #expect(log.contains("debug"))
        let text = try String(contentsOfFile: config, encoding: .utf8)
        var secrets = text.split(separator: "\n").filter {
            $0.contains("_secret") || $0.contains("auth_token") || $0.hasPrefix("url")
        }
        .compactMap { $0.split(separator: "\"").last.map(String.init) }
        #expect(secrets.count == 3)
        secrets += ["password-w", "password-typed-wrongly"]
        secrets += ["access_token", "refresh_token"].compactMap { session[$0] as? String }
        #expect(secrets.count == 7)
        for secret in secrets { #expect(!log.contains(secret), "\(secret)") }
        #expect(log.contains("sign-in refused"))
        #expect(!log.contains("\n2026 forged"))
    }

    @Test func `tells wrong use from failure`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try await run("--help").status == 0)
        #expect(try await run("fly").status == 2)
        #expect(try await run("user", "add", "x@y.z", "--name", "X").status == 2)
        let missing = try await run("keys", "--config", config)
        #expect(missing.status == 1)
        #expect(missing.output.contains("checkpost-server init"))
        try "[server]\nprot = 1\n".write(toFile: config, atomically: true, encoding: .utf8)
        let misspelt = try await run("keys", "--config", config)
        #expect(misspelt.status == 1)
        #expect(misspelt.output.contains("prot"))
        try "[database]\nurl = \"x\"\n[auth]\njwt_secret = \"short\"\n".write(
            toFile: config, atomically: true, encoding: .utf8)
        #expect(try await run("keys", "--config", config).output.contains("auth.jwt_secret"))
    }
}
