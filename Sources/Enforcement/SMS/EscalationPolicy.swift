/// Decides which passage goes out by SMS, and when.
///
/// A pure machine. The shell tells it what the link, the queue and the modem do, performs its actions in order, and lets its
/// clock tick now and then:
///
/// ```
/// for action in policy.handle(.linkDown(since: lastSuccess), at: now) { … }
/// ```
///
/// An entry is due when the server has been out of reach for five minutes and the entry is older than that; one that failed
/// after five attempts is due with the link up too. One that is older than a day goes no more: its text would come too late for any match.
/// One message is under way at a time, in queue order, or the newest first once a budget was spent. What was sent stays in the queue and
/// syncs later. Where a message takes several passages, others go along with the one that is due; none waits for company.
package struct EscalationPolicy: Sendable {
    package var settings: Settings
    package internal(set) var offlineSince: Instant?

    /// Why nothing goes out, as soon as that has lasted for long enough to tell somebody.
    package internal(set) var refusedReason: String?

    /// The entry whose message is under way.
    package internal(set) var current: Entry?

    /// The last text whose answer was lost, and its entry, as long as nothing else settles that: the answer may come late, after the
    /// return of the link as well.
    var lost: (text: UInt64, entry: Entry)?

    var entries: [Entry] = []
    var isModemReady = false

    /// Refusals in a row, the last one, and when the first was.
    var refusals = 0
    var refusal: SMSRefusal?
    var refusedSince: Instant?

    /// How often each waiting entry was refused in this run.
    var refusalsOfEntry: [Int64: Int] = [:]

    /// Entries whose text somebody didn't like: they go alone, so that the others don't suffer for it.
    var suspects: Set<Int64> = []

    /// What may be in the text of the current entry as well.
    var companions: Set<Int64> = []

    /// When entries were first seen that were recorded under a clock that was ahead: how old they are, nobody knows.
    var seenAt: [Int64: Instant] = [:]
    var holdUntil: Instant?
    var budget: SMSBudget

    /// Whether the newest goes first. It is so from the moment a budget is spent until the link is back: there is not enough for all of
    /// them, and a vehicle that is still on the road matters more than one that left it hours ago.
    package internal(set) var takesNewestFirst = false
    var alarms: Set<Alarm.Kind> = []

    package init(settings: Settings = Settings()) {
        self.settings = settings
        budget = SMSBudget(hourlyLimit: settings.hourlyLimit, dailyLimit: settings.dailyLimit)
    }

    package mutating func handle(_ event: Event, at now: Instant) -> [Action] {
        var actions: [Action] = []
        // A link lost in the future means that the clock was put back since.
        offlineSince = offlineSince.map { min($0, now) }
        refusedSince = refusedSince.map { min($0, now) }
        switch event {
        case .started(let sentAt): budget.restore(sentAt, at: now)
        case .linkUp: actions += linkReturned()
        case .linkDown(let since): offlineSince = since
        case .waiting(let waiting): actions += replaceEntries(waiting, at: now)
        case .modem(let ready): isModemReady = ready
        case .settled(let id, let result): actions += settle(id, result, at: now)
        case .answeredLate(let text, let references): actions += takeLate(text, references)
        case .resumed: actions += resume()
        case .clockTicked: break
        }
        return actions + judgeRefusal(at: now) + judgeBudget(at: now) + sendNext(at: now)
    }

    // MARK: What is due

    /// When `entry` may go out as far as the link and its age say; nil when it may not.
    func dueTime(of entry: Entry, at now: Instant) -> Instant? {
        let from = seenAt[entry.id] ?? entry.createdAt
        guard maySend(entry), now - from < settings.maximumAge else { return nil }
        let old = from + settings.minimumAge
        switch entry.standing {
        case .pending: return offlineSince.map { max(old, $0 + settings.outageBeforeSMS) }
        case .failedAfterAttempts: return old
        case .inFlight, .synced, .refused: return nil
        }
    }

    private func maySend(_ entry: Entry) -> Bool {
        entry.message?.isFinished != true && entry.lostAnswers <= settings.allowedLosses
    }

    /// Until when nothing is sent; nil when something may be. A longer wait than any that is ever set means that the
    /// clock was put back.
    private func hold(at now: Instant) -> Instant? {
        guard let holdUntil, holdUntil > now else { return nil }
        return holdUntil - now <= max(SMSRefusal.longestWait, settings.waitAfterSilence) ? holdUntil : nil
    }

    /// The first in order of those that are due. Three refusals give the next one a chance: it may be the message.
    private func nextIndex(at now: Instant) -> Int? {
        let due = entries.indices.filter { index in dueTime(of: entries[index], at: now).map { $0 <= now } ?? false }
        return (takesNewestFirst ? due.reversed() : due).min { patience(of: $0) < patience(of: $1) }
    }

    private func patience(of index: Int) -> Int { (refusalsOfEntry[entries[index].id] ?? 0) / 3 }

    private mutating func sendNext(at now: Instant) -> [Action] {
        guard isModemReady, current == nil, hold(at: now) == nil, budget.opensAt(now) == nil,
            let index = nextIndex(at: now)
        else { return [] }
        var entry = entries.remove(at: index)
        let company = company(of: entry, at: now)
        entry.message = (entry.message ?? .queued).after(.handedOver)
        current = entry
        companions = Set(company)
        entries.removeAll { companions.contains($0.id) }
        budget.spend(at: now)
        return company.isEmpty ? [.send(id: entry.id)] : [.sendTogether(id: entry.id, companions: company)]
    }

    // MARK: What happened

    private mutating func linkReturned() -> [Action] {
        offlineSince = nil
        entries = []
        takesNewestFirst = false
        // A barred SIM is one in fine weather too.
        return refusal?.rule.needsPerson == true && refusedReason != nil ? [] : resume()
    }

    private mutating func resume() -> [Action] {
        holdUntil = nil
        return forgetRefusals()
    }

    private mutating func forgetRefusals() -> [Action] {
        refusals = 0
        refusal = nil
        refusedSince = nil
        refusedReason = nil
        return clear(.refused)
    }

    /// Takes the new entries. One found `sending` was cut short by a stop of the box, so its answer counts as lost.
    private mutating func replaceEntries(_ waiting: [Entry], at now: Instant) -> [Action] {
        var actions: [Action] = []
        entries = waiting.filter { $0.id != current?.id && !companions.contains($0.id) }
        let known = Set(waiting.map(\.id)).union(current.map { [$0.id] } ?? [])
        refusalsOfEntry = refusalsOfEntry.filter { known.contains($0.key) }
        suspects.formIntersection(known)
        seenAt = seenAt.filter { known.contains($0.key) }
        for entry in entries where entry.createdAt > now || seenAt[entry.id].map({ $0 > now }) == true {
            seenAt[entry.id] = min(seenAt[entry.id] ?? now, now)
        }
        for index in entries.indices where entries[index].message == .sending {
            entries[index].message = MessageState.sending.after(.boxRestarted)
            entries[index].lostAnswers += 1
            actions.append(
                record(entries[index], reason: "the box stopped before the modem's answer was written down"))
        }
        return actions
    }

    private mutating func settle(_ id: Int64, _ result: TextResult, at now: Instant) -> [Action] {
        guard var entry = current, entry.id == id, let state = entry.message else { return [] }
        current = nil
        companions = []
        // The answer to the first text came while the second was under way: it is on record.
        if state.isFinished { return [] }
        var actions: [Action] = []
        switch result {
        case .accepted(let references):
            entry.message = state.after(.accepted)
            actions = [record(entry, references: references)] + forgetRefusals()
        case .refused(let refusal):
            entry.message = take(refusal, of: entry, state, at: now)
            // What the disk did not take is not on it: nothing is to be changed there.
            guard refusal.cause != .notWritten else { break }
            actions = [record(entry, reason: refusal.reason, takesBack: !refusal.rule.isCharged)]
        case .wentSilent(let text):
            entry.message = state.after(.wentSilent)
            entry.lostAnswers += 1
            holdUntil = now + settings.waitAfterSilence
            lost = (text, entry)
            actions = [.record(id: id, .ambiguous(lostAnswers: entry.lostAnswers))]
        case .unwritable(let reason, let wasHandedOver):
            entry.message = state.after(.foundUnwritable)
            budget.refund()
            actions = [record(entry, reason: reason, takesBack: wasHandedOver)]
        case .overtaken:
            // It comes with the next look at the queue, should it fail there after all.
            budget.refund()
            return []
        }
        let isFinished = entry.message?.isFinished == true
        if isFinished, lost?.entry.id == id { lost = nil }
        // Back where it was. After a return of the link the queue has to be read afresh: it may be synced.
        if !isFinished, offlineSince != nil || entry.standing == .failedAfterAttempts {
            entries.insert(entry, at: entries.firstIndex { $0.id > entry.id } ?? entries.endIndex)
        }
        return actions
    }

    /// - Returns: the state of the entry's message after it.
    private mutating func take(
        _ refusal: SMSRefusal, of entry: Entry, _ state: MessageState, at now: Instant
    ) -> MessageState {
        if !refusal.rule.isCharged { budget.refund() }
        holdUntil = now + refusal.rule.firstWait.doubled(refusals, atMost: refusal.rule.longestWait)
        refusals += 1
        refusedSince = refusedSince ?? now
        self.refusal = refusal
        let count = (refusalsOfEntry[entry.id] ?? 0) + 1
        refusalsOfEntry[entry.id] = count
        if let limit = refusal.rule.givesUpAfter {
            suspects.insert(entry.id)
            if count >= limit { return state.after(.foundUnwritable) }
        }
        return Self.afterRefusal(entry, state)
    }

    /// A repetition that was refused leaves the first message as unknown as it was.
    private static func afterRefusal(_ entry: Entry, _ state: MessageState) -> MessageState {
        entry.lostAnswers > 0 ? .ambiguous : state.after(.refused)
    }

    /// An answer that came after the wait for it was over: the message went out, and need not be sent again.
    private mutating func takeLate(_ text: UInt64, _ references: [UInt8]) -> [Action] {
        guard var entry = lost?.entry, lost?.text == text else { return [] }
        lost = nil
        entry.message = .sent
        entries.removeAll { $0.id == entry.id }
        // Its repetition is with the modem: what becomes of that says nothing new.
        if current?.id == entry.id { current?.message = .sent }
        return [record(entry, references: references)]
    }

    private func record(
        _ entry: Entry, reason: String? = nil, references: [UInt8] = [], takesBack: Bool = false
    ) -> Action {
        .record(
            id: entry.id,
            MessageSettlement(
                state: entry.message ?? .queued, lostAnswers: entry.lostAnswers, reason: reason, references: references,
                takesBack: takesBack))
    }

    // MARK: Alarms

    private mutating func judgeRefusal(at now: Instant) -> [Action] {
        guard let refusal, let refusedSince, let patience = refusal.rule.alarmAfter, now - refusedSince >= patience,
            refusedReason != refusal.reason
        else { return [] }
        refusedReason = refusal.reason
        alarms.insert(.refused)
        return [.alarm(.refused(reason: refusal.reason, needsPerson: refusal.rule.needsPerson))]
    }

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
        takesNewestFirst = offlineSince != nil
        if alarms.insert(.budgetSpent).inserted { actions.append(.alarm(.budgetSpent(until: until))) }
        return actions
    }

    private mutating func clear(_ kind: Alarm.Kind) -> [Action] {
        alarms.remove(kind) == nil ? [] : [.clear(kind)]
    }
}
