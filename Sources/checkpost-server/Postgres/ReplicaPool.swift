import Enforcement
import Foundation
import Logging
import Synchronization

/// Reading from a copy of the database that PostgreSQL's streaming replication keeps, for pages that read much.
///
/// Nobody sees there what is older than the request: the copy is asked only once it has all that the primary had when the request came. One
/// that is away, too far behind, or no copy any more is left alone for some seconds, and the primary answers. After that
/// one request tries. So a fault costs a request a short wait, and nobody an answer.
package final class ReplicaPool: Sendable {
    /// Why the copy can't answer.
    private struct Away: Error {
        var reason: String
    }

    /// How far the primary is.
    private struct Place {
        /// A place in its log.
        var log: String?
        /// Its system identifier; empty where its role may not ask for it.
        var cluster: String
    }

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
        let place: Place
        do {
            place = try await primary.run(for: key) { try Self.place(on: $0) }
        } catch let busy as PostgresPool.Overload {
            // The page would wait in the same queue, and hear the same.
            throw busy
        } catch {
            // Whatever is wrong with the primary, it says so itself. It says nothing against the copy.
            return nil
        }
        let waitSeconds = waitSeconds
        do {
            let value = try await pool.run(for: key, onlyIf: { self.mayBegin() }) { connection in
                do {
                    try Self.wait(for: place, on: connection, seconds: waitSeconds)
                    return try connection.transaction(readsOnly: true, body)
                } catch let away as Away {
                    // Here and not below: the next one that waits for this connection would begin before.
                    self.rest(away.reason)
                    throw away
                } catch let error as PostgresError where error.isOfTheCluster {
                    self.rest(error)
                    throw error
                }
            }
            answered(pages: 1)
            return value
        } catch is PostgresPool.Withdrawn {
            // It began to rest while this waited, or another one is trying.
        } catch is PostgresPool.Overload {
            // It has enough to do; that says nothing against it.
        } catch is Away {
            // It rests already.
        } catch let gone as PostgresConnection.NothingBegun {
            rest(gone.cause)
        } catch let error as PostgresError where error.isOfTheCluster {
            rest(error)
        } catch let error as PostgresError where error.isWorthRepeating || error.sqlState == "25006" {
            // What the primary removed meanwhile was still being read, or it is something that no copy can do.
            answered(pages: 0)
        } catch {
            // The question itself is wrong, or the caller may not ask it.
            answered(pages: 0)
            throw error
        }
        return nil
    }

    /// Up to where the log holds what others may see by now: where commits wait for their log to be on disk, what is there is enough, and
    /// nobody waits for those that are under way.
    private static let written = """
        case current_setting('synchronous_commit')
            when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end
        """

    /// The cluster that a connection leads to, once it was told (``cluster(of:withinSeconds:)``); empty where its role
    /// may not ask.
    private static let toldCluster = """
        coalesce(current_setting('checkpost.cluster', true),
            case when not has_function_privilege('pg_catalog.pg_control_system()', 'execute') then '' end)
        """

    /// Asks for the cluster's system identifier, which a copy has from its primary. It is kept in the session: a
    /// connection stays with its cluster, so this is one more question for each connection, and not for each page.
    private static func cluster(
        of connection: PostgresConnection, withinSeconds seconds: Double
    ) throws -> String {
        let rows: PostgresRows
        do {
            rows = try connection.run(
                """
                select set_config(
                    'checkpost.cluster', (select system_identifier::text from pg_control_system()), false)
                """, withinSeconds: seconds)
        } catch {
            guard !error.isConnectionLoss else { throw error }
            // A provider may refuse it in its own way. Then nothing is compared.
            return ""
        }
        return rows.scalar ?? ""
    }

    /// How far the primary is. A page waits for this, too, so it is bounded more closely than the page's own questions.
    private static func place(on connection: PostgresConnection) throws -> Place {
        let row = try connection.run("select \(written), \(toldCluster)", withinSeconds: 2).rows.first
        return Place(log: row?[0], cluster: try row?[1] ?? cluster(of: connection, withinSeconds: 2))
    }

    /// Waits until the copy has everything up to a place of the primary's log.
    private static func wait(for place: Place, on connection: PostgresConnection, seconds: Double) throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            let row = try connection.run(
                """
                select case when not pg_is_in_recovery() then 'no copy'
                    when pg_last_wal_replay_lsn() >= $1::pg_lsn then 'there' else 'behind' end, \(toldCluster)
                """, [place.log], withinSeconds: seconds + 1
            ).rows.first
            let own = try row?[1] ?? cluster(of: connection, withinSeconds: seconds + 1)
            guard own == place.cluster || own.isEmpty || place.cluster.isEmpty else {
                throw Away(reason: "it is of another cluster: database.replica_url has to name a standby of this one")
            }
            switch row?[0] {
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

    /// Whether a request whose turn has come may ask the copy. After a rest the first one tries alone: for all others
    /// the next rest has begun.
    private func mayBegin() -> Bool {
        state.withLock { state in
            guard let until = state.restsUntil else { return true }
            let now = ContinuousClock.now
            guard until <= now else { return false }
            state.restsUntil = now + .seconds(restSeconds)
            return true
        }
    }

    private func answered(pages: Int) {
        let wasAway = state.withLock { state in
            state.reads += pages
            defer { state.restsUntil = nil }
            return state.restsUntil != nil
        }
        if wasAway { log.info("replica", metadata: ["state": "answers again"]) }
    }

    private func rest(_ error: PostgresError) {
        var said = error
        // The hint is about database.url, which is not at fault here.
        said.hint = nil
        rest("\(said)")
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

extension PostgresError {
    /// True when it is the fault of the cluster that was asked, or of its machine: another one may well answer the same.
    fileprivate var isOfTheCluster: Bool {
        guard !isConnectionLoss, let sqlState else { return true }
        // Cancelled, or not in the state for it; no room or memory, no file or disk, damage.
        let classes = ["53", "58", "XX"]
        return sqlState == "57014" || sqlState == "55000" || classes.contains(String(sqlState.prefix(2)))
    }
}
