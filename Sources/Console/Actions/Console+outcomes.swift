import Enforcement
import Foundation
import Storage
import Synchronization

/// Lets one outcome in at a time: looking at what holds and recording what replaces it are one step.
final class OutcomeGate: Sendable {
    private let gate = Mutex(())

    func alone<Value: Sendable>(_ work: () throws -> Value) throws -> Value {
        try gate.withLock { _ in try work() }
    }
}

extension Console {
    /// How long an outcome can be changed, counted from the first one.
    static let outcomeAge = TimeSpan.hours(24)

    /// What a form knows of a violation's outcomes: `0` for none. It changes with each that is recorded.
    static func version(of outcomes: [Outcome]) -> String {
        outcomes.first.map { "\(outcomes.count).\($0.recordedAt.milliseconds)" } ?? "0"
    }

    /// When these outcomes, the newest first, can't be changed any more; nil when there are none.
    static func close(of outcomes: [Outcome]) -> Instant? {
        outcomes.last.map { $0.recordedAt + outcomeAge }
    }

    /// Records what was done about a violation.
    ///
    /// - Parameter fields: as `outcomes` takes them. `seen` is the version that its sender knew; without it whatever holds is
    ///   replaced.
    func recordOutcome(_ fields: Fields, by user: User) throws {
        let id = try fields.uuid("violation_id")
        guard let kind = fields["kind"].flatMap(Outcome.Kind.init(rawValue:)) else { throw ConsoleError.input }
        var fine: Double?
        if kind == .fined {
            guard let amount = fields["fine_amount"].flatMap(RupeeAmount.parse) else {
                throw ConsoleError(.unprocessableContent, "error_fine")
            }
            fine = amount
        }
        let notes = fields["notes"]
        guard (notes ?? "").count <= 1000 else { throw ConsoleError.tooLarge }
        guard try store.violation(id: id) != nil else { throw ConsoleError.notFound }
        let outcome = Outcome(kind: kind, fineAmount: fine, notes: notes, recordedBy: user.name, recordedAt: now)
        try outcomeGate.alone {
            let known = try store.outcomes(ofViolation: id)
            if let closes = Self.close(of: known), closes <= now { throw ConsoleError(.conflict, "error_closed") }
            if let seen = fields["seen"], seen != Self.version(of: known), let latest = known.first {
                // The same, sent twice by an impatient finger.
                guard latest.saysTheSame(as: outcome) else {
                    throw ConsoleError(
                        .conflict, "error_outcome_changed",
                        detail: "Somebody was faster: \(latest.recordedBy) recorded \(latest.kind.rawValue).")
                }
                return
            }
            try store.record(outcome, ofViolation: id)
        }
        try store.touch(alert: "violation/\(id.uuidString.lowercased())", by: user.name, at: now)
    }

    /// Outcomes as lines of a page: what, how much, notes, who and when.
    func lines(_ outcomes: [Outcome], _ texts: Texts) -> [[String: String]] {
        outcomes.map { outcome in
            [
                "text": texts["outcome_" + outcome.kind.rawValue],
                "fine": outcome.fineAmount.map { "Rs " + AlertView.number($0) } ?? "", "notes": outcome.notes ?? "",
                "by": texts(
                    "recorded_by",
                    ["name": outcome.recordedBy, "time": NepalTime.short(outcome.recordedAt, now: now)]),
            ]
        }
    }
}

extension Outcome {
    fileprivate func saysTheSame(as other: Outcome) -> Bool {
        kind == other.kind && fineAmount == other.fineAmount && notes == other.notes && recordedBy == other.recordedBy
    }
}
