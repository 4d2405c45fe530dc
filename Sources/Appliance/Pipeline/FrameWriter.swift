import Enforcement
import Foundation
import Storage
import Synchronization

/// Writes what a live camera's frames gave, on a thread of its own: while another program holds the database, or its disk hangs, the
/// camera's next frames are looked at all the same.
final class FrameWriter: Sendable {
    struct Written: Sendable {
        let whole: FrameCommit
        let outcome: Result<FrameTable.Committed, any Error>
    }

    private enum State: Sendable {
        case idle
        case atWork(vehicles: Int)
        case done(Written)
    }

    private static let step: UInt32 = 1000

    private let store: Store
    private let queue = DispatchQueue(label: "checkpost.frames")
    private let state = Mutex(State.idle)

    init(_ store: Store) {
        self.store = store
    }

    /// Whether something is being written, or was and nobody has taken what came of it.
    var isBusy: Bool {
        state.withLock { if case .idle = $0 { false } else { true } }
    }

    /// Vehicles of what is being written, or was and nobody knows yet.
    var vehicles: Int {
        state.withLock { state in
            switch state {
            case .idle: 0
            case .atWork(let vehicles): vehicles
            case .done(let written): written.whole.recordings.count + written.whole.reviews.count
            }
        }
    }

    /// Begins to write. One at a time: what was begun before has to be taken.
    func begin(_ whole: FrameCommit) {
        state.withLock { $0 = .atWork(vehicles: whole.recordings.count + whole.reviews.count) }
        queue.async { [self] in
            let outcome = Result { try store.frames.commitWhole(whole) }
            state.withLock { $0 = .done(Written(whole: whole, outcome: outcome)) }
        }
    }

    /// What came of it, once it is done.
    ///
    /// - Parameter seconds: how long to wait for that at most.
    func take(within seconds: Double = 0) -> Written? {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            let found: State = state.withLock { state in
                guard case .done = state else { return state }
                defer { state = .idle }
                return state
            }
            if case .done(let written) = found { return written }
            guard case .atWork = found, ContinuousClock.now < deadline else { return nil }
            usleep(Self.step)
        }
    }
}
