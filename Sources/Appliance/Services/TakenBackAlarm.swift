import Enforcement
import Foundation
import Storage
import Synchronization

/// Tells the ranger when a violation falls away that a driver was fined or warned for: the other post, the warden or a colleague
/// corrected a passage. Nobody else would know that there is something to put right.
struct TakenBackAlarm {
    static let alarm = "outcome"

    /// So long it is told.
    static let toldFor = TimeSpan.days(7)

    /// What is told follows what is on record: an alarm that could not be written is tried again with the next round.
    func look(in store: Store, _ alarms: AlarmBoard, at now: Instant) throws {
        let found = try store.violations.takenBackThoughActedOn(since: now - Self.toldFor)
        let onRecord = try store.alarms.list().first { $0.key == Self.alarm }
        guard let last = found.first, let text = Self.text(last, others: found.count - 1) else {
            if onRecord != nil { alarms.clear(Self.alarm) }
            return
        }
        guard onRecord?.message != text else { return }
        alarms.log.warning("a violation that was acted on doesn't hold any more", metadata: ["alarm": "\(text)"])
        alarms.raise(
            Self.alarm, .warning, text,
            hint:
                "Look at the plate in History, ask the other post or the warden why, and put it right with the driver.")
    }

    private static func text(_ violation: StoredViolation, others: Int) -> String? {
        guard let outcome = violation.outcome else { return nil }
        let done =
            switch outcome.kind {
            case .fined: "was fined \(outcome.fineAmount.map(Outcome.sum) ?? "some") rupees"
            case .warned: "was warned"
            case .other, .letGo, .notFound: "was stopped"
            }
        let more = others > 0 ? " So it is with \(Wording.count(others, "other vehicle"))." : ""
        return
            "\(violation.violation.plate) \(done) by \(outcome.recordedBy), and the violation doesn't hold any more: one of its passages was "
            + "corrected or taken back.\(more)"
    }
}
