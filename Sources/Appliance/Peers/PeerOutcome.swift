import Enforcement
import Foundation

/// What was done about the violation of two passages.
struct PeerOutcome: Codable, Equatable {
    var entry: UUID
    var exit: UUID
    var kind: String
    var fine: Double?
    var notes: String?
    var by: String
    var at: Int64

    /// What it takes the place of, where that is the asker's.
    var replacesBy: String?
    var replacesAt: Int64?

    init(_ told: ToldOutcome) {
        (entry, exit, kind) = (told.entry, told.exit, told.outcome.kind.rawValue)
        fine = told.outcome.fineAmount
        notes = told.outcome.notes.map { ToldOutcome.bounded($0, ToldOutcome.mostNotes) }
        by = ToldOutcome.bounded(told.outcome.recordedBy, ToldOutcome.mostName)
        at = told.outcome.recordedAt.milliseconds
        (replacesBy, replacesAt) = (told.replaces?.by, told.replaces?.at.milliseconds)
    }

    /// Nil for one that makes no sense. A time that can't be is now: whoever acted has no better clock.
    func told(at now: Instant) -> ToldOutcome? {
        guard let kind = Outcome.Kind(rawValue: kind), !by.isEmpty,
            fine.map({ kind == .fined && $0 > 0 && $0 <= Self.mostFine }) ?? (kind != .fined)
        else { return nil }
        let possible = (now - PeerNews.reach).milliseconds...(now + .minutes(5)).milliseconds
        let replaces = replacesAt.flatMap { at in
            replacesBy.flatMap { by in
                by.utf8.count > ToldOutcome.mostName ? nil : .init(by: by, at: Instant(milliseconds: at))
            } as ToldOutcome.Replaced?
        }
        return ToldOutcome(
            entry: entry, exit: exit,
            outcome: Outcome(
                kind: kind, fineAmount: fine, notes: notes.map { ToldOutcome.bounded($0, ToldOutcome.mostNotes) },
                recordedBy: ToldOutcome.bounded(by, ToldOutcome.mostName),
                recordedAt: possible.contains(at) ? Instant(milliseconds: at) : now),
            replaces: replaces)
    }

    private static let mostFine = 100_000_000.0
}
