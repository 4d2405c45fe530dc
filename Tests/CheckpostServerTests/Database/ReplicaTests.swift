import Enforcement
import Foundation
import Logging
import Synchronization
import TestKit
import Testing

@testable import checkpost_server

@Suite("A standby that answers the warden's pages", .serialized, .timeLimit(.minutes(10)))
struct ReplicaTests {
    private final class Count: Sendable {
        let value = Mutex(0)
    }

    /// One for all of the suite: making a cluster takes longer than most of its tests.
    private static let primary = Result {
        let primary = try PostgresCluster()
        try primary.makeTemplate()
        return primary
    }

    private static func park() throws -> (TestDatabase, PostgresStandby) {
        let primary = try primary.get()
        let database = try TestDatabase(in: primary)
        return (database, try PostgresStandby(of: primary))
    }

    /// Connections of a standby and of its primary.
    private struct Pools: Sendable {
        let replica: ReplicaPool
        let primary: PostgresPool
        let log = LogLines()

        init(
            _ database: TestDatabase, _ url: String, size: Int = 2, wait: Double = 5, rest: Double = 0.2
        ) {
            var configuration = PostgresPool.Configuration(url: Secret(url))
            configuration.size = size
            let log = log
            replica = ReplicaPool(
                configuration, waitSeconds: wait, restSeconds: rest, log: Logger(label: "test") { _ in log })
            configuration.url = Secret(database.ownerURL)
            primary = PostgresPool(configuration)
        }

        func read<Value: Sendable>(
            _ body: @escaping @Sendable (PostgresConnection) throws -> Value
        ) async throws -> Value? {
            try await replica.read(for: "", primary: primary, body)
        }

        /// What answers: `standby`, `primary`, or nothing that is named by `replica_url`.
        func place() async throws -> String {
            try await read {
                try $0.value("select case when pg_is_in_recovery() then 'standby' else 'primary' end") ?? ""
            } ?? "nothing"
        }

        func isStandby() async throws -> Bool { try await eventually { try await place() == "standby" } }

        func close() {
            replica.close()
            primary.close()
        }
    }

    @Test func `answers them, and shows what was written a moment ago, by whomever`() async throws {
        let (database, standby) = try Self.park()
        defer { standby.stop() }
        // A busy machine may take longer than two seconds to open a connection.
        let url = standby.url(database: database.name, user: "authenticator") + " connect_timeout=30"
        try await TestServer.run(
            {
                $0.replicaURL = Secret(url)
                $0.replicaWaitSeconds = 5
            }, in: database
        ) { server, database in
            let visitor = try await server.warden()
            // It may have been behind at its start.
            #expect(
                try await eventually {
                    _ = try await visitor.get("/warden/passages")
                    return server.gateway?.replica?.figures.reads ?? 0 > 0
                })
            let before = server.gateway?.replica?.figures.reads ?? 0
            for number in 1...20 {
                try database.owner.record("BA1PA\(1000 + number)", at: TestDatabase.postA, TestDatabase.hoursAgo(0.5))
                let page = try await visitor.get("/warden/passages?plate=\(1000 + number)")
                #expect(page.text.contains("BA 1 PA \(1000 + number)"), "\(number)")
            }
            #expect(server.gateway?.replica?.figures.reads == before + 20)
            let metrics = try await server.send("GET", "/metrics", as: nil).text
            #expect(metrics.contains("\ncheckpost_server_replica_up 1\n"))
            #expect(metrics.contains("\ncheckpost_server_replica_reads_total \(before + 20)\n"))
            #expect(metrics.contains(#"checkpost_server_database_waiting{pool="replica"}"#))

            // A box follows numbers, which the primary alone shows in order: its questions go there.
            let rows = try await server.send("GET", "/rest/v1/vehicle_passages?select=id").rows
            #expect(rows.count == 20)
            #expect(server.gateway?.replica?.figures.reads == before + 20)
        }
    }

    @Test func `ends a session there, too, in the moment in which it ends`() async throws {
        let (database, standby) = try Self.park()
        defer { standby.stop() }
        let url = standby.url(database: database.name, user: "authenticator")
        try await TestServer.run(
            {
                $0.replicaURL = Secret(url)
                $0.replicaWaitSeconds = 5
            }, in: database
        ) { server, database in
            let visitor = try await server.warden()
            #expect(try await visitor.get("/warden/passages").status == 200)
            try database.owner.run("update user_profiles set is_active = false where id = $1", [server.users["admin"]])
            #expect(try await visitor.get("/warden/passages").status != 200)
        }
    }

    @Test func `that is too far behind is left alone, and asked again once it is there`() async throws {
        let (database, standby) = try Self.park()
        defer { standby.stop() }
        let url = standby.url(database: database.name, user: "postgres")
        let pools = Pools(database, url, wait: 0.2)
        defer { pools.close() }
        #expect(try await pools.isStandby())

        // It may have been behind at its start, too.
        func said(_ words: String) -> Int { pools.log.lines(with: words).count }
        let (away, back) = (said("away; the primary answers"), said("answers again"))
        let administrator = try standby.administer()
        try administrator.run("select pg_wal_replay_pause()")
        try database.owner.run("update parks set name = 'Later'")
        for _ in 1...3 {
            let started = ContinuousClock.now
            #expect(try await pools.place() == "nothing")
            #expect(ContinuousClock.now - started < .seconds(5))
        }
        #expect(!pools.replica.figures.isAsked)
        #expect(said("away; the primary answers") == away + 1, "\(pools.log.all)")
        try administrator.run("select pg_wal_replay_resume()")
        #expect(
            try await eventually {
                try await pools.read { try $0.value("select name from parks limit 1") }
                    == "Later"
            })
        #expect(pools.replica.figures.isAsked)
        #expect(said("answers again") == back + 1, "\(pools.log.all)")
    }

    @Test func `that goes away costs no page`() async throws {
        let (database, standby) = try Self.park()
        defer { standby.stop() }
        let url = standby.url(database: database.name, user: "authenticator")
        try await TestServer.run({ $0.replicaURL = Secret(url) }, in: database) { server, database in
            let visitor = try await server.warden()
            standby.stop()
            let left = "select count(*) from pg_stat_replication"
            #expect(try await eventually { try database.owner.value(left) == "0" })
            try database.owner.record("BA1PA1", at: TestDatabase.postA, TestDatabase.hoursAgo(0.5))
            for _ in 1...3 {
                let page = try await visitor.get("/warden/passages")
                #expect(page.status == 200 && page.text.contains("BA 1 PA 1"))
            }
            #expect(server.gateway?.replica?.figures.isAsked == false)
        }
    }

    @Test func `that stands still keeps a page no longer than a moment`() async throws {
        let (database, standby) = try Self.park()
        defer { standby.stop() }
        let url = standby.url(database: database.name, user: "postgres")
        // With a single connection it is known which one is asked next.
        let pools = Pools(database, url, size: 1, wait: 0.2)
        defer { pools.close() }
        #expect(try await pools.isStandby())
        let processes = try standby.administer().run(
            "select pid from pg_stat_activity where application_name = 'checkpost-server'"
        ).rows.compactMap { $0[0].flatMap(pid_t.init) }
        #expect(!processes.isEmpty)
        for process in processes { #expect(kill(process, SIGSTOP) == 0) }
        defer { for process in processes { kill(process, SIGCONT) } }
        let started = ContinuousClock.now
        #expect(try await pools.place() == "nothing")
        #expect(ContinuousClock.now - started < .seconds(10))
        #expect(!pools.replica.figures.isAsked)
    }

    @Test func `that became a primary is asked no more`() async throws {
        let (database, standby) = try Self.park()
        defer { standby.stop() }
        let url = standby.url(database: database.name, user: "postgres")
        let pools = Pools(database, url)
        defer { pools.close() }
        #expect(try await pools.isStandby())
        try standby.administer().run("select pg_promote()")
        #expect(try await pools.place() == "nothing")
        #expect(pools.log.lines(with: "has to name a standby").count == 1, "\(pools.log.all)")
    }

    @Test func `of another cluster is not asked`() async throws {
        let (other, standby) = try Self.park()
        defer { standby.stop() }
        let url = standby.url(database: other.name, user: "postgres")
        let database = try TestDatabase()
        let pools = Pools(database, url)
        defer { pools.close() }
        #expect(
            try await eventually {
                _ = try await pools.place()
                return !pools.log.lines(with: "of another cluster").isEmpty
            })
        #expect(pools.replica.figures.reads == 0)
    }

    @Test func `is asked also where its role may not ask which cluster it is`() async throws {
        let (database, standby) = try Self.park()
        defer { standby.stop() }
        try database.owner.run("revoke execute on function pg_control_system() from public")
        let url = standby.url(database: database.name, user: "authenticator")
        let pools = Pools(database, url)
        defer { pools.close() }
        #expect(try await pools.isStandby())
    }

    @Test func `in trouble of its own leaves the page to the primary, and rests`() async throws {
        let (database, standby) = try Self.park()
        defer { standby.stop() }
        let url = standby.url(database: database.name, user: "postgres")
        let pools = Pools(database, url)
        defer { pools.close() }
        for sqlState in ["57014", "55000", "53200", "58030", "XX000"] {
            #expect(try await pools.isStandby(), "\(sqlState)")
            let trouble = "do $$ begin raise exception 'trouble' using errcode = '\(sqlState)'; end $$"
            let affected = try await pools.read { try $0.run(trouble).affected }
            #expect(affected == nil, "\(sqlState)")
            #expect(!pools.replica.figures.isAsked, "\(sqlState)")
        }
        #expect(try await pools.isStandby())
    }

    @Test func `that rests is tried by one page at a time, also by those that waited before`() async throws {
        let (database, standby) = try Self.park()
        defer { standby.stop() }
        let url = standby.url(database: database.name, user: "postgres")
        let pools = Pools(database, url, size: 1, rest: 3)
        defer { pools.close() }
        #expect(try await pools.isStandby())
        let tries = Count()
        // Slow enough for the others to wait behind the first one.
        let trouble = "do $$ begin perform pg_sleep(0.5); raise 'no room' using errcode = '53100'; end $$"
        for round in 1...2 {
            let pages = (1...5).map { _ in
                Task {
                    try await pools.read { connection in
                        tries.value.withLock { $0 += 1 }
                        return try connection.run(trouble).affected
                    }
                }
            }
            for page in pages { #expect(try await page.value == nil) }
            #expect(tries.value.withLock { $0 } == round)
            // The rest has to be over, and asking whether it is would be the try.
            if round == 1 { try await Task.sleep(for: .seconds(4)) }
        }
    }

    @Test func `that can't do what a page asks for leaves it to the primary, and answers the next one`() async throws {
        let (database, standby) = try Self.park()
        defer { standby.stop() }
        let url = standby.url(database: database.name, user: "postgres")
        let pools = Pools(database, url)
        defer { pools.close() }
        #expect(try await pools.isStandby())
        #expect(
            try await pools.read { try $0.value("select pg_current_xact_id()") } == nil)
        #expect(try await pools.place() == "standby")
        // What is wrong with the question itself is wrong at the primary, too: it is said at once.
        await #expect(throws: PostgresError.self) {
            _ = try await pools.read { try $0.value("select 1 / 0") }
        }
    }
}
