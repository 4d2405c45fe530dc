import Foundation

/// Work for a connection of PostgreSQL. Exactly one of the two functions is called, once.
struct Job: Sendable {
    /// Who asks.
    var key: String
    /// Does the work and returns what it threw.
    var run: @Sendable (PostgresConnection) -> (any Error)?
    var fail: @Sendable (any Error) -> Void
    /// Asked once, when its turn has come and no connection was opened for it yet: whether it is still wanted.
    var mayBegin: @Sendable () -> Bool = { true }
    var deadline = ContinuousClock.now
}

/// The jobs that wait: a queue for each who asks. The queues take turns, and one whose share of the connections is at work waits.
///
/// All of its state is guarded by `condition`. It holds something only for those who wait or are at work.
final class JobQueue: @unchecked Sendable {
    private let condition = NSCondition()
    private let limit: Int
    private let share: Int
    private let waitLimitSeconds: Double

    private var waiting: [String: [Job]] = [:]
    /// The keys of `waiting`, in the order of their turns.
    private var turns: [String] = []
    private var count = 0
    private var working: [String: Int] = [:]
    private var isClosed = false

    init(limit: Int, share: Int, waitLimitSeconds: Double) {
        self.limit = limit
        self.share = share
        self.waitLimitSeconds = waitLimitSeconds
    }

    /// How many jobs wait, and how many are at work.
    var figures: (waiting: Int, working: Int) {
        condition.lock()
        defer { condition.unlock() }
        return (count, working.values.reduce(0, +))
    }

    /// Adds the job, or says why it can't be: the queues are full, or the half of them that one may fill.
    func add(_ job: Job) -> (any Error)? {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed, count < limit, waiting[job.key, default: []].count < max(1, limit / 2) else {
            return PostgresPool.Overload()
        }
        var job = job
        job.deadline = ContinuousClock.now + .seconds(waitLimitSeconds)
        if waiting[job.key] == nil { turns.append(job.key) }
        waiting[job.key, default: []].append(job)
        count += 1
        condition.signal()
        return nil
    }

    /// Waits for the next job; nil when there will be none any more. Whoever got one says when it is ``finished(_:)``.
    func next() -> Job? {
        condition.lock()
        defer { condition.unlock() }
        while !isClosed {
            if let job = take() { return job }
            condition.wait()
        }
        return nil
    }

    private func take() -> Job? {
        guard let turn = turns.firstIndex(where: { working[$0, default: 0] < share }) else { return nil }
        let key = turns.remove(at: turn)
        guard var jobs = waiting[key], !jobs.isEmpty else { return nil }
        let job = jobs.removeFirst()
        waiting[key] = jobs.isEmpty ? nil : jobs
        if !jobs.isEmpty { turns.append(key) }
        count -= 1
        working[key, default: 0] += 1
        return job
    }

    func finished(_ job: Job) {
        condition.lock()
        defer { condition.unlock() }
        let left = working[job.key, default: 1] - 1
        working[job.key] = left > 0 ? left : nil
        // One that waited for its share may go on now.
        if !turns.isEmpty { condition.signal() }
    }

    /// Fails what has waited too long, until the queue is closed: while every connection waits for a database that stands still, none is free
    /// to tell. Belongs to a thread of its own.
    func failOverdue() {
        while true {
            Thread.sleep(forTimeInterval: 0.25)
            let (overdue, isOver) = takeOverdue(at: .now)
            for job in overdue { job.fail(PostgresPool.Overload()) }
            if isOver { return }
        }
    }

    private func takeOverdue(at now: ContinuousClock.Instant) -> (jobs: [Job], isClosed: Bool) {
        condition.lock()
        defer { condition.unlock() }
        var overdue: [Job] = []
        for key in turns {
            // They stand in the order in which they came.
            let gone = waiting[key, default: []].prefix { $0.deadline <= now }
            overdue += gone
            waiting[key]?.removeFirst(gone.count)
            if waiting[key]?.isEmpty == true { waiting[key] = nil }
        }
        turns.removeAll { waiting[$0] == nil }
        count -= overdue.count
        return (overdue, isClosed)
    }

    func close() {
        condition.lock()
        isClosed = true
        let jobs = waiting.values.flatMap(\.self)
        (waiting, turns, count) = ([:], [], 0)
        condition.broadcast()
        condition.unlock()
        for job in jobs { job.fail(PostgresPool.Overload()) }
    }
}
