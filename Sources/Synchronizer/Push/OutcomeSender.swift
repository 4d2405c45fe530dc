import Enforcement
import Foundation
import ParkAPI
import Storage

/// Sends what a ranger did about a violation.
struct OutcomeSender {
    let context: SyncContext

    func send(_ entry: QueueEntry) throws -> Parcel {
        guard let tokens = context.session.tokens, let dialect = context.dialect else {
            return Parcel(verdict: .unauthorised)
        }
        guard let id = entry.subjectID, let sending = try context.store.queue.outcome(id: id) else {
            return Parcel(verdict: .refused("The outcome is not in the database."))
        }
        guard let violation = sending.violationServerID else {
            return Parcel(verdict: .refused("The violation was withdrawn; the server has none to put the outcome to."))
        }
        let outcome = sending.outcome
        let row = dialect.upload(outcome, key: .init(violation: violation, recordedBy: tokens.userID))
        let reply = try context.exchange(.insert(row, RowQuery<OutcomeColumn>(), .tellRows))
        let verdict = Verdict(reply, identities: [OutcomeColumn.violation.rawValue], at: context.clock.now)
        guard verdict == .duplicate else { return Parcel(verdict: verdict) }
        return try replaceOutcome(of: violation, by: outcome, entry: entry)
    }

    /// The server has an outcome already: this one, sent before, an earlier one of this post, or somebody else's. The newest
    /// holds, if the server lets this post change it; what holds at the server is shown here, and ours stays as its history.
    private func replaceOutcome(of violation: UUID, by outcome: Outcome, entry: QueueEntry) throws -> Parcel {
        let (seen, theirs) = try atServer(of: violation)
        guard seen == .accepted else {
            return Parcel(verdict: seen == .unauthorised ? .unauthorised : .unwellOrSilent(seen))
        }
        let isOfAnother = theirs?.recordedBy != nil && theirs?.recordedBy != context.session.tokens?.userID
        if let theirs, isOfAnother, theirs.recordedAt > outcome.recordedAt {
            try adopt(theirs, inPlaceOf: entry)
            return Parcel(verdict: .accepted)
        }
        let refusal =
            isOfAnother
            ? "The server keeps the outcome of \(theirs?.author ?? "another"), of \(otherAccount): ask the warden to change it."
            : "The server no longer takes a change of this outcome; ask the warden."
        let parcel = try context.change(
            .update(
                RowQuery<OutcomeColumn>().whose(.violation, .equals(violation)),
                (context.dialect ?? .published).upload(outcome, key: nil)), orElse: refusal)
        if case .refused = parcel.verdict, let theirs { try adopt(theirs, inPlaceOf: entry) }
        return parcel
    }

    /// Whose an outcome is that isn't this account's. The server tells no post the accounts of others, but of which posts there are some.
    private var otherAccount: String {
        let others = context.place?.checkposts.map(\.code).filter { $0 != context.server.checkpostCode } ?? []
        return "the account of \((others + ["the warden"]).joined(separator: " or "))"
    }

    private func adopt(_ theirs: OutcomeRow, inPlaceOf entry: QueueEntry) throws {
        guard let outcome = theirs.outcome(account: context.session.tokens?.userID) else { return }
        try context.store.reconciliation.take([outcome], over: entry.id, at: context.clock.now)
    }

    /// The outcome that the server has of a violation; nil when it shows none. Where it can't be read, the verdict says why: what is
    /// not known must not be written over.
    private func atServer(of violation: UUID) throws -> (verdict: Verdict, outcome: OutcomeRow?) {
        let query = RowQuery<OutcomeColumn>().whose(.violation, .equals(violation)).telling(
            (context.dialect ?? .published).outcomes)
        let reply = try context.exchange(.read(query))
        let verdict = Verdict(reply, identities: [], at: context.clock.now)
        guard case .accepted = verdict, case .answered(let answer) = reply else { return (verdict, nil) }
        do { return (verdict, try answer.rows(OutcomeRow.self).first) } catch {
            return (.unwell(error.reason, retryAfter: nil), nil)
        }
    }
}
