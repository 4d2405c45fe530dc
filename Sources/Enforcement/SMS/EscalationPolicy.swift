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
    package struct Settings: Hashable, Sendable {
        /// How long the server has to be out of reach. A shorter outage sends nothing.
        package var outageBeforeSMS = TimeSpan.minutes(5)

        /// How old an entry has to be.
        package var minimumAge = TimeSpan.minutes(5)

        /// Messages in any 60 minutes. Busy posts see about 90 vehicles an hour.
        package var hourlyLimit = 200

        /// Messages in any 24 hours.
        package var dailyLimit = 1000

        /// The part of the daily limit at which somebody should top up the SIM, 0…1.
        package var warningShare = 0.8

        /// Whether the server recognises a repeated text (ours does). If not, a message whose answer was lost is not repeated.
        package var serverRecognisesTexts = true

        /// The wait after a refusal; doubled with each further one, up to ``longestBackoff``.
        package var firstBackoff = TimeSpan.seconds(30)
        package var longestBackoff = TimeSpan.minutes(15)

        /// The wait before anything is sent after the modem went silent: it needs to recover.
        package var waitAfterSilence = TimeSpan.minutes(1)

        package init() {}
    }

    /// An entry of the sync queue, with what is known of its message.
    package struct Entry: Hashable, Sendable {
        package enum Standing: String, Hashable, Sendable, CaseIterable {
            case pending
            case inFlight
            case synced

            /// `failed` after five bad answers or none.
            case failedAfterAttempts

            /// `failed` since the server refuses this record. Never sent by SMS.
            case refused
        }

        package var id: Int64
        package var createdAt: Instant
        package var standing: Standing

        /// nil when nothing has been tried.
        package var message: MessageState?

        /// How often the modem's answer to this message was lost. At most two.
        package var lostAnswers: Int

        package init(
            id: Int64, createdAt: Instant, standing: Standing, message: MessageState? = nil, lostAnswers: Int = 0
        ) {
            self.id = id
            self.createdAt = createdAt
            self.standing = standing
            self.message = message
            self.lostAnswers = lostAnswers
        }
    }

    package enum Event: Hashable, Sendable {
        /// The box started. `sentAt`: when messages were handed over within the last 24 hours, in any order.
        case started(sentAt: [Instant])

        /// The server answered well again. Forgets the entries: most will sync now, and fresh ones come with ``waiting(_:)``.
        case linkUp

        /// The server is out of reach; `since` is its last good answer.
        case linkDown(since: Instant)

        /// What waits in the queue now, in queue order. Replaces what was known. A part from the front is enough, as long
        /// as entries that can't be sent any more are left out.
        case waiting([Entry])

        /// The modem is registered and takes messages, or not.
        case modem(ready: Bool)

        /// What became of the message that ``Action/send(id:)`` started.
        case settled(id: Int64, Outcome)

        /// A person removed the cause of a stop.
        case resumed

        case clockTicked
    }

    package enum Outcome: Hashable, Sendable {
        case accepted

        /// Nothing went out; worth another try later (no network, congestion, modem busy).
        case refused

        /// Nothing went out, and nothing will until a person acts (barred, unknown subscriber, no service centre).
        case stopped(reason: String)

        /// The modem had the text and never answered.
        case wentSilent

        /// The passage can't be written as an SMS.
        case unwritable
    }

    package enum Action: Hashable, Sendable {
        /// Write this down before going on: ``send(id:)`` may follow, and the box may stop in between.
        case record(id: Int64, MessageState, lostAnswers: Int)

        /// Give the entry's text to the modem and answer with ``Event/settled(id:_:)``.
        case send(id: Int64)

        case alarm(Alarm)
        case clear(Alarm.Kind)
    }

    package enum Alarm: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable, CaseIterable {
            case budgetLow
            case budgetSpent
            case stopped
        }

        case budgetLow(sentInDay: Int, limit: Int)
        case budgetSpent(until: Instant)
        case stopped(reason: String)
    }

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
        guard var entry = current, entry.id == id, let state = entry.message else { return [] }
        current = nil
        var actions: [Action] = []
        switch outcome {
        case .accepted:
            entry.message = state.after(.accepted)
            refusals = 0
        case .refused:
            entry.message = state.after(.refused)
            budget.refund()
            let doublings = Double(1 << min(refusals, 10))
            holdUntil = now + min(.seconds(settings.firstBackoff.seconds * doublings), settings.longestBackoff)
            refusals += 1
        case .stopped(let reason):
            entry.message = state.after(.refused)
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
        }
        // Back at the front, where it was. After a return of the link the queue has to be read afresh: it may be synced.
        if entry.message?.isFinished != true, offlineSince != nil || entry.standing == .failedAfterAttempts {
            entries.insert(entry, at: 0)
        }
        return [record(entry)] + actions
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
