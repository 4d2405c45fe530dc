import Synchronization

/// Remembers why the database can't be used at present: from the first call that fails to the first that works again.
final class TroubleWatch: Sendable {
    private struct State {
        let error: StoreError
        let isOfWriting: Bool
    }

    private let state = Mutex(State?.none)

    /// What is wrong with the disk or its users, and not with what was asked.
    private static let kinds: Set<StoreError.Kind> = [.diskFull, .readOnly, .cannotOpen, .busy, .diskError, .other]

    func failed(_ error: StoreError, isWriting: Bool) {
        guard Self.kinds.contains(error.kind) else { return }
        state.withLock { state in
            state = State(error: error, isOfWriting: isWriting || state?.isOfWriting == true)
        }
    }

    /// Reading works on many a disk that can't be written.
    func worked(isWriting: Bool) {
        state.withLock { state in
            if isWriting || state?.isOfWriting == false { state = nil }
        }
    }

    var current: StoreError? { state.withLock { $0?.error } }
}
