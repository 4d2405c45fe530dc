import MachineClock

/// Hands items from a blocking thread to a task, one at a time: the thread waits until the task has dealt with each.
final class Handover<Item: Sendable>: @unchecked Sendable {
    private let stream: AsyncStream<Item>
    private let continuation: AsyncStream<Item>.Continuation
    private let condition = MonotonicCondition()
    private var isClosed = false
    private var isPending = false

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    /// On the thread. Returns when the task has dealt with the item; false when nobody wants items any more.
    func give(_ item: Item) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard !isClosed else { return false }
        isPending = true
        continuation.yield(item)
        while isPending && !isClosed { condition.wait() }
        return !isClosed
    }

    /// On the thread: sleeps; false when it was closed meanwhile.
    func wait(seconds: Double) -> Bool {
        let end = MonotonicCondition.deadline(in: seconds)
        condition.lock()
        defer { condition.unlock() }
        while !isClosed && condition.wait(until: end) {}
        return !isClosed
    }

    /// In the task: deals with the items until the thread or the task closes.
    func forEach(_ body: (Item) async throws -> Void) async throws {
        for await item in stream {
            try await body(item)
            taken()
        }
    }

    private func taken() {
        condition.lock()
        isPending = false
        condition.broadcast()
        condition.unlock()
    }

    /// From either side, any number of times.
    func close() {
        condition.lock()
        isClosed = true
        condition.broadcast()
        condition.unlock()
        continuation.finish()
    }
}
