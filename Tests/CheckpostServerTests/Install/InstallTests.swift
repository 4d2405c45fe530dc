import Foundation
import TestKit
import Testing

@testable import checkpost_server

/// `deploy/server/install` as far as it can be tried without becoming part of this machine: its files below a folder, and its database
/// on a cluster that knows system users as Debian's does.
@Suite("The server's installation", .serialized, .timeLimit(.minutes(10)))
struct InstallTests {
    private static let deploy = PostgresCluster.package.appendingPathComponent("deploy/server")
    private static let asRoot: ConditionTrait = .enabled(
        if: getuid() == 0, "only root may become the system users that PostgreSQL is to know")

    let folder: String

    init() throws {
        // Other system users have to reach it.
        folder = "/tmp/checkpost-install-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: folder + path)[.posixPermissions] as? Int
    }

    @Test func `puts its files where the service looks for them, also a second time`() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for _ in 0..<2 {
            let result = try await OtherProgram.run(
                Self.deploy.appendingPathComponent("install").path, ["--program", CommandTests.program],
                environment: ["DESTDIR": folder], limitSeconds: 60)
            #expect(result.status == 0, "\(result.output)")
        }
        let unit = try String(
            contentsOfFile: folder + "/etc/systemd/system/checkpost-server.service", encoding: .utf8)
        #expect(unit.contains("ExecStart=/usr/local/bin/checkpost-server run --config /etc/checkpost-server/"))
        #expect(unit.contains("\nRestart=always\n") && unit.contains("\nStartLimitIntervalSec=0\n"))
        #expect(try mode("/usr/local/bin/checkpost-server") == 0o755)
        #expect(try mode("/etc/checkpost-server") == 0o750)
        for file in ["seed/banke.sql", "proxy/Caddyfile", "proxy/nginx.conf", "README.md"] {
            #expect(try mode("/usr/local/share/checkpost-server/" + file) == 0o644)
        }
        // Found by the installed program, from wherever it is called.
        let seed = try await OtherProgram.run(
            folder + "/usr/local/bin/checkpost-server", ["seed", "--config", "/nonexistent"], limitSeconds: 60)
        #expect(seed.output.contains("/nonexistent can't be read"), "\(seed.output)")
        let wrong = try await OtherProgram.run(Self.deploy.appendingPathComponent("install").path, ["--fly"])
        #expect(wrong.status == 2 && wrong.output.contains("--program"))
    }

    @Test(asRoot) func `sets up a database that lets the service in without a password, and nobody else`() async throws
    {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let cluster = try PostgresCluster(authentication: "peer")
        for _ in 0..<2 {
            let result = try await OtherProgram.run(
                Self.deploy.appendingPathComponent("database").path, ["--service-user", "nobody"],
                environment: ["PGHOST": cluster.folder, "PGPORT": "5432"], limitSeconds: 60)
            #expect(result.status == 0, "\(result.output)")
        }
        let ownerURL = cluster.url(database: "checkpost", user: "root") + " options='-c role=checkpost_owner'"
        let serviceURL = cluster.url(database: "checkpost", user: "nobody")
        let config = folder + "/server.toml"
        for command in [
            [
                "init", "--port", "0", "--database-url", serviceURL, "--owner-url", ownerURL, "--photo-folder",
                folder + "/photos", "--trusted-proxy", "127.0.0.1", "--trusted-proxy", "::1",
            ],
            ["migrate"], ["seed", "--file", PostgresCluster.seed],
            ["user", "add", "warden@bnp.local", "--role", "admin", "--name", "W"], ["check-overstay"], ["report"],
        ] {
            let result = try await OtherProgram.run(
                CommandTests.program, command + ["--config", config], input: "password-w\n", limitSeconds: 60)
            #expect(result.status == 0, "\(command[0]): \(result.output)")
        }
        let owner = try PostgresConnection(url: ownerURL)
        #expect(
            try owner.value("select tableowner from pg_tables where tablename = 'vehicle_passages'")
                == "checkpost_owner")
        #expect(try owner.value("select rolsuper or rolbypassrls from pg_roles where rolname = current_user") == "f")

        // What the service may: sign people in, and become a client's role. Nothing by itself.
        for (sql, isAllowed) in [
            ("select checkpost.sign_in('a', 'b', '1 h') is not null", true), ("set role authenticated", true),
            ("select 1 from vehicle_passages", false), ("select 1 from auth.users", false),
            ("set role checkpost_owner", false), ("set role root", false),
        ] {
            let result = try await psql(sql, as: "nobody", cluster)
            #expect((result.status == 0) == isAllowed, "\(sql): \(result.output)")
        }
        #expect(try await psql("select 1", as: "daemon", cluster).status != 0)
        try await serve(config)
    }

    /// Runs a statement as a system user.
    private func psql(_ sql: String, as user: String, _ cluster: PostgresCluster) async throws -> OtherProgram.Result {
        try await OtherProgram.run(
            "/usr/sbin/runuser", ["-u", user, "--", "psql", "-X", "-h", cluster.folder, "-d", "checkpost", "-c", sql],
            limitSeconds: 30)
    }

    /// Runs the server as the service's user and signs in.
    private func serve(_ config: String) async throws {
        // Where that user can read both.
        let program = folder + "/checkpost-server"
        try FileManager.default.copyItem(atPath: CommandTests.program, toPath: program)
        for path in [folder, config] { chown(path, getpwnam("nobody").pointee.pw_uid, 0) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        process.arguments = [
            "--reuid", "nobody", "--regid", "nogroup", "--clear-groups", program, "run", "--config", config,
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines).split(separator: ":").last ?? "") ?? 0
        let server = TestServer(port: port, settings: Settings(), signer: TokenSigner(secret: ""), users: [:])
        #expect(try await server.send("GET", "/health", as: nil).text == #"{"photos":"ok","status":"ok"}"#)
        let signIn = try await server.send(
            "POST", "/auth/v1/token?grant_type=password", as: nil,
            json: ["email": "warden@bnp.local", "password": "password-w"])
        let token = signIn.object["access_token"] as? String ?? ""
        let posts = try await server.send(
            "GET", "/rest/v1/checkposts?select=code&order=code", as: nil, ["Authorization": "Bearer \(token)"])
        #expect(posts.rows.compactMap { $0["code"] as? String } == ["BNP-A", "BNP-B"])
    }

    @Test func `has samples for a proxy that let photos through and say who calls`() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let nginx = try String(
            contentsOf: Self.deploy.appendingPathComponent("proxy/nginx.conf"), encoding: .utf8)
        let caddy = try String(contentsOf: Self.deploy.appendingPathComponent("proxy/Caddyfile"), encoding: .utf8)
        let limits = [
            nginx.firstMatch(of: #/client_max_body_size (\d+)m;/#)?.1, caddy.firstMatch(of: #/max_size (\d+)MB/#)?.1,
        ]
        for limit in limits {
            let megabytes = try #require(limit.flatMap { Int($0) })
            #expect(megabytes * 1_000_000 > Settings().photoBytes + 100_000)
        }
        // Caddy sends them by itself.
        for header in ["Host", "X-Forwarded-For", "X-Forwarded-Proto"] {
            #expect(nginx.contains("proxy_set_header \(header) "))
        }
        #expect(nginx.contains("proxy_pass http://127.0.0.1:\(Settings().port);"))
        #expect(caddy.contains("reverse_proxy 127.0.0.1:\(Settings().port)\n"))
    }
}
