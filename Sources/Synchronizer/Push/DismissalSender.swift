import Enforcement
import Foundation
import ParkAPI
import Storage

/// Sends that an overstay alert was dismissed.
struct DismissalSender {
    let context: SyncContext

    func send(_ entry: QueueEntry) throws -> Parcel {
        guard let id = entry.subjectID, let dismissal = try context.store.queue.dismissal(ofAlert: id) else {
            return Parcel(verdict: .refused("The dismissal is not in the database."))
        }
        let reply = try context.exchange(
            FunctionCall(
                .resolveAlert,
                AlertDismissal(
                    clientID: entry.passageClientID, resolvedAt: dismissal.at, reason: dismissal.reason,
                    actedBy: dismissal.by)))
        guard reply.isMissing else { return Parcel(verdict: Verdict(reply, identities: [], at: context.clock.now)) }
        return try resolve(entry, at: dismissal.at)
    }

    /// Closes the row itself, at a server without the function.
    private func resolve(_ entry: QueueEntry, at dismissedAt: Instant) throws -> Parcel {
        guard let passage = try context.store.passages.passage(clientID: entry.passageClientID)?.serverID else {
            return Parcel(verdict: .refused("The server knows no passage of this alert."))
        }
        let query = RowQuery<AlertColumn>().whose(.entry, .equals(passage)).telling([.id, .isResolved])
        let found = try context.exchange(.read(query))
        let verdict = Verdict(found, identities: [], at: context.clock.now)
        guard case .accepted = verdict, case .answered(let answer) = found else { return Parcel(verdict: verdict) }
        guard let rows = try? answer.rows(AlertStateRow.self) else { return Parcel(verdict: .nonsense) }
        // The server has raised no alert of its own, or has closed it: there is nothing to dismiss.
        guard let row = rows.first, row.isResolved != true else { return Parcel(verdict: .accepted) }
        return try context.change(
            .update(query, AlertPatch(resolvedAt: dismissedAt)),
            orElse: "The server keeps its overstay alert open: tell the warden that it was dismissed.")
    }
}
