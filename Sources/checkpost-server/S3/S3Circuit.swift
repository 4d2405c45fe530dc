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
            guard let trouble = state.trouble, trouble.isOfAll else { return nil }
            guard ContinuousClock.now >= state.nextTry else { return trouble }
            state.nextTry = .now + Self.trying
            return nil
        }
        if let refusal { throw refusal }
    }

    /// It refused something, and so it answers. Why it refuses whatever it is asked stays known until it does what it is asked.
    func answered() { end { $0?.isOfAll == true ? nil : $0 } }

    /// - Parameter trouble: keeps others off when it is of the storage as a whole; nil when the storage did what it was asked.
    func leave(_ trouble: S3Outage?) { end { _ in trouble } }

    private func end(_ next: (S3Outage?) -> S3Outage?) {
        let (isNew, trouble) = state.withLock { state in
            let (before, after) = (state.trouble, next(state.trouble))
            state.trouble = after
            state.nextTry = .now + pause
            return ((before == nil) != (after == nil), after)
        }
        if isNew { note(trouble) }
    }
}
