import Enforcement
import Foundation
import ParkAPI
import Storage

/// Finding what the server lost: a row that is gone without a word, a day that was missing from a backup.
///
/// Every 12 hours, when a person asks, and at once when a row that the server told has a lower number or is gone, box and server
/// compare a count and a hash of each of the last 90 days. Of days that differ every passage is looked for. What the server
/// lacks goes back in line where it stood, so it is sent in order, by the queue and its rules.
final class Comparison {
    /// Requests of one cycle; what is left is for the next one.
    static let requestsACycle = 40
    static let idsARequest = ContractLimits.idsAQuestion

    /// After a restore these are looked at passage by passage whatever their hash: it says nothing of photos and outcomes.
    static let repairedDays = 7

    /// A comparison under way.
    struct Work {
        var isRepair: Bool
        /// Days to look at passage by passage.
        var days: [Instant]
        var dayCount: Int
        /// How far the first of `days` was looked at.
        var last: UUID?
    }

    private let context: SyncContext
    private let taken: TakenRecords
    private let losses: LossFinder

    /// What is left of a comparison that takes several cycles.
    private var work: Work?

    init(_ context: SyncContext, taken: TakenRecords) {
        self.context = context
        self.taken = taken
        losses = LossFinder(context: context)
    }

    /// Whether the server is known to have been put back, and has not got back all that it lost.
    var isRepairing: Bool {
        get throws { try context.store.cursors.value(CursorName.serverWentBack) != nil }
    }

    /// - Returns: false when more cycles are needed before anything may be taken from the server.
    func repairIfServerWentBack(own: UUID) throws -> Bool {
        if try serverWentBack(own: own) {
            try context.store.cursors.set(
                SyncCursor(name: CursorName.serverWentBack, value: context.clock.now.milliseconds),
                at: context.clock.now)
            try taken.forget()
            work = nil
        }
        guard try isRepairing else { return true }
        guard try compare(own: own, isRepair: true) else { return false }
        try context.store.cursors.forget([CursorName.serverWentBack])
        return true
    }

    /// - Returns: false when there is more to compare.
    func compareIfDue(own: UUID) throws -> Bool {
        if work == nil {
            let ago = try context.store.cursors.value(CursorName.comparedAt).map {
                context.clock.now - Instant(milliseconds: $0)
            }
            let isDue = ago.map { $0 >= context.settings.comparisonInterval || $0 < .milliseconds(0) } ?? true
            let isWanted = try [SyncCursor.comparisonRequested, SyncCursor.lostRecords].contains {
                try context.store.cursors.value($0) != nil
            }
            guard isDue || isWanted else { return true }
        }
        return try compare(own: own, isRepair: false)
    }

    /// Whether the server was restored from a backup: a row that it told has a lower number now, or is gone without a word.
    ///
    /// Asked before anything is taken from the server: what it says after a restore was true once, and would undo here what
    /// was changed since. Its highest number tells nothing, since others may have passed it again.
    private func serverWentBack(own: UUID) throws -> Bool {
        guard context.dialect?.hasNumbers == true else { return false }
        if try taken.lostChange() { return true }
        let read = try [PullCursor.other.name(of: own), PullCursor.own.name(of: own)].compactMap {
            try context.store.cursors.mark($0)
        }
        let marks = read + (try taken.passage().map { [$0] } ?? [])
        let there = try context.numbers(of: marks, in: PassageColumn.self)
        var missing: [SyncCursor] = []
        for mark in marks {
            guard let number = mark.row.flatMap({ there[$0] }) else {
                missing.append(mark)
                continue
            }
            if number < mark.value { return true }
        }
        guard try context.learnedWhether(.deletions) else { return !missing.isEmpty }
        let deletion = try context.store.cursors.mark(PullCursor.deleted.name(of: own)).map { [$0] } ?? []
        let gone = try context.numbers(of: missing + deletion, in: DeletionColumn.self)
        return (missing + deletion).contains { mark in mark.row.flatMap { gone[$0] } == nil }
    }

    /// Does a part of a comparison.
    ///
    /// - Returns: whether it is done.
    private func compare(own: UUID, isRepair: Bool) throws -> Bool {
        guard var rest = try work ?? begin(own: own, isRepair: isRepair) else { return true }
        var requests = 0
        while let day = rest.days.first {
            // What was found is in line already; a restart begins anew with what still differs.
            work = rest
            guard requests < Self.requestsACycle else { return false }
            let passages = try context.store.comparisons.passages(
                day, ofPost: context.server.checkpostCode, after: rest.last, limit: Self.idsARequest)
            if let last = passages.last {
                requests += 2
                let count = try context.store.reconciliation.sendAgain(losses.among(passages), at: context.clock.now)
                try context.store.comparisons.noteSentAgain(count, ofDay: day)
                rest.last = last.clientID
            }
            if passages.count < Self.idsARequest {
                rest.days.removeFirst()
                rest.last = nil
            }
        }
        try finish(rest, own: own)
        work = nil
        return true
    }

    /// Asks for the days, and finds those that differ.
    ///
    /// - Returns: nil when nothing can be compared with this server; that is written down.
    private func begin(own: UUID, isRepair: Bool) throws -> Work? {
        // An account that sees nothing would make everything look lost.
        if let problem = try context.accountProblem() { throw CycleEnd(problem) }
        let first =
            PassageDay.start(of: context.clock.now)
            - .milliseconds(PassageDay.length * Int64(context.settings.comparedDays - 1))
        guard let there = try daysThere(own: own, since: first) else {
            try conclude(
                ComparisonRecord(
                    at: context.clock.now, message: "The server has no function passage_days: nothing was compared."))
            if try isRepair || context.store.cursors.value(SyncCursor.lostRecords) != nil { try readAnew(own: own) }
            return nil
        }
        var days: [ComparedDay] = []
        for number in 0..<context.settings.comparedDays {
            let start = first + .milliseconds(PassageDay.length * Int64(number))
            let here = try context.store.comparisons.day(start, ofPost: context.server.checkpostCode)
            guard here != nil || there[start] != nil else { continue }
            days.append(
                ComparedDay(
                    start: start, here: here?.count ?? 0, there: there[start]?.count ?? 0, isSame: here == there[start])
            )
        }
        try context.store.comparisons.replaceDays(days, at: context.clock.now)
        let repaired = context.clock.now - .milliseconds(PassageDay.length * Int64(Self.repairedDays))
        let differing = days.filter { !$0.isSame || (isRepair && $0.start >= repaired) }
        return Work(isRepair: isRepair, days: differing.map(\.start), dayCount: days.count)
    }

    private func daysThere(own: UUID, since: Instant) throws -> [Instant: PassageDay]? {
        guard context.dialect?.schema == .ours else { return nil }
        let (verdict, answer) = try context.askForVerdict(
            FunctionCall(.passageDays, DaysQuestion(post: own, since: since), timeout: .minutes(2)))
        switch verdict {
        case .accepted: break
        case .refused: return nil
        default: throw CycleEnd("Comparing with the server: \(verdict.reason)")
        }
        guard let answer else { return nil }
        let rows = try context.readable { () throws(SenselessAnswer) in try answer.rows(DayRow.self) }
        let days = rows.compactMap { row -> PassageDay? in
            guard let start = CivilTime(day: row.day)?.instant() else { return nil }
            return PassageDay(start: start, count: row.passages, hash: row.hash)
        }
        return Dictionary(days.map { ($0.start, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func finish(_ work: Work, own: UUID) throws {
        try losses.findSilent(own: own)
        try losses.sendOutcomesAgain()
        // As it is on record: the cycle that found it may have ended before it came here.
        let lost = try context.store.cursors.value(SyncCursor.lostRecords)
        let sentAgain = Int(lost ?? 0)
        if sentAgain > 0 {
            try context.store.alarms.raise(
                "sync.lost", .warning,
                "The server had lost \(sentAgain == 1 ? "a record" : "\(sentAgain) records") of this post; "
                    + "they are sent again.",
                hint: "Ask the park's administrator what happened there; `checkpost sync --verify` shows the days.",
                at: context.clock.now)
        } else {
            try context.store.alarms.clear("sync.lost", at: context.clock.now)
        }
        if work.isRepair || lost != nil { try readAnew(own: own) }
        try conclude(ComparisonRecord(at: context.clock.now, days: work.dayCount, sentAgain: sentAgain))
    }

    private func conclude(_ record: ComparisonRecord) throws {
        try context.store.comparisons.record(record)
        try context.store.cursors.set(
            SyncCursor(name: CursorName.comparedAt, value: context.clock.now.milliseconds), at: context.clock.now)
        try context.store.cursors.forget([SyncCursor.comparisonRequested])
    }

    /// The server's numbers mean other rows since: everything is read again, and afterwards what was done about violations is told again.
    private func readAnew(own: UUID) throws {
        try context.store.cursors.set(
            SyncCursor(name: CursorName.findingsWait, value: context.clock.now.milliseconds), at: context.clock.now)
        try context.store.cursors.forget(PullCursor.allCases.map { $0.name(of: own) } + [SyncCursor.lostRecords])
        context.requestCycle()
    }

    func sendFindingsAgainIfDue() throws {
        guard try context.store.cursors.value(CursorName.findingsWait) != nil, work == nil else { return }
        let since = context.clock.now - .milliseconds(PassageDay.length * Int64(context.settings.comparedDays))
        try context.store.reconciliation.sendFindingsAgain(since: since)
        try context.store.cursors.forget([CursorName.findingsWait])
        context.requestCycle()
    }
}
