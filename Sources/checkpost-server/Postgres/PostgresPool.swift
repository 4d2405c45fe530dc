import CPostgres
import Enforcement
import Foundation

/// A fixed number of connections, each on a thread of its own, since libpq's calls block.
///
/// Work waits in a queue of its own for each who asks, first in first out, and the queues take turns. One alone holds only its share
/// of the connections, so that slow questions of one don't stop everybody. The queues are bounded in length and in time: beyond either
/// the caller gets ``Overload`` at once, which is better for it than an answer that comes too late.
package final class PostgresPool: Sendable {
    package struct Overload: Error, CustomStringConvertible {
        package let description = "the database is busy"
    }

    /// The work was not wanted any more when its turn came.
    struct Withdrawn: Error {}

    package struct Configuration: Sendable {
        package var url: Secret
        package var size = 8
        package var waitingLimit = 256
        package var waitLimitSeconds = 5.0
        /// How long one statement may take; a session setting of each connection.
        package var statementTimeoutSeconds = 10.0
        /// How long an answer may take before the connection is given up: longer than any statement may run.
        var answerLimitSeconds: Double { statementTimeoutSeconds + 5 }
        /// How long opening a connection may take, where the URL doesn't say.
        var connectLimitSeconds = 10
        /// Run on each connection when it is opened.
        package var sessionSQL = ""

        package init(url: Secret) {
            self.url = url
        }

        /// How many connections one who asks may hold.
        package var share: Int { max(1, size / 2) }
    }

    private let queue: JobQueue

    package init(_ configuration: Configuration) {
        let queue = JobQueue(
            limit: configuration.waitingLimit, share: configuration.share,
            waitLimitSeconds: configuration.waitLimitSeconds)
        self.queue = queue
        for index in 0..<max(1, configuration.size) {
            let thread = Thread { Worker(configuration).serve(queue) }
            thread.name = "postgres-\(index)"
            thread.start()
        }
        let watch = Thread { queue.failOverdue() }
        watch.name = "postgres-waits"
        watch.start()
    }

    /// How many statements wait for a connection, and how many are at work.
    package var figures: (waiting: Int, working: Int) { queue.figures }

    /// Lets the threads finish what they do, then end. What still waits fails.
    package func close() {
        queue.close()
    }

    /// Runs `body` on one of the connections. It may block. What it throws is thrown here.
    ///
    /// - Parameter key: who asks.
    package func run<Value: Sendable>(
        for key: String = "", _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await run(for: key, onlyIf: { true }, body)
    }

    /// Runs `body` if it is still wanted when its turn comes. If not, throws ``Withdrawn`` and opens no connection.
    ///
    /// - Parameter mayBegin: asked once, on the thread of the connection.
    func run<Value: Sendable>(
        for key: String, onlyIf mayBegin: @escaping @Sendable () -> Bool,
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(
                key: key,
                run: { connection in
                    do {
                        continuation.resume(returning: try body(connection))
                        return nil
                    } catch {
                        continuation.resume(throwing: error)
                        return error
                    }
                }, fail: { continuation.resume(throwing: $0) }, mayBegin: mayBegin)
            if let refusal = queue.add(job) { continuation.resume(throwing: refusal) }
        }
    }

    /// Runs `body` in a transaction. Again when it lost to another one (a deadlock), three times at most, and when the connection
    /// turned out to be gone before anything had begun.
    package func transaction<Value: Sendable>(
        for key: String = "", readsOnly: Bool = false,
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        for _ in 0..<3 {
            do {
                return try await repeatedTransaction(key, readsOnly, body)
            } catch is PostgresConnection.NothingBegun {
                continue
            }
        }
        do {
            return try await repeatedTransaction(key, readsOnly, body)
        } catch let error as PostgresConnection.NothingBegun {
            throw error.cause
        }
    }

    private func repeatedTransaction<Value: Sendable>(
        _ key: String, _ readsOnly: Bool, _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await run(for: key) { connection in
            for _ in 0..<2 {
                do {
                    return try connection.transaction(readsOnly: readsOnly, body)
                } catch let error as PostgresError where error.isWorthRepeating {
                    continue
                }
            }
            return try connection.transaction(readsOnly: readsOnly, body)
        }
    }
}

/// What one thread does: opens its connection when it is first needed, and again when it was lost.
private final class Worker {
    private let configuration: PostgresPool.Configuration
    private var connection: PostgresConnection?

    init(_ configuration: PostgresPool.Configuration) {
        self.configuration = configuration
    }

    func serve(_ queue: JobQueue) {
        while let job = queue.next() {
            defer { queue.finished(job) }
            guard job.deadline > ContinuousClock.now else {
                job.fail(PostgresPool.Overload())
                continue
            }
            guard job.mayBegin() else {
                job.fail(PostgresPool.Withdrawn())
                continue
            }
            do {
                let error = job.run(try usableConnection())
                if let lost = error as? PostgresError, lost.isConnectionLoss { connection = nil }
                if connection?.isInTransaction == true { connection = nil }
            } catch {
                job.fail(error)
            }
        }
    }

    private func usableConnection() throws -> PostgresConnection {
        if let connection, connection.isAlive { return connection }
        connection = nil
        let new = try PostgresConnection(
            url: configuration.url.revealed, answerLimitSeconds: configuration.answerLimitSeconds,
            connectLimitSeconds: configuration.connectLimitSeconds)
        let milliseconds = Int(configuration.statementTimeoutSeconds * 1000)
        try new.runScript(
            """
            set statement_timeout = \(milliseconds);
            set idle_in_transaction_session_timeout = \(milliseconds * 2);
            set timezone = 'UTC';
            set application_name = 'checkpost-server';
            \(configuration.sessionSQL)
            """)
        connection = new
        return new
    }
}
