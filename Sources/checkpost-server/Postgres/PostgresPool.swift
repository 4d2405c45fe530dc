import CPostgres
import Foundation

/// A fixed number of connections, each on a thread of its own, since libpq's calls block.
///
/// Work waits in one queue, first in first out. The queue is bounded in length and in time: beyond either the caller gets
/// ``Overload`` at once, which is better for it than an answer that comes too late.
package final class PostgresPool: Sendable {
    package struct Overload: Error, CustomStringConvertible {
        package let description = "the database is busy"
    }

    package struct Configuration: Sendable {
        package var url: String
        package var size = 8
        package var waitingLimit = 256
        package var waitLimitSeconds = 5.0
        /// How long one statement may take; a session setting of each connection.
        package var statementTimeoutSeconds = 10.0

        package init(url: String) {
            self.url = url
        }
    }

    private let queue: JobQueue

    package init(_ configuration: Configuration) {
        let queue = JobQueue(limit: configuration.waitingLimit, waitLimitSeconds: configuration.waitLimitSeconds)
        self.queue = queue
        for index in 0..<max(1, configuration.size) {
            let thread = Thread { Worker(configuration).serve(queue) }
            thread.name = "postgres-\(index)"
            thread.start()
        }
    }

    /// Lets the threads finish what they do, then end. What still waits fails.
    package func close() {
        queue.close()
    }

    /// Runs `body` on one of the connections. It may block. What it throws is thrown here.
    package func run<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job = Job(
                run: { connection in
                    do {
                        continuation.resume(returning: try body(connection))
                        return nil
                    } catch {
                        continuation.resume(throwing: error)
                        return error
                    }
                }, fail: { continuation.resume(throwing: $0) })
            if let refusal = queue.add(job) { continuation.resume(throwing: refusal) }
        }
    }

    /// Runs `body` in a transaction. Again when it lost to another one (a deadlock), three times at most, and when the connection
    /// turned out to be gone before anything had begun.
    package func transaction<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        for _ in 0..<3 {
            do {
                return try await repeatedTransaction(body)
            } catch is PostgresConnection.NothingBegun {
                continue
            }
        }
        do {
            return try await repeatedTransaction(body)
        } catch let error as PostgresConnection.NothingBegun {
            throw error.cause
        }
    }

    private func repeatedTransaction<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await run { connection in
            for _ in 0..<2 {
                do {
                    return try connection.transaction(body)
                } catch let error as PostgresError where error.isWorthRepeating {
                    continue
                }
            }
            return try connection.transaction(body)
        }
    }
}

/// Exactly one of the two is called, once.
private struct Job: Sendable {
    /// Does the work and returns what it threw.
    var run: @Sendable (PostgresConnection) -> (any Error)?
    var fail: @Sendable (any Error) -> Void
    var deadline = ContinuousClock.now
}

/// The jobs that wait. All of its state is guarded by `condition`.
private final class JobQueue: @unchecked Sendable {
    private let condition = NSCondition()
    private let limit: Int
    private let waitLimitSeconds: Double
    private var jobs: [Job] = []
    private var isClosed = false

    init(limit: Int, waitLimitSeconds: Double) {
        self.limit = limit
        self.waitLimitSeconds = waitLimitSeconds
    }

    /// Adds the job, or says why it can't be.
    func add(_ job: Job) -> (any Error)? {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed, jobs.count < limit else { return PostgresPool.Overload() }
        var job = job
        job.deadline = ContinuousClock.now + .seconds(waitLimitSeconds)
        jobs.append(job)
        condition.signal()
        return nil
    }

    /// Waits for the next job; nil when there will be none any more.
    func next() -> Job? {
        condition.lock()
        defer { condition.unlock() }
        while jobs.isEmpty, !isClosed { condition.wait() }
        return jobs.isEmpty ? nil : jobs.removeFirst()
    }

    func close() {
        condition.lock()
        isClosed = true
        let waiting = jobs
        jobs = []
        condition.broadcast()
        condition.unlock()
        for job in waiting { job.fail(PostgresPool.Overload()) }
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
            guard job.deadline > ContinuousClock.now else {
                job.fail(PostgresPool.Overload())
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
        let new = try PostgresConnection(url: configuration.url)
        let milliseconds = Int(configuration.statementTimeoutSeconds * 1000)
        try new.runScript(
            """
            set statement_timeout = \(milliseconds);
            set idle_in_transaction_session_timeout = \(milliseconds * 2);
            set timezone = 'UTC';
            set application_name = 'checkpost-server';
            """)
        connection = new
        return new
    }
}
