import Enforcement
import Foundation
import MachineClock
import ParkAPI

/// Listens on a thread of its own to what the server says happens, and begins anew when that ends. It only hastens a cycle: whatever it
/// misses, the timer finds.
final class ChangeListener: @unchecked Sendable {
    enum News: Sendable, Hashable {
        /// Something was written, or may have been.
        case change
        /// The server is there.
        case alive
        /// It tells nothing more.
        case ended
    }

    private let line: any ChangeLine
    private let question: @Sendable () -> SyncRequest?
    private let tell: @Sendable (News) -> Void

    // Guarded by `condition`.
    private let condition = MonotonicCondition()
    private var isStopping = false
    private var hasEnded = true

    private static let lookInterval = 2.0

    /// Until it is tried again: after so many streams that never began, up to the last.
    static let pauses: [Double] = [5, 15, 60, 300]
    /// A server without the stream may be another one some day.
    static let longPause = 3600.0

    /// - Parameters:
    ///   - question: what is asked, as the account that is signed in; nil while there is nobody to ask.
    ///   - tell: from the listener's thread.
    init(
        _ line: any ChangeLine, question: @escaping @Sendable () -> SyncRequest?,
        tell: @escaping @Sendable (News) -> Void
    ) {
        self.line = line
        self.question = question
        self.tell = tell
    }

    func start() {
        hasEnded = false
        let thread = Thread { [self] in
            run()
            condition.lock()
            hasEnded = true
            condition.broadcast()
            condition.unlock()
        }
        thread.name = "changes"
        thread.start()
    }

    /// Within a second.
    func stop() {
        line.cancellation.cancel()
        condition.lock()
        isStopping = true
        condition.broadcast()
        while !hasEnded { condition.wait() }
        condition.unlock()
    }

    private func run() {
        var failures = 0
        while goesOn(after: 0) {
            guard let request = question() else {
                guard goesOn(after: Self.lookInterval) else { return }
                continue
            }
            var hasBegun = false
            let began = ContinuousClock.now
            let status = line.listen(request) { [tell] events in
                hasBegun = true
                // Of several at once the one that matters.
                tell(events.contains { $0 != .alive } ? .change : .alive)
            }
            if hasBegun { tell(.ended) }
            // One that breaks at once, again and again, is no better than none.
            failures = hasBegun && ContinuousClock.now - began >= .seconds(60) ? 0 : failures + 1
            // Not all boxes at once, after a server that began anew.
            let pause = Self.pause(status: status, failures: failures) * Double.random(in: 1...1.5)
            guard goesOn(after: pause) else { return }
        }
    }

    /// - Parameters:
    ///   - status: of the answer; 0 without one.
    ///   - failures: how many streams in a row never began.
    static func pause(status: Int, failures: Int) -> Double {
        // Not there, or not for this account.
        if [403, 404, 405, 501].contains(status) { return longPause }
        return pauses[min(max(failures - 1, 0), pauses.count - 1)]
    }

    /// - Returns: false when it is to end, at once.
    private func goesOn(after seconds: Double) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let deadline = MonotonicCondition.deadline(in: seconds)
        while !isStopping, seconds > 0, condition.wait(until: deadline) {}
        return !isStopping
    }
}
