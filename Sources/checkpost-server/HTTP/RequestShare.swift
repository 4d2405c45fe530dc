import Foundation

/// What one request has of what all share: the memory for its body, and the address that it counts under.
///
/// The middleware makes one for each request and gives back what it took when the request is answered, however it ends. It reaches the
/// parts of the server by the task, so that none has to hand it on.
package final class RequestShare: @unchecked Sendable {
    @TaskLocal package static var current: RequestShare?

    /// By which the answer and the log name the request.
    package let id: String

    /// The client's address.
    package let address: String
    private let memory: Allowance
    private let lock = NSLock()
    private var taken: [(key: String, bytes: Int)] = []
    private var known: Caller?

    package init(address: String, memory: Allowance) {
        id = String(UUID().uuidString.lowercased().prefix(13))
        self.address = address
        self.memory = memory
    }

    /// Who sent it, as soon as that was looked at.
    package var caller: Caller? {
        get { lock.withLock { known } }
        set { lock.withLock { known = newValue } }
    }

    /// Takes memory for a body, for an account or an address; false when there is none left for it.
    package func take(_ bytes: Int, for key: String) -> Bool {
        guard memory.take(bytes, for: key) else { return false }
        lock.withLock { taken.append((key, bytes)) }
        return true
    }

    package func giveBack() {
        let all = lock.withLock {
            defer { taken = [] }
            return taken
        }
        for (key, bytes) in all { memory.give(bytes, for: key) }
    }
}
