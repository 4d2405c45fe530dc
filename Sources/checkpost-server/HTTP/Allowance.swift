import Foundation

/// So much of something for all together, and so much of it for each: connections, requests under way, bytes of bodies.
///
/// All of its state is guarded by `lock`. It holds one number for each that has something, so it is bounded by `total`.
package final class Allowance: @unchecked Sendable {
    private let total: Int
    private let each: Int
    private let lock = NSLock()
    private var used = 0
    private var usedBy: [String: Int] = [:]

    package init(total: Int, each: Int) {
        self.total = total
        self.each = each
    }

    /// Takes so much of it, or nothing when it would be too much. Without a key only the total counts.
    package func take(_ amount: Int = 1, for key: String?) -> Bool {
        lock.withLock {
            guard used + amount <= total else { return false }
            if let key {
                let own = usedBy[key, default: 0] + amount
                guard own <= each else { return false }
                usedBy[key] = own
            }
            used += amount
            return true
        }
    }

    /// Gives back what was taken.
    package func give(_ amount: Int = 1, for key: String?) {
        lock.withLock {
            used -= amount
            guard let key, let own = usedBy[key] else { return }
            usedBy[key] = own > amount ? own - amount : nil
        }
    }

    /// How much of it is taken.
    package var inUse: Int { lock.withLock { used } }
}
