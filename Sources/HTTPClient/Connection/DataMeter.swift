import Enforcement
import Synchronization

/// Counts what goes over connections. Any thread may use it.
package final class DataMeter: Sendable {
    private let counted = Mutex(DataUse())

    package init() {}

    func add(sent: Int64 = 0, received: Int64 = 0) {
        counted.withLock {
            $0.sent += sent
            $0.received += received
        }
    }

    /// What was counted since it was asked last.
    package func take() -> DataUse {
        counted.withLock { counted in
            defer { counted = DataUse() }
            return counted
        }
    }

    /// Takes back what could not be written down.
    package func putBack(_ use: DataUse) { add(sent: use.sent, received: use.received) }
}
