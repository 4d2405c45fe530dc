/// Decides what becomes of each entry on its way to the server.
///
/// The shell offers what waits, sends what it is told to send, and reports the answer. Entries go strictly in the order in
/// which they are offered, and those behind wait while the first is under way or in backoff; a refused entry steps aside.
///
/// | from | to | when |
/// | --- | --- | --- |
/// | `pending` | `in_flight` | offered first, its backoff over |
/// | `in_flight` | `synced` | accepted, or the server has it already |
/// | `in_flight` | `pending` | a bad answer or none: one attempt more, and backoff |
/// | `in_flight` | `failed` | the same, and that was the last attempt; back in line when the server answers well again |
/// | `in_flight` | `failed`, refused | the server refuses this record |
/// | `in_flight` | `failed` | refused like the nine before it: not this record is at fault, and the queue rests for a while |
/// | `in_flight` | `failed`, refused | the box itself can't write it as a request: set aside with the reason |
/// | `in_flight` | `pending` | 401, or a 403 that concerns the account: no attempt counted |
/// | `in_flight` | `pending` | found without a sender, after a crash or any failure of the box: no attempt counted |
///
/// It takes every event in every state: what a database or a record holds can't end it.
package struct SyncQueue: Sendable, Equatable {
    package var settings: Settings
    package private(set) var inFlight: [QueueEntry] = []

    /// Why nothing is sent though the server answers: the account is refused.
    package private(set) var pauseReason: String?

    private var heldUntil: Instant?
    private var singlesLeft = 0
    private var refusedTokens = 0
    /// Pauses in a row: each is longer than the one before.
    private var pauses = 0
    private var refusalsInARow = 0
    private var revivals = Revivals()
    /// An alarm may be on from before a restart.
    private var mayHaveAlarm = true

    package init(settings: Settings = Settings()) {
        self.settings = settings
    }

    /// - Parameter random: 0…1, drawn by the caller, for the jitter of the backoff.
    package mutating func handle(_ event: Event, at now: Instant, random: Double) -> [Action] {
        switch event {
        case .began: return recovery
        case .offered(let entries): return offered(entries, at: now)
        case .answered(let verdict, let confirmed):
            return answered(verdict, confirmed: confirmed, at: now, random: random)
        case .accountChecked(let problem): return accountChecked(problem, at: now)
        case .signedIn:
            if refusedTokens == 0 { pauses = 0 }
            return [.next]
        case .signInRefused(let reason):
            return pause(reason, at: now)
        case .signInFailed(let reason):
            return [.endCycle(reason)]
        case .answeredWell:
            return revive(at: now)
        case .askedByHand:
            heldUntil = nil
            pauseReason = nil
            (refusedTokens, pauses, refusalsInARow) = (0, 0, 0)
            return []
        }
    }

    /// Forgets what was under way: whatever failed on the way, on the disk it goes back in line, and what had failed before with the next
    /// good answer.
    private var recovery: [Action] {
        mutating get {
            inFlight = []
            revivals.suspectOthers()
            return [.recover]
        }
    }

    /// When a pause ends; nil without one.
    package var pausedUntil: Instant? { pauseReason == nil ? nil : heldUntil }

    /// Whether a refused account pauses the queue now.
    package func isPaused(at now: Instant) -> Bool {
        pauseReason != nil && heldUntil.map { isAhead($0, of: now) } ?? false
    }

    private mutating func offered(_ entries: [QueueEntry], at now: Instant) -> [Action] {
        // Nobody sends what is under way, or it would not be asked what comes next.
        guard inFlight.isEmpty else { return recovery + [.next] }
        guard let first = entries.first else { return [] }
        for moment in [heldUntil, first.nextAttemptAt] {
            if let moment, isAhead(moment, of: now) { return [.wait(until: moment)] }
        }
        heldUntil = nil
        pauseReason = nil
        inFlight = chosen(of: entries).map { entry in
            var entry = entry
            entry.status = .inFlight
            entry.nextAttemptAt = nil
            // From now on the server may have it, whatever comes back.
            entry.lastAttemptAt = now
            return entry
        }
        return [.write(inFlight), .send(inFlight)]
    }

    /// Whether to wait for a moment. One further ahead than any wait lasts was set by a clock that was wrong: a post whose
    /// clock is put right by an hour must not be silent for that hour.
    private func isAhead(_ moment: Instant, of now: Instant) -> Bool {
        moment > now
            && moment - now <= max(Verdict.longestRetryAfter, settings.backoff.longestDelay, settings.accountPause)
    }

    private func chosen(of entries: [QueueEntry]) -> [QueueEntry] {
        guard settings.batchSize > 1, singlesLeft == 0, entries[0].isBatchable else { return [entries[0]] }
        return Array(entries.prefix(settings.batchSize).prefix { $0.isBatchable && $0.attempts == 0 })
            .ifEmpty([entries[0]])
    }

    private mutating func answered(
        _ verdict: Verdict, confirmed: Set<Int64>, at now: Instant, random: Double
    ) -> [Action] {
        let sent = inFlight
        inFlight = []
        guard !sent.isEmpty else { return [] }
        if singlesLeft > 0 { singlesLeft -= 1 }
        if case .unauthorised = verdict {} else { refusedTokens = 0 }
        switch verdict {
        case .accepted where sent.count > 1:
            return batchAccepted(sent, confirmed: confirmed, at: now)
        case .accepted, .duplicate:
            if sent.count > 1 { return backInLine(sent, oneByOne: true) }
            return succeeded(sent, at: now)
        case .refused(let reason):
            if sent.count > 1 { return backInLine(sent, oneByOne: true) }
            return refused(sent[0], reason, at: now)
        case .unsendable(let reason):
            if sent.count > 1 { return backInLine(sent, oneByOne: true) }
            return setAside(sent[0], reason, at: now)
        case .tooLong(let reason):
            if sent.count > 1 { return backInLine(sent, oneByOne: true) }
            return failed(sent, reason, retryAfter: nil, at: now, random: random)
        case .forbidden:
            if sent.count > 1 { return backInLine(sent, oneByOne: true) }
            inFlight = sent
            inFlight[0].lastError = reasonText(verdict)
            return [.checkAccount]
        case .unauthorised:
            return unauthorised(sent, at: now)
        case .unwell(let reason, let retryAfter):
            return failed(sent, reason, retryAfter: retryAfter, at: now, random: random)
        case .silent(let reason):
            return failed(sent, reason, retryAfter: nil, at: now, random: random).filter { $0 != .next }
                + [.endCycle(reason)]
        }
    }

    private mutating func refused(_ entry: QueueEntry, _ reason: String, at now: Instant) -> [Action] {
        var entry = entry
        entry.status = .failed
        entry.lastError = reason
        entry.lastAttemptAt = now
        refusalsInARow += 1
        guard refusalsInARow >= settings.refusalsInARow else {
            entry.isRefused = true
            return [.write([entry]), .next]
        }
        // It steps aside, to be judged again after the first good answer; the next one is asked about after the rest.
        noteFailure(of: entry.id, at: now)
        let rest = nextPause()
        heldUntil = now + rest
        pauseReason = "The server refuses one record after the other (\(reason)). The box tries again by itself."
        return [.write([entry]), .wait(until: now + rest)]
    }

    /// It is no word of the server's, so it says nothing about the server's health.
    private func setAside(_ entry: QueueEntry, _ reason: String, at now: Instant) -> [Action] {
        var entry = entry
        entry.status = .failed
        entry.isRefused = true
        entry.lastError = reason
        entry.lastAttemptAt = now
        return [.write([entry]), .next]
    }

    /// 15 s, 30 s, 1 min and so on, up to five minutes.
    private mutating func nextPause() -> TimeSpan {
        pauses += 1
        return settings.firstAccountPause.doubled(pauses - 1, atMost: settings.accountPause)
    }

    private func reasonText(_ verdict: Verdict) -> String? {
        if case .forbidden(let reason) = verdict { return reason }
        return nil
    }

    private mutating func succeeded(_ entries: [QueueEntry], at now: Instant) -> [Action] {
        let synced = entries.map { entry in
            var entry = entry
            entry.status = .synced
            entry.lastError = nil
            entry.lastAttemptAt = now
            return entry
        }
        for entry in entries { revivals.forget(entry.id) }
        (pauses, refusalsInARow) = (0, 0)
        let clearing: [Action] = mayHaveAlarm ? [.clearAlarm] : []
        mayHaveAlarm = false
        return [.write(synced)] + clearing + revive(at: now) + [.next]
    }

    private mutating func batchAccepted(_ sent: [QueueEntry], confirmed: Set<Int64>, at now: Instant) -> [Action] {
        let there = sent.filter { confirmed.contains($0.id) }
        let unclear = sent.filter { !confirmed.contains($0.id) }
        var actions = unclear.isEmpty ? [] : backInLine(unclear, oneByOne: true).filter { $0 != .next }
        if !there.isEmpty { actions += succeeded(there, at: now).filter { $0 != .next } }
        return actions + [.next]
    }

    /// Back to `pending` with no attempt counted.
    private mutating func backInLine(_ sent: [QueueEntry], oneByOne: Bool) -> [Action] {
        if oneByOne { singlesLeft = sent.count }
        return [.write(sent.map(waiting)), .next]
    }

    private func waiting(_ entry: QueueEntry) -> QueueEntry {
        var entry = entry
        entry.status = .pending
        return entry
    }

    /// One attempt is counted, on the first of a batch: an outage costs one entry one attempt.
    private mutating func failed(
        _ sent: [QueueEntry], _ reason: String, retryAfter: TimeSpan?, at now: Instant, random: Double
    ) -> [Action] {
        if sent.count > 1 { singlesLeft = sent.count }
        var first = sent[0]
        // A number that no queue writes must not end the box.
        first.attempts = min(first.attempts, 1_000_000) + 1
        first.lastAttemptAt = now
        first.lastError = reason
        let delay = max(
            settings.backoff.delay(attempt: first.attempts, random: random), retryAfter ?? .milliseconds(0))
        if let retryAfter { heldUntil = now + retryAfter }
        if first.attempts >= settings.maximumAttempts {
            first.status = .failed
            noteFailure(of: first.id, at: now)
        } else {
            first.status = .pending
            first.nextAttemptAt = now + delay
        }
        return [.write([first] + sent.dropFirst().map(waiting)), .next]
    }

    private mutating func noteFailure(of id: Int64, at now: Instant) {
        revivals.noteFailure(of: id, firstRest: settings.firstRevival, at: now)
    }

    private mutating func revive(at now: Instant) -> [Action] {
        revivals.due(at: now).map { [.revive(except: $0)] } ?? []
    }
}

extension SyncQueue {
    private mutating func unauthorised(_ sent: [QueueEntry], at now: Instant) -> [Action] {
        refusedTokens += 1
        let back = SyncQueue.Action.write(sent.map(waiting))
        guard refusedTokens < 3 else {
            return [back] + pause("The server refuses the tokens that it has just given.", at: now)
        }
        return [back, .signIn]
    }

    private mutating func accountChecked(_ problem: String?, at now: Instant) -> [Action] {
        let sent = inFlight
        inFlight = []
        guard let entry = sent.first else { return [] }
        if let problem { return [.write([waiting(entry)])] + pause(problem, at: now) }
        return refused(entry, entry.lastError ?? "403", at: now)
    }

    private mutating func pause(_ reason: String, at now: Instant) -> [Action] {
        heldUntil = now + nextPause()
        let reason = "\(reason) The box tries again by itself, soon at first and then every few minutes."
        pauseReason = reason
        mayHaveAlarm = true
        refusedTokens = 0
        return [.raiseAlarm(reason), .endCycle(reason)]
    }
}

extension Array {
    fileprivate func ifEmpty(_ other: [Element]) -> [Element] { isEmpty ? other : self }
}
