import Enforcement
import Foundation
import ParkAPI
import Storage

/// Sends what a ranger corrected or withdrew of a passage that is at the server already.
struct CorrectionSender {
    let context: SyncContext
    let taken: TakenRecords

    func send(_ entry: QueueEntry) throws -> Parcel {
        let corrections = try context.store.passages.corrections(ofPassage: entry.passageClientID)
        guard let correction = corrections.first(where: { $0.id == entry.subjectID }) else {
            return Parcel(verdict: .refused("The correction is not in the database."))
        }
        // A later one says what holds; the passage as it was sent may say it as well.
        guard corrections.lastThatHolds?.id == correction.id else { return Parcel(verdict: .accepted) }
        let stored = try context.store.passages.passage(clientID: entry.passageClientID)
        let id = context.server.stableID("\(correction.id) \(entry.passageClientID) \(correction.at.milliseconds)")
        let reply = try context.exchange(
            FunctionCall(
                .changePassage,
                PassageChange(
                    id: id, clientID: entry.passageClientID, smsClientID: stored?.smsClientID,
                    plate: correction.newPlate, reason: correction.reason, actedBy: correction.actor,
                    changedAt: correction.at)))
        guard !reply.isMissing else { return try change(entry, correction) }
        let verdict = Verdict(reply, identities: [], at: context.clock.now)
        guard case .accepted = verdict, case .answered(let answer) = reply else { return Parcel(verdict: verdict) }
        guard let change = answer.object(ChangeAnswer.self) else { return Parcel(verdict: .nonsense) }
        if !change.changed, correction.kind == .corrected, change.reason == ChangeAnswer.noSuchPassage {
            // It was deleted, or the server lost it: then it comes back in line together with its passage.
            try context.store.cursors.set(
                SyncCursor(name: SyncCursor.comparisonRequested, value: context.clock.now.milliseconds),
                at: context.clock.now)
            return Parcel(verdict: .refused("The server has no such passage any longer."))
        }
        if change.changed { try taken.took(change: id) }
        if correction.kind == .withdrawn {
            try context.store.reconciliation.takeBackViolations(ofPassage: entry.passageClientID, at: context.clock.now)
        }
        return Parcel(verdict: .accepted)
    }

    /// Changes the row itself, at a server without the function.
    private func change(_ entry: QueueEntry, _ correction: PassageCorrection) throws -> Parcel {
        let query = RowQuery<PassageColumn>().whose(.clientID, .equals(entry.passageClientID)).telling([
            .id, .clientID, .plate,
        ])
        let found = try context.exchange(.read(query))
        let verdict = Verdict(found, identities: [], at: context.clock.now)
        guard case .accepted = verdict, case .answered(let answer) = found else { return Parcel(verdict: verdict) }
        guard let rows = try? answer.rows(KnownPassageRow.self) else { return Parcel(verdict: .nonsense) }
        guard let plate = rows.first?.plate else {
            // It was withdrawn before it was sent, or the warden deleted it.
            let isWithdrawn = correction.kind == .withdrawn
            return Parcel(verdict: isWithdrawn ? .accepted : .refused("The server has no such passage any longer."))
        }
        guard let newPlate = correction.newPlate else {
            return try context.change(
                .delete(query), orElse: "The server keeps this passage: ask the warden to delete it.")
        }
        if Plate(told: plate) == newPlate { return Parcel(verdict: .accepted) }
        return try context.change(
            .update(query, PassagePatch.plate(newPlate)),
            orElse: "The server keeps the old plate: ask the warden to correct it to \(newPlate.canonical).")
    }
}
