import Enforcement

/// Stands between a live source and its consumer: holds at most `capacity` items, drops the oldest frame when it is full, and
/// counts what it dropped. The newest frames are worth the most: the vehicle is in front of the camera now.
package final class FrameBuffer: Sendable {
    private let stream: AsyncStream<CaptureItem>
    private let continuation: AsyncStream<CaptureItem>.Continuation
    private let dropped = Guarded(0)

    package init(capacity: Int) {
        precondition(capacity > 0, "a buffer holds at least one frame")
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(capacity))
    }

    package var droppedCount: Int { dropped.withLock { $0 } }

    /// Never waits. After `finish` it does nothing.
    package func push(_ item: CaptureItem) {
        if case .dropped = continuation.yield(item) { dropped.withLock { $0 += 1 } }
    }

    /// No more items come; those in the buffer can still be taken.
    package func finish() { continuation.finish() }

    /// The items, oldest first, for one consumer. Ends after `finish`, and when the consumer's task is cancelled.
    package var items: AsyncStream<CaptureItem> { stream }
}
