/// Which failed entries come back in line, and when.
///
/// The first time an entry comes back with the first good answer. One that the server chokes on again and again must not hold up the
/// others each time: it rests, longer after every failure.
struct Revivals: Sendable, Equatable {
    private struct Revival: Sendable, Equatable {
        var failures: Int
        var notBefore: Instant
    }

    /// More are not remembered one by one: a queue that fails as a whole is revived as a whole.
    private static let maximum = 200

    /// The longest rest.
    private static let longestRest = TimeSpan.hours(1)

    /// What failed in this run.
    private var known: [Int64: Revival] = [:]

    /// There may be failed entries from before this run.
    private var mayHoldOthers = true

    /// - Parameter firstRest: after the second failure; doubled each time.
    mutating func noteFailure(of id: Int64, firstRest: TimeSpan, at now: Instant) {
        mayHoldOthers = true
        let failures = (known[id]?.failures ?? 0) + 1
        guard known.count < Self.maximum || known[id] != nil else { return }
        let rest = firstRest.doubled(failures - 2, atMost: Self.longestRest)
        known[id] = Revival(failures: failures, notBefore: failures == 1 ? now : now + rest)
    }

    /// What came back by this machine's word may not have: the disk failed in between.
    mutating func suspectOthers() { mayHoldOthers = true }

    /// It went through.
    mutating func forget(_ id: Int64) { known[id] = nil }

    /// Asked after a good answer.
    ///
    /// - Returns: the entries that rest while all others that failed come back in line; nil when none is to come back.
    mutating func due(at now: Instant) -> Set<Int64>? {
        let resting = Set(known.filter { $0.value.notBefore > now }.keys)
        guard mayHoldOthers, resting.isEmpty || known.count > resting.count else { return nil }
        mayHoldOthers = !resting.isEmpty
        // A revived entry that fails again is told from one that fails for the first time.
        for id in known.keys where !resting.contains(id) { known[id]?.notBefore = now }
        return resting
    }
}
