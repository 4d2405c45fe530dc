import Synchronization

/// Ends what a connection has under way, and whatever it would begin later, within a second; from any thread.
package final class HTTPCancellation: Sendable {
    private let flag = Mutex(false)

    package init() {}

    package var isCancelled: Bool { flag.withLock { $0 } }
    package func cancel() { flag.withLock { $0 = true } }
}
