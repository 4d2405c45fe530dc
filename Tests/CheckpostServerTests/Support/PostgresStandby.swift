import Foundation

@testable import checkpost_server

/// A standby of a cluster, by PostgreSQL's streaming replication, in a folder of its own. A shell stops it when this is no longer used, or
/// when this process has ended.
final class PostgresStandby: Sendable {
    let folder: String
    private let shell: WatchedShell

    init(of primary: PostgresCluster) throws {
        let folder = "\(primary.folder)-\(UUID().uuidString.prefix(8))"
        self.folder = folder
        let script = """
            bin=$1 folder=$2 primary=$3
            mkdir "$folder" && chmod 700 "$folder" && cd "$folder" || exit 1
            "$bin/pg_basebackup" -h "$primary" -p 5432 -U postgres -D data -R -c fast --no-sync >backup.log 2>&1 || exit 1
            "$bin/postgres" -D data -k "$folder" -p 5432 -c listen_addresses= -c fsync=off -c max_connections=300 \
                -c wal_receiver_status_interval=1s >postgres.log 2>&1 </dev/null &
            pid=$!
            ready=
            for turn in $(seq 600); do
                "$bin/pg_isready" -q -h "$folder" && ready=yes && break
                sleep 0.05
            done
            if [ -z "$ready" ]; then
                kill -INT "$pid"
                wait "$pid"
                exit 1
            fi
            echo started
            read -r nothing
            kill -INT "$pid"
            wait "$pid"
            cd / && rm -rf "$folder"
            """
        shell = try WatchedShell(
            script, [try PostgresCluster.programs(), folder, primary.folder],
            trouble: "the standby did not start; see backup.log and postgres.log in \(folder)")
    }

    func url(database: String, user: String) -> String {
        "host=\(folder) port=5432 dbname=\(database) user=\(user)"
    }

    /// A connection of the superuser, for what an administrator does there.
    func administer() throws -> PostgresConnection {
        try PostgresConnection(url: url(database: "postgres", user: "postgres"))
    }

    /// Stops it as a machine that goes away.
    func stop() { shell.stop() }
}
