import Enforcement
import Foundation
import ParkAPI
import Storage

/// Corrections, outcomes and dismissals: what changes rows that are at the server already.
extension SyncEngine {
    func sendCorrection(_ entry: QueueEntry) throws -> Parcel {
        let corrections = try store.corrections(ofPassage: entry.passageClientID)
        guard let correction = corrections.first(where: { $0.id == entry.subjectID }) else {
            return Parcel(verdict: .refused("The correction is not in the database."))
        }
        // A later one says what holds; the passage as it was sent may say it as well.
        let isLast = corrections.last?.id == correction.id
        guard isLast else { return Parcel(verdict: .accepted) }
        let stored = try store.passage(clientID: entry.passageClientID)
        let id = stableID("\(correction.id) \(entry.passageClientID) \(correction.at.milliseconds)")
        let reply = try exchange(
            Call(
                .changePassage,
                PassageChange(
                    id: id, clientID: entry.passageClientID, smsClientID: stored?.smsClientID,
                    plate: correction.newPlate, reason: correction.reason, actedBy: correction.actor,
                    changedAt: correction.at)))
        guard !reply.isMissing else { return try change(entry, correction) }
        let verdict = Verdict(reply, identities: [], at: clock.now)
        guard case .accepted = verdict, case .answered(let answer) = reply else { return Parcel(verdict: verdict) }
        guard let change = answer.object(ChangeAnswer.self) else { return Parcel(verdict: nonsense) }
        if !change.changed, correction.kind == .corrected, change.reason == ChangeAnswer.noSuchPassage {
            // It was deleted, or the server lost it: then it comes back in line together with its passage.
            try store.set(
                SyncCursor(name: SyncCursor.comparisonRequested, value: clock.now.milliseconds), at: clock.now)
            return Parcel(verdict: .refused("The server has no such passage any longer."))
        }
        if change.changed { try serverTook(change: id) }
        if correction.kind == .withdrawn {
            try store.takeBackViolations(ofPassage: entry.passageClientID, at: clock.now)
        }
        return Parcel(verdict: .accepted)
    }

    /// Changes the row itself, at a server without the function.
    private func change(_ entry: QueueEntry, _ correction: PassageCorrection) throws -> Parcel {
        let query = RowQuery<PassageColumn>().whose(.clientID, .equals(entry.passageClientID))
            .telling([.id, .clientID, .plate])
        let found = try exchange(.read(query))
        let verdict = Verdict(found, identities: [], at: clock.now)
        guard case .accepted = verdict, case .answered(let answer) = found else { return Parcel(verdict: verdict) }
        guard let rows = try? answer.rows(KnownPassageRow.self) else { return Parcel(verdict: nonsense) }
        guard let plate = rows.first?.plate else {
            // It was withdrawn before it was sent, or the warden deleted it.
            let isWithdrawn = correction.kind == .withdrawn
            return Parcel(verdict: isWithdrawn ? .accepted : .refused("The server has no such passage any longer."))
        }
        guard let newPlate = correction.newPlate else {
            return try change(
                .delete(query), orElse: "The server keeps this passage: ask the warden to delete it.")
        }
        if Plate(told: plate) == newPlate { return Parcel(verdict: .accepted) }
        return try change(
            .update(query, PassagePatch.plate(newPlate)),
            orElse: "The server keeps the old plate: ask the warden to correct it to \(newPlate.canonical).")
    }

    func sendOutcome(_ entry: QueueEntry) throws -> Parcel {
        guard let tokens, let dialect else { return Parcel(verdict: .unauthorised) }
        guard let id = entry.subjectID, let sending = try store.outcomeToSend(id: id) else {
            return Parcel(verdict: .refused("The outcome is not in the database."))
        }
        guard let violation = sending.violationServerID else {
            return Parcel(verdict: .refused("The violation was withdrawn; the server has none to put the outcome to."))
        }
        let outcome = sending.outcome
        let row = dialect.upload(outcome, key: .init(violation: violation, recordedBy: tokens.userID))
        let reply = try exchange(.insert(row, RowQuery<OutcomeColumn>(), .tellRows))
        let verdict = Verdict(reply, identities: [OutcomeColumn.violation.rawValue], at: clock.now)
        guard verdict == .duplicate else { return Parcel(verdict: verdict) }
        return try replaceOutcome(of: violation, by: outcome, entry: entry)
    }

    /// The server has an outcome already: this one, sent before, an earlier one of this post, or somebody else's. The newest
    /// holds, if the server lets this post change it; what holds at the server is shown here, and ours stays as its history.
    private func replaceOutcome(
        of violation: UUID, by outcome: Outcome, entry: QueueEntry
    ) throws -> Parcel {
        let (seen, theirs) = try outcomeAtServer(of: violation)
        guard seen == .accepted else {
            return Parcel(verdict: seen == .unauthorised ? .unauthorised : .unwellOrSilent(seen))
        }
        let isOfAnother = theirs?.recordedBy != nil && theirs?.recordedBy != tokens?.userID
        if let theirs, isOfAnother, theirs.recordedAt > outcome.recordedAt {
            try adopt(theirs, inPlaceOf: entry)
            return Parcel(verdict: .accepted)
        }
        let refusal =
            isOfAnother
            ? "The server keeps the outcome of \(theirs?.author ?? "another"), of \(otherAccount): ask the warden to change it."
            : "The server no longer takes a change of this outcome; ask the warden."
        let parcel = try change(
            .update(
                RowQuery<OutcomeColumn>().whose(.violation, .equals(violation)),
                (dialect ?? .published).upload(outcome, key: nil)), orElse: refusal)
        if case .refused = parcel.verdict, let theirs { try adopt(theirs, inPlaceOf: entry) }
        return parcel
    }

    /// Whose an outcome is that isn't this account's. The server tells no post the accounts of others, but of which posts there are some.
    private var otherAccount: String {
        let others = place?.checkposts.map(\.code).filter { $0 != server.checkpostCode } ?? []
        return "the account of \((others + ["the warden"]).joined(separator: " or "))"
    }

    private func adopt(_ theirs: OutcomeRow, inPlaceOf entry: QueueEntry) throws {
        guard let outcome = theirs.outcome else { return }
        try store.take([outcome], over: entry.id, at: clock.now)
    }

    func sendDismissal(_ entry: QueueEntry) throws -> Parcel {
        guard let id = entry.subjectID, let dismissal = try store.dismissal(ofAlert: id) else {
            return Parcel(verdict: .refused("The dismissal is not in the database."))
        }
        let reply = try exchange(
            Call(
                .resolveAlert,
                AlertDismissal(
                    clientID: entry.passageClientID, resolvedAt: dismissal.at, reason: dismissal.reason,
                    actedBy: dismissal.by)))
        guard reply.isMissing else { return Parcel(verdict: Verdict(reply, identities: [], at: clock.now)) }
        return try resolve(entry, at: dismissal.at)
    }

    /// Closes the row itself, at a server without the function.
    private func resolve(_ entry: QueueEntry, at dismissedAt: Instant) throws -> Parcel {
        guard let passage = try store.passage(clientID: entry.passageClientID)?.serverID else {
            return Parcel(verdict: .refused("The server knows no passage of this alert."))
        }
        let query = RowQuery<AlertColumn>().whose(.entry, .equals(passage)).telling([.id, .isResolved])
        let found = try exchange(.read(query))
        let verdict = Verdict(found, identities: [], at: clock.now)
        guard case .accepted = verdict, case .answered(let answer) = found else { return Parcel(verdict: verdict) }
        guard let rows = try? answer.rows(AlertStateRow.self) else { return Parcel(verdict: nonsense) }
        // The server has raised no alert of its own, or has closed it: there is nothing to dismiss.
        guard let row = rows.first, row.isResolved != true else { return Parcel(verdict: .accepted) }
        return try change(
            .update(query, AlertPatch(resolvedAt: dismissedAt)),
            orElse: "The server keeps its overstay alert open: tell the warden that it was dismissed.")
    }

    private var nonsense: Verdict { .unwell("the server's answer is no list of rows", retryAfter: nil) }

    /// Sends a change that row level security may quietly ignore: then no row comes back.
    private func change(_ request: SyncRequest, orElse refusal: String) throws -> Parcel {
        let reply = try exchange(request)
        let verdict = Verdict(reply, identities: [], at: clock.now)
        // These rights are the role's and not the account's: nothing is gained by looking at the account.
        if case .forbidden(let reason) = verdict { return Parcel(verdict: .refused("\(refusal) (\(reason))")) }
        guard case .accepted = verdict, case .answered(let answer) = reply else { return Parcel(verdict: verdict) }
        if answer.isEmptyList { return Parcel(verdict: .refused(refusal)) }
        return Parcel(verdict: .accepted)
    }
}
