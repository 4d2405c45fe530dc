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

extension RangerActions {
    /// Records what was done about a violation.
    ///
    /// - Parameters:
    ///   - fine: as it was typed; only for `fined`.
    ///   - seen: the version that its sender knew; nil replaces whatever holds.
    package func recordOutcome(
        of id: UUID, _ kind: Outcome.Kind, fine: String?, notes: String?, seen: String?, by ranger: String
    ) throws {
        let amount: Double?
        do { amount = try kind.fine(typed: fine) } catch {
            throw error == .noSum ? RangerRefusal.fine : RangerRefusal.fineElsewhere
        }
        guard (notes ?? "").count <= Self.longestNotes else { throw RangerRefusal.notes }
        guard let found = try store.violations.violation(id: id) else { throw RangerRefusal.unknownViolation }
        // Nobody is fined for what was taken back while the form was open.
        guard found.violation.state != .withdrawn else {
            throw RangerRefusal.gone(.violation)
        }
        let outcome = Outcome(kind: kind, fineAmount: amount, notes: notes, recordedBy: ranger, recordedAt: now)
        try outcomeGate.alone {
            let known = try store.violations.outcomes(ofViolation: id)
            if let closes = Outcome.changeableUntil(known), closes <= now { throw RangerRefusal.closed }
            if let seen, seen != Outcome.version(of: known), let latest = known.first {
                // The same, sent twice by an impatient finger.
                guard latest.saysTheSame(as: outcome) else { throw RangerRefusal.outcomeChanged(latest) }
                return
            }
            try store.violations.record(outcome, ofViolation: id)
        }
        try store.alerts.touch(
            alert: "violation/\(id.uuidString.lowercased())", AlertTouch(by: ranger, at: now, isSeen: true))
    }

    /// Closes the alert of a vehicle that is inside too long.
    package func dismiss(overstay id: Int64, reason: String, by ranger: String) throws {
        try store.alerts.dismiss(id: id, reason: try Self.reason(reason), by: ranger, at: now)
    }

    /// Says that two plates that look alike are two vehicles.
    package func reject(possibleMatch id: Int64, by ranger: String) throws {
        try store.matches.rejectPossible(id: id, by: ranger, at: now)
    }

    /// Takes that back: the two wait for a ranger's word again.
    package func restore(possibleMatch id: Int64) throws {
        try store.matches.restorePossible(id: id)
    }

    /// Says that two plates that look alike are one vehicle and that the other post read it right: this post's passage gets that
    /// plate, both versions are kept, and it is matched.
    package func accept(possibleMatch id: Int64, by ranger: String) throws -> Recorded {
        guard let match = try store.matches.possible(id: id)?.match else {
            throw RangerRefusal.gone(.possibleMatch(id))
        }
        let isOwnEntry = match.entry.checkpostCode == checkpostCode
        let own = isOwnEntry ? match.entry : match.exit
        let other = isOwnEntry ? match.exit : match.entry
        let passage = try store.passages.correct(
            clientID: own.clientID, to: other.plate.spelled(like: own.plate),
            reason: "One vehicle: \(other.checkpostCode) read it so.",
            by: ranger, at: now)
        return matched(passage)
    }
}
