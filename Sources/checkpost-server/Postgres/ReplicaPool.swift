import Enforcement
import Foundation
import Logging
import Synchronization

/// Reading from a copy of the database that PostgreSQL's streaming replication keeps, for pages that read much.
///
/// Nobody sees there what is older than the request: the copy is asked only once it has all that the primary had when the request came. One
/// that is away, too far behind, or no copy any more is left alone for some seconds, and the primary answers. So a fault costs a request a
/// short wait, and nobody an answer.
package final class ReplicaPool: Sendable {
    /// Why the copy can't answer.
    private struct Away: Error {
        var reason: String
    }

    /// The primary did not say how far it is.
    private struct NoPlace: Error {}

    private struct State {
        var restsUntil: ContinuousClock.Instant?
        var reads = 0
    }

    package let pool: PostgresPool
    private let waitSeconds: Double
    private let restSeconds: Double
    private let log: Logger
    private let state = Mutex(State())

    /// - Parameters:
    ///   - waitSeconds: how long a request waits for the copy to have what the primary has.
    ///   - restSeconds: how long one that could not answer is left alone.
    package init(
        _ configuration: PostgresPool.Configuration, waitSeconds: Double, restSeconds: Double = 10, log: Logger
    ) {
        var configuration = configuration
        // The least that libpq knows: somebody waits for a page, and the primary can make it.
        configuration.connectLimitSeconds = 2
        pool = PostgresPool(configuration)
        self.waitSeconds = waitSeconds
        self.restSeconds = restSeconds
        self.log = log
    }

    /// Whether it is asked, and how often it has answered.
    package var figures: (isAsked: Bool, reads: Int) { state.withLock { ($0.restsUntil == nil, $0.reads) } }

    /// What `body` reads in one transaction of the copy; nil where the primary has to be asked instead. `body` may have run in part by then.
    ///
    /// - Parameter primary: connections of the primary, which says how far it is.
    func read<Value: Sendable>(
        for key: String, primary: PostgresPool, _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value? {
        guard isRested else { return nil }
        let waitSeconds = waitSeconds
        do {
            let place = try await primary.run(for: key) { connection in
                do {
                    return try connection.run(Self.written).scalar
                } catch {
                    throw NoPlace()
                }
            }
            let value = try await pool.run(for: key) { connection in
                try Self.wait(for: place, on: connection, seconds: waitSeconds)
                return try connection.transaction(readsOnly: true, body)
            }
            answered()
            return value
        } catch let away as Away {
            rest(away.reason)
        } catch is NoPlace {
            // Whatever is wrong with the primary, it says so itself.
        } catch let gone as PostgresConnection.NothingBegun {
            rest("\(gone.cause)")
        } catch is PostgresPool.Overload {
            // It has enough to do; that says nothing against it.
        } catch let error as PostgresError where error.isConnectionLoss {
            rest("\(error)")
        } catch let error as PostgresError where error.isWorthRepeating || error.sqlState == "25006" {
            // What the primary removed meanwhile was still being read, or it is something that no copy can do.
        }
        return nil
    }

    /// Up to where the log holds what others may see by now: where commits wait for their log to be on disk, what is there is enough, and
    /// nobody waits for those that are under way.
    private static let written = """
        select case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end
        """

    /// Waits until the copy has everything up to a place of the primary's log.
    private static func wait(for place: String?, on connection: PostgresConnection, seconds: Double) throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            let answer = try connection.run(
                """
                select case when not pg_is_in_recovery() then 'no copy'
                    when pg_last_wal_replay_lsn() >= $1::pg_lsn then 'there' else 'behind' end
                """, [place], withinSeconds: seconds + 1
            ).scalar
            switch answer {
            case "there": return
            case "no copy": throw Away(reason: "it is a primary itself: database.replica_url has to name a standby")
            default:
                guard ContinuousClock.now < deadline else {
                    throw Away(reason: "it is behind by more than \(seconds) s")
                }
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    private var isRested: Bool { state.withLock { $0.restsUntil.map { $0 <= .now } ?? true } }

    private func answered() {
        let wasAway = state.withLock { state in
            state.reads += 1
            defer { state.restsUntil = nil }
            return state.restsUntil != nil
        }
        if wasAway { log.info("replica", metadata: ["state": "answers again"]) }
    }

    private func rest(_ reason: String) {
        let until = ContinuousClock.now + .seconds(restSeconds)
        let isNew = state.withLock { state in
            defer { state.restsUntil = until }
            return state.restsUntil == nil
        }
        guard isNew else { return }
        log.warning(
            "replica",
            metadata: ["state": "away; the primary answers", "reason": "\(LogText.of(reason, limit: 500))"])
    }

    package func close() { pool.close() }
}
