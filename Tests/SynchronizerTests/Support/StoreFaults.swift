import Storage
import Synchronization

/// Makes a real database fail at chosen calls.
final class StoreFaults: Sendable {
    private struct State {
        var calls = 0
        /// Fails from this call on, so many times.
        var first = Int.max
        var times = 0
        var kind = StoreError.Kind.busy
    }

    private let state = Mutex(State())

    /// How many calls there were, before and after each write and before each read.
    var calls: Int { state.withLock { $0.calls } }

    /// The call after `skipped` others fails, and those after it, `times` in all.
    func fail(_ kind: StoreError.Kind, after skipped: Int, times: Int = 1) {
        state.withLock {
            $0.first = $0.calls + skipped
            $0.times = times
            $0.kind = kind
        }
    }

    func heal() { state.withLock { $0.times = 0 } }

    var probe: Store.Probe {
        { [self] _ in
            if let failure = next() { throw StoreError(failure, "The disk failed on purpose.") }
        }
    }

    /// What the next call fails with; nil when it doesn't.
    private func next() -> StoreError.Kind? {
        state.withLock { state in
            defer { state.calls += 1 }
            guard state.times > 0, state.calls >= state.first else { return nil }
            state.times -= 1
            return state.kind
        }
    }
}
