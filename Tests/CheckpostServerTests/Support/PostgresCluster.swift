import Foundation

@testable import checkpost_server

/// A throw-away PostgreSQL cluster in a temporary folder, reachable through its own socket only.
///
/// The shared one is started once for the whole run. A shell watches over each whose standard input is a pipe from this process: when
/// the pipe closes, since the cluster is no longer used or this process has ended, however it ended, the shell stops its own PostgreSQL
/// and removes the folder.
final class PostgresCluster: Sendable {
    static let shared = Result {
        let cluster = try given ?? PostgresCluster()
        try cluster.makeTemplate()
        return cluster
    }

    /// One that runs already: Tests/mutate keeps one for all of its runs.
    private static let given = ProcessInfo.processInfo.environment["CHECKPOST_TEST_CLUSTER"].map(PostgresCluster.init)

    /// The database that tests copy. Tests/mutate names one with a changed function in it.
    static let template = ProcessInfo.processInfo.environment["CHECKPOST_TEST_TEMPLATE"] ?? migrated
    private static let migrated = "checkpost_template"

    let folder: String
    /// None of one that somebody else has started, and will stop.
    private let shell: WatchedShell?

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// One that runs already, by the folder of its socket.
    private init(folder: String) {
        self.folder = folder
        shell = nil
    }

    /// - Parameters:
    ///   - superuser: the role that the cluster is made with.
    ///   - authentication: how whoever comes in through the socket is known: `trust`, or `peer` as Debian has it. With `peer` other
    ///     system users can reach the socket.
    ///
    /// Nothing analyses a table by itself: in the middle of a test's transaction it would count no row, and tests that count what is
    /// read would see another plan.
    init(superuser: String = "postgres", authentication: String = "trust") throws {
        let folder = "/tmp/checkpost-pg-\(UUID().uuidString.prefix(8))"
        self.folder = folder
        let script = """
            bin=$1 folder=$2 user=$3 authentication=$4
            mkdir "$folder" && chmod 700 "$folder" && cd "$folder" || exit 1
            [ "$authentication" = trust ] || chmod 755 .
            "$bin/initdb" -D data -A "$authentication" -U "$user" -E UTF8 --no-locale --no-sync >initdb.log 2>&1 || exit 1
            "$bin/postgres" -D data -k "$folder" -p 5432 -c listen_addresses= -c fsync=off -c synchronous_commit=off \
                -c full_page_writes=off -c max_connections=300 -c autovacuum=off >postgres.log 2>&1 </dev/null &
            pid=$!
            for turn in $(seq 200); do
                "$bin/pg_isready" -q -h "$folder" && break
                sleep 0.05
            done
            echo started
            read -r nothing
            kill -INT "$pid"
            wait "$pid"
            cd / && rm -rf "$folder"
            """
        shell = try WatchedShell(
            script, [try Self.programs(), folder, superuser, authentication],
            trouble: "initdb failed; see \(folder)/initdb.log")
    }

    /// The database that tests copy: migrated and seeded.
    func makeTemplate() throws {
        let maintenance = try PostgresConnection(url: url(database: "postgres", user: "postgres"))
        let isMade = try maintenance.run("select 1 from pg_database where datname = $1", [Self.migrated]).scalar != nil
        if isMade { return }
        try maintenance.run("create database \(Self.migrated)")
        let connection = try PostgresConnection(url: url(database: Self.migrated, user: "postgres"))
        let migrator = Migrator(
            files: try MigrationFile.files(inFolder: Self.migrations),
            functions: try FunctionFile.files(inFolder: Self.functions))
        _ = try migrator.migrate(connection)
        try connection.runScript(String(contentsOfFile: Self.seed, encoding: .utf8))
        // The tests' times lie at the limits themselves; those of a tolerance set one.
        try connection.run("update highway_segments set tolerance_kmh = 0, tolerance_percent = 0")
    }

    func url(database: String, user: String) -> String {
        "host=\(folder) port=5432 dbname=\(database) user=\(user)"
    }

    /// The folder of initdb and postgres: Debian keeps them out of the PATH, by version.
    static func programs() throws -> String {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let folders =
            versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "/usr/lib/postgresql/\($0)/bin" }
            + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let found = folders.first {
            FileManager.default.isExecutableFile(atPath: $0 + "/initdb")
                && FileManager.default.isExecutableFile(atPath: $0 + "/postgres")
        }
        guard let found else { throw Failure(description: "PostgreSQL is missing: install the package postgresql.") }
        return found
    }

    static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let migrations = package.appendingPathComponent("deploy/server/migrations").path
    static let functions = package.appendingPathComponent("deploy/server/functions").path
    static let seed = package.appendingPathComponent("deploy/server/seed/banke.sql").path
}
