/// Decides which passage goes out by SMS, and when.
///
/// A pure machine. The shell tells it what the link, the queue and the modem do, performs its actions in order, and calls
/// it again at ``nextDecision(after:)`` at the latest:
///
/// ```
/// for action in policy.handle(.linkDown(since: lastSuccess), at: now) { … }
/// ```
///
/// An entry is due when the server has been out of reach for five minutes and the entry is older than that; one that failed
/// after five attempts is due with the link up too. One message is under way at a time, in queue order. What was sent
/// stays in the queue and syncs later.
package struct EscalationPolicy: Sendable {
    package var settings: Settings
    package internal(set) var offlineSince: Instant?
    package internal(set) var stoppedReason: String?

    /// The entry whose message is under way.
    package internal(set) var current: Entry?

    var entries: [Entry] = []
    var isModemReady = false
    var refusals = 0
    var holdUntil: Instant?
    var budget: SMSBudget
    var alarms: Set<Alarm.Kind> = []

    package init(settings: Settings = Settings()) {
        self.settings = settings
        budget = SMSBudget(hourlyLimit: settings.hourlyLimit, dailyLimit: settings.dailyLimit)
    }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        var actions: [Action] = []
        // A link lost in the future means that the clock was put back since.
        offlineSince = offlineSince.map { min($0, now) }
        switch event {
        case .started(let sentAt): budget.restore(sentAt, at: now)
        case .linkUp: actions += linkReturned()
        case .linkDown(let since): offlineSince = since
        case .waiting(let waiting): actions += replaceEntries(waiting)
        case .modem(let ready): isModemReady = ready
        case .settled(let id, let outcome): actions += settle(id, outcome, at: now)
        case .resumed: actions += resume()
        case .clockTicked: break
        }
        return actions + judgeBudget(at: now) + sendNext(at: now)
    }

    /// The next moment at which time alone changes the decision; nil when only an event can.
    package func nextDecision(after now: Instant) -> Instant? {
        guard isModemReady, stoppedReason == nil, current == nil else { return nil }
        let due = entries.compactMap { dueTime(of: $0) }.min()
        guard let due else { return nil }
        let moments = [due, hold(at: now), budget.opensAt(now)].compactMap { $0 }
        return moments.max().map { max($0, now + .milliseconds(1)) }
    }

    // MARK: What is due

    /// When `entry` may go out as far as the link and its age say; nil when it may not.
    private func dueTime(of entry: Entry) -> Instant? {
        guard maySend(entry) else { return nil }
        let old = entry.createdAt + settings.minimumAge
        switch entry.standing {
        case .pending: return offlineSince.map { max(old, $0 + settings.outageBeforeSMS) }
        case .failedAfterAttempts: return old
        case .inFlight, .synced, .refused: return nil
        }
    }

    private func maySend(_ entry: Entry) -> Bool {
        let allowedLosses = settings.serverRecognisesTexts ? 1 : 0
        return entry.message?.isFinished != true && entry.lostAnswers <= allowedLosses
    }

    /// Until when nothing is sent; nil when something may be. A longer wait than any that is ever set means that the
    /// clock was put back.
    private func hold(at now: Instant) -> Instant? {
        guard let holdUntil, holdUntil > now else { return nil }
        return holdUntil - now <= max(settings.longestBackoff, settings.waitAfterSilence) ? holdUntil : nil
    }

    private mutating func sendNext(at now: Instant) -> [Action] {
        guard isModemReady, stoppedReason == nil, current == nil, hold(at: now) == nil,
            budget.opensAt(now) == nil,
            let index = entries.firstIndex(where: { entry in dueTime(of: entry).map { $0 <= now } ?? false })
        else { return [] }
        var entry = entries.remove(at: index)
        entry.message = (entry.message ?? .queued).after(.handedOver)
        current = entry
        budget.spend(at: now)
        return [.record(id: entry.id, .sending, lostAnswers: entry.lostAnswers), .send(id: entry.id)]
    }

    // MARK: What happened

    private mutating func linkReturned() -> [Action] {
        offlineSince = nil
        entries = []
        return resume()
    }

    private mutating func resume() -> [Action] {
        refusals = 0
        holdUntil = nil
        stoppedReason = nil
        return clear(.stopped)
    }

    /// Takes the new entries. One found `sending` was cut short by a stop of the box, so its answer counts as lost.
    private mutating func replaceEntries(_ waiting: [Entry]) -> [Action] {
        var actions: [Action] = []
        entries = waiting.filter { $0.id != current?.id }
        for index in entries.indices where entries[index].message == .sending {
            entries[index].message = MessageState.sending.after(.boxRestarted)
            entries[index].lostAnswers += 1
            actions.append(record(entries[index]))
        }
        return actions
    }

    private mutating func settle(_ id: Int64, _ outcome: Outcome, at now: Instant) -> [Action] {
        guard var entry = current, entry.id == id, let state = entry.message else { return settleLate(id, outcome) }
        current = nil
        var actions: [Action] = []
        switch outcome {
        case .accepted:
            entry.message = state.after(.accepted)
            refusals = 0
        case .refused:
            entry.message = Self.afterRefusal(entry, state)
            budget.refund()
            let doublings = Double(1 << min(refusals, 10))
            holdUntil = now + min(.seconds(settings.firstBackoff.seconds * doublings), settings.longestBackoff)
            refusals += 1
        case .stopped(let reason):
            entry.message = Self.afterRefusal(entry, state)
            budget.refund()
            stoppedReason = reason
            alarms.insert(.stopped)
            actions.append(.alarm(.stopped(reason: reason)))
        case .wentSilent:
            entry.message = state.after(.wentSilent)
            entry.lostAnswers += 1
            holdUntil = now + settings.waitAfterSilence
        case .unwritable:
            entry.message = state.after(.foundUnwritable)
            budget.refund()
        case .overtaken:
            // It comes with the next look at the queue, should it fail there after all.
            budget.refund()
            return []
        }
        // Back at the front, where it was. After a return of the link the queue has to be read afresh: it may be synced.
        if entry.message?.isFinished != true, offlineSince != nil || entry.standing == .failedAfterAttempts {
            entries.insert(entry, at: 0)
        }
        return [record(entry)] + actions
    }

    /// A repetition that was refused leaves the first message as unknown as it was.
    private static func afterRefusal(_ entry: Entry, _ state: MessageState) -> MessageState {
        entry.lostAnswers > 0 ? .ambiguous : state.after(.refused)
    }

    /// An answer that came after the wait for it was over: the message went out, and need not be sent again.
    private mutating func settleLate(_ id: Int64, _ outcome: Outcome) -> [Action] {
        guard outcome == .accepted,
            let index = entries.firstIndex(where: { $0.id == id && $0.message == .ambiguous })
        else { return [] }
        var entry = entries.remove(at: index)
        entry.message = .sent
        return [record(entry)]
    }

    private func record(_ entry: Entry) -> Action {
        .record(id: entry.id, entry.message ?? .queued, lostAnswers: entry.lostAnswers)
    }

    // MARK: Budget

    private mutating func judgeBudget(at now: Instant) -> [Action] {
        let sent = budget.sentInDay(at: now)
        var actions: [Action] = []
        if Double(sent) >= Double(settings.dailyLimit) * settings.warningShare {
            if alarms.insert(.budgetLow).inserted {
                actions.append(.alarm(.budgetLow(sentInDay: sent, limit: settings.dailyLimit)))
            }
        } else {
            actions += clear(.budgetLow)
        }
        guard let until = budget.opensAt(now) else { return actions + clear(.budgetSpent) }
        if alarms.insert(.budgetSpent).inserted { actions.append(.alarm(.budgetSpent(until: until))) }
        return actions
    }

    private mutating func clear(_ kind: Alarm.Kind) -> [Action] {
        alarms.remove(kind) == nil ? [] : [.clear(kind)]
    }
}
