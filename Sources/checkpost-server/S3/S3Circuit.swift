import Foundation
import Synchronization

/// Keeps those who want something of a storage that doesn't answer from waiting for it one after the other: for a while all are refused at
/// once, then one of them tries.
final class S3Circuit: Sendable {
    private struct State {
        var trouble: S3Outage?
        var nextTry = ContinuousClock.now
    }

    private let state = Mutex(State())
    private let pause: Duration
    private let note: @Sendable (S3Outage?) -> Void

    /// So long the one that tries keeps the others off, if it doesn't come back before.
    private static let trying = Duration.seconds(60)

    /// - Parameter note: is told when it stops answering, and of nothing when it answers again.
    init(pause: Duration, note: @escaping @Sendable (S3Outage?) -> Void) {
        (self.pause, self.note) = (pause, note)
    }

    var trouble: S3Outage? { state.withLock { $0.trouble } }

    func enter() throws(S3Outage) {
        let refusal = state.withLock { state -> S3Outage? in
            guard let trouble = state.trouble else { return nil }
            guard ContinuousClock.now >= state.nextTry else { return trouble }
            state.nextTry = .now + Self.trying
            return nil
        }
        if let refusal { throw refusal }
    }

    func leave(_ trouble: S3Outage?) {
        let isNew = state.withLock { state in
            defer { state.trouble = trouble }
            state.nextTry = .now + pause
            return (state.trouble == nil) != (trouble == nil)
        }
        if isNew { note(trouble) }
    }
}
