/// How an entry changes when what it carries changes; its way to the server is `SyncQueue`'s.
extension QueueEntry {
    /// Whether it waits or is being sent.
    package var isOnItsWay: Bool { status == .pending || status == .inFlight }

    /// Waits again, as if it had never been tried.
    package func inLineAgain(keepingReason: Bool = false) -> QueueEntry {
        var entry = self
        entry.status = .pending
        entry.attempts = 0
        entry.isRefused = false
        entry.nextAttemptAt = nil
        entry.setAside = nil
        if !keepingReason { entry.lastError = nil }
        return entry
    }

    /// The server has it, though nobody sent it.
    package func settled() -> QueueEntry {
        var entry = inLineAgain()
        entry.status = .synced
        entry.attempts = attempts
        return entry
    }

    /// Rests until somebody asks for it by its number.
    package func resting(_ cause: SetAside, _ reason: String) -> QueueEntry {
        var entry = self
        entry.status = .failed
        entry.isRefused = true
        entry.nextAttemptAt = nil
        entry.lastError = reason
        entry.setAside = cause
        return entry
    }

    /// What the server took and has lost, once more in line; nil when it stays as it is.
    package func lostThere() -> QueueEntry? { status == .synced ? inLineAgain() : nil }

    /// An outcome or a dismissal, once more in line because the server may have lost it; nil when it stays as it is.
    ///
    /// - Parameter holds: whether an outcome is the one that holds, of a violation that holds.
    package func lostFinding(holds: Bool) -> QueueEntry? {
        guard status == .synced || (status == .failed && !isRefused) else { return nil }
        switch entity {
        case .alert: return inLineAgain()
        case .outcome: return holds ? inLineAgain() : nil
        case .passage, .correction: return nil
        }
    }
}
