import Enforcement
import Foundation
import ParkAPI
import Storage

/// Sends what waits, in order: performs what `SyncQueue` decides.
final class Outbox {
    /// A cycle sends at most so many entries; the next one goes on.
    private static let maximumEntriesACycle = 20_000

    private let context: SyncContext
    private let passages: PassageSender
    private let corrections: CorrectionSender
    private let outcomes: OutcomeSender
    private let dismissals: DismissalSender
    private let taken: TakenRecords

    private(set) var queue: SyncQueue

    /// Whether the disk may show entries as under way that nobody sends.
    private var mayHoldOrphans = true

    init(_ context: SyncContext, taken: TakenRecords) {
        self.context = context
        self.taken = taken
        passages = PassageSender(context: context)
        corrections = CorrectionSender(context: context, taken: taken)
        outcomes = OutcomeSender(context: context)
        dismissals = DismissalSender(context: context)
        queue = SyncQueue(settings: context.settings.queue)
    }

    func apply(_ settings: SyncSettings) { queue.settings = settings.queue }

    /// No pause for a refused account holds any longer.
    func askedByHand() { _ = handle(.askedByHand) }

    /// The next look puts back in line what the disk shows as under way: a cycle begins, or something failed.
    func suspectOrphans() { mayHoldOrphans = true }

    /// Puts what nobody sends any longer back in line. Also while the link is down: what seems to be under way is never due for SMS.
    func recoverOrphans() throws {
        guard mayHoldOrphans else { return }
        try tell(.began)
        mayHoldOrphans = false
    }

    /// Whether something waits that could be sent now.
    func hasDueEntry() throws -> Bool {
        guard let first = try context.store.queue.waiting(limit: 1).first else { return false }
        return first.nextAttemptAt.map { $0 <= context.clock.now } ?? true
    }

    /// Signs in where nobody is signed in, unless a refused account pauses that.
    func signInIfNeeded() throws {
        guard context.session.tokens == nil else { return }
        if let reason = queue.pauseReason, queue.isPaused(at: context.clock.now) { throw CycleEnd(reason) }
        try tell(context.signInAgain())
    }

    /// Tells the queue what has happened, and performs what follows from it.
    ///
    /// - Throws: `CycleEnd` when the link is down or the account is refused.
    func tell(_ event: SyncQueue.Event) throws { try perform(handle(event)) }

    /// - Returns: when the first entry may be tried again; nil when nothing waits for a time.
    /// - Throws: `CycleEnd`, or `StoreError`; what was under way then is back in line, or comes back with the next tick.
    func push() throws -> Instant? {
        do { return try pushInOrder() } catch {
            mayHoldOrphans = true
            throw error
        }
    }

    private func pushInOrder() throws -> Instant? {
        for _ in 0..<Self.maximumEntriesACycle {
            let entries = try context.store.queue.waiting(limit: max(1, context.settings.queue.batchSize))
            guard !entries.isEmpty else { return nil }
            let flow = try perform(handle(.offered(entries)))
            if case .wait(let moment) = flow { return moment }
        }
        return context.clock.now
    }

    private func handle(_ event: SyncQueue.Event) -> [SyncQueue.Action] {
        queue.handle(event, at: context.clock.now, random: context.random())
    }

    private enum Flow: Equatable {
        case again
        case wait(Instant)
    }

    /// Performs actions, and those that follow from them.
    @discardableResult
    private func perform(_ actions: [SyncQueue.Action]) throws -> Flow {
        let (store, clock) = (context.store, context.clock)
        var todo = actions
        var facts: [UUID: ServerFacts] = [:]
        var ending: CycleEnd?
        while !todo.isEmpty {
            switch todo.removeFirst() {
            case .write(let changes):
                // Before it counts as sent: after a kill in between it is sent again.
                if let last = changes.last(where: { $0.status == .synced }).flatMap({
                    facts[$0.passageClientID]?.serverID
                }) {
                    try taken.took(passage: last)
                }
                try store.queue.update(changes, learning: facts)
                facts = [:]
                context.counts.pushed += changes.count { $0.status == .synced }
            case .send(let sent):
                let parcel = try send(sent)
                facts = parcel.facts
                todo += handle(.answered(parcel.verdict, confirmed: parcel.confirmed))
            case .recover: try store.queue.recoverInFlight()
            case .signIn: todo += handle(try context.signInAgain())
            case .checkAccount: todo += try accountCheck()
            case .revive(let except): try store.queue.reviveFailed(except: except)
            case .next: break
            case .wait(let moment): return .wait(moment)
            case .endCycle(let reason): ending = CycleEnd(reason)
            case .raiseAlarm(let reason):
                try store.alarms.raise(
                    "sync.account", .critical, "Nothing is sent to the server: \(reason)",
                    hint: "Correct the account, or `server` in the configuration; then run `checkpost sync --now`.",
                    at: clock.now)
            case .clearAlarm: try store.alarms.clear("sync.account", at: clock.now)
            }
        }
        if let ending { throw ending }
        return .again
    }

    private func accountCheck() throws -> [SyncQueue.Action] {
        do { return handle(.accountChecked(problem: try context.accountProblem())) } catch let end as CycleEnd {
            // It can't be found out now. The entry stays in line, and its turn comes again.
            return handle(.answered(.unwell(end.reason, retryAfter: nil))) + [.endCycle(end.reason)]
        }
    }

    /// - Throws: `CycleEnd`, or `StoreError` when the database fails. Whatever else goes wrong lies with what is sent.
    private func send(_ entries: [QueueEntry]) throws -> Parcel {
        do { return try post(entries) } catch let end as CycleEnd { throw end } catch let error as StoreError
            where ![.unreadable, .refused, .unknown].contains(error.kind)
        { throw error } catch {
            let reason = (error as? StoreError)?.message ?? (error as? Unsendable)?.reason ?? "\(error)"
            return Parcel(verdict: .unsendable("the box can't send this: \(reason)"))
        }
    }

    private func post(_ entries: [QueueEntry]) throws -> Parcel {
        guard entries.count == 1, let entry = entries.first else { return try passages.send(entries) }
        switch entry.entity {
        case .passage: return try passages.send(entry)
        case .outcome: return try outcomes.send(entry)
        case .correction: return try corrections.send(entry)
        case .alert: return try dismissals.send(entry)
        }
    }
}
