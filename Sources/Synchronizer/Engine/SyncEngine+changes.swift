import Enforcement
import Foundation
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
        let body: [String: Any] = [
            "id": id.uuidString.lowercased(),
            "client_id": entry.passageClientID.uuidString.lowercased(),
            "sms_client_id": orNull(stored?.smsClientID?.uuidString.lowercased()),
            "plate_number": orNull(correction.newPlate?.compact), "reason": String(correction.reason.prefix(1000)),
            "acted_by": String(correction.actor.prefix(200)), "changed_at": correction.at.iso8601,
        ]
        let reply = try exchange(
            SyncRequest(
                .post, "/functions/v1/change-passage", body: try JSONSerialization.data(withJSONObject: body)))
        guard !isMissing(reply) else { return try change(entry, correction) }
        let verdict = Verdict(reply, identities: [], at: clock.now)
        guard case .accepted = verdict, case .answered(let answer) = reply else { return Parcel(verdict: verdict) }
        guard let fields = answer.json as? [String: Any], let isChanged = fields["changed"] as? Bool else {
            return Parcel(verdict: nonsense)
        }
        if !isChanged, correction.kind == .corrected, fields["reason"] as? String == "there is no such passage" {
            // It was deleted, or the server lost it: then it comes back in line together with its passage.
            try store.set(
                SyncCursor(name: SyncCursor.comparisonRequested, value: clock.now.milliseconds), at: clock.now)
            return Parcel(verdict: .refused("The server has no such passage any longer."))
        }
        if isChanged { try serverTook(change: id) }
        if correction.kind == .withdrawn {
            try store.takeBackViolations(ofPassage: entry.passageClientID, at: clock.now)
        }
        return Parcel(verdict: .accepted)
    }

    /// Whether the server lacks a function. Ours answers 404 for nothing else in these.
    private func isMissing(_ reply: ServerExchange) -> Bool {
        guard case .answered(let answer) = reply else { return false }
        return answer.status == 404 && answer.isWellFormed
    }

    /// Changes the row itself, at a server without the function.
    private func change(_ entry: QueueEntry, _ correction: PassageCorrection) throws -> Parcel {
        let query = [
            ("client_id", "eq.\(entry.passageClientID.uuidString.lowercased())"),
            ("select", "id,client_id,plate_number"),
        ]
        let found = try exchange(SyncRequest(.get, "/rest/v1/vehicle_passages", query: query))
        let verdict = Verdict(found, identities: [], at: clock.now)
        guard case .accepted = verdict, case .answered(let answer) = found else { return Parcel(verdict: verdict) }
        guard let rows = answer.json as? [[String: Any]] else { return Parcel(verdict: nonsense) }
        guard let plate = rows.first?["plate_number"] as? String else {
            // It was withdrawn before it was sent, or the warden deleted it.
            let isWithdrawn = correction.kind == .withdrawn
            return Parcel(verdict: isWithdrawn ? .accepted : .refused("The server has no such passage any longer."))
        }
        guard let newPlate = correction.newPlate else {
            return try change(
                SyncRequest(
                    .delete, "/rest/v1/vehicle_passages", query: query, headers: ["Prefer": "return=representation"]),
                orElse: "The server keeps this passage: ask the warden to delete it.")
        }
        if Plate(server: plate) == newPlate { return Parcel(verdict: .accepted) }
        return try change(
            SyncRequest(
                .patch, "/rest/v1/vehicle_passages", query: query, headers: ["Prefer": "return=representation"],
                body: try JSONSerialization.data(withJSONObject: ["plate_number": newPlate.compact])),
            orElse: "The server keeps the old plate: ask the warden to correct it to \(newPlate.canonical).")
    }

    func sendOutcome(_ entry: QueueEntry) throws -> Parcel {
        guard let tokens else { return Parcel(verdict: .unauthorised) }
        guard let id = entry.subjectID, let sending = try store.outcomeToSend(id: id) else {
            return Parcel(verdict: .refused("The outcome is not in the database."))
        }
        guard let violation = sending.violationServerID?.uuidString.lowercased() else {
            return Parcel(verdict: .refused("The violation was withdrawn; the server has none to put the outcome to."))
        }
        let outcome = sending.outcome
        var fields: [String: Any] = [
            "outcome_type": outcome.kind.rawValue, "fine_amount": orNull(outcome.fineAmount),
            "notes": orNull(outcome.notes.map { String($0.prefix(4000)) }),
        ]
        if isExtended != false { fields["acted_by"] = String(outcome.recordedBy.prefix(200)) }
        var row = fields
        row["violation_id"] = violation
        row["recorded_by"] = tokens.userID.uuidString.lowercased()
        row["recorded_at"] = outcome.recordedAt.iso8601
        let reply = try exchange(
            SyncRequest(
                .post, "/rest/v1/violation_outcomes", headers: ["Prefer": "return=representation"],
                body: try JSONSerialization.data(withJSONObject: row)))
        let verdict = Verdict(reply, identities: ["violation_id"], at: clock.now)
        guard verdict == .duplicate else { return Parcel(verdict: verdict) }
        return try replaceOutcome(of: violation, by: outcome, as: fields, entry: entry)
    }

    /// The server has an outcome already: this one, sent before, an earlier one of this post, or somebody else's. The newest
    /// holds, if the server lets this post change it; what holds at the server is shown here, and ours stays as its history.
    private func replaceOutcome(
        of violation: String, by outcome: Outcome, as fields: [String: Any], entry: QueueEntry
    ) throws -> Parcel {
        let (seen, theirs) = try outcomeAtServer(of: violation)
        guard seen == .accepted else {
            return Parcel(verdict: seen == .unauthorised ? .unauthorised : .unwellOrSilent(seen))
        }
        let isOfAnother = theirs?.recorded_by != nil && theirs?.recorded_by != tokens?.userID
        if let theirs, isOfAnother, theirs.recorded_at.instant > outcome.recordedAt {
            try adopt(theirs, inPlaceOf: entry)
            return Parcel(verdict: .accepted)
        }
        let refusal =
            isOfAnother
            ? "The server keeps the outcome of \(theirs?.author ?? "another"), of \(otherAccount): ask the warden to change it."
            : "The server no longer takes a change of this outcome; ask the warden."
        let parcel = try change(
            SyncRequest(
                .patch, "/rest/v1/violation_outcomes", query: [("violation_id", "eq.\(violation)")],
                headers: ["Prefer": "return=representation"],
                body: try JSONSerialization.data(withJSONObject: fields)), orElse: refusal)
        if case .refused = parcel.verdict, let theirs { try adopt(theirs, inPlaceOf: entry) }
        return parcel
    }

    /// Whose an outcome is that isn't this account's. The server tells no post the accounts of others, but of which posts there are some.
    private var otherAccount: String {
        let others = place?.checkposts.map(\.code).filter { $0 != server.checkpostCode } ?? []
        return "the account of \((others + ["the warden"]).joined(separator: " or "))"
    }

    private func adopt(_ theirs: ServerRows.Outcome, inPlaceOf entry: QueueEntry) throws {
        guard let outcome = theirs.outcome else { return }
        try store.take([outcome], over: entry.id, at: clock.now)
    }

    func sendDismissal(_ entry: QueueEntry) throws -> Parcel {
        guard let id = entry.subjectID, let dismissal = try store.dismissal(ofAlert: id) else {
            return Parcel(verdict: .refused("The dismissal is not in the database."))
        }
        let body: [String: Any] = [
            "client_id": entry.passageClientID.uuidString.lowercased(), "resolved_at": dismissal.at.iso8601,
            "reason": orNull(dismissal.reason.map { String($0.prefix(1000)) }),
            "acted_by": orNull(dismissal.by.map { String($0.prefix(200)) }),
        ]
        let reply = try exchange(
            SyncRequest(.post, "/functions/v1/resolve-alert", body: try JSONSerialization.data(withJSONObject: body)))
        guard isMissing(reply) else { return Parcel(verdict: Verdict(reply, identities: [], at: clock.now)) }
        return try resolve(entry, at: dismissal.at)
    }

    /// Closes the row itself, at a server without the function.
    private func resolve(_ entry: QueueEntry, at dismissedAt: Instant) throws -> Parcel {
        guard let passage = try store.passage(clientID: entry.passageClientID)?.serverID else {
            return Parcel(verdict: .refused("The server knows no passage of this alert."))
        }
        let query = [("entry_passage_id", "eq.\(passage.uuidString.lowercased())"), ("select", "id,resolved")]
        let found = try exchange(SyncRequest(.get, "/rest/v1/proactive_overstay_alerts", query: query))
        let verdict = Verdict(found, identities: [], at: clock.now)
        guard case .accepted = verdict, case .answered(let answer) = found else { return Parcel(verdict: verdict) }
        guard let rows = answer.json as? [[String: Any]] else { return Parcel(verdict: nonsense) }
        // The server has raised no alert of its own, or has closed it: there is nothing to dismiss.
        guard let row = rows.first, row["resolved"] as? Bool != true else { return Parcel(verdict: .accepted) }
        return try change(
            SyncRequest(
                .patch, "/rest/v1/proactive_overstay_alerts", query: query,
                headers: ["Prefer": "return=representation"],
                body: try JSONSerialization.data(
                    withJSONObject: ["resolved": true, "resolved_at": dismissedAt.iso8601] as [String: Any])),
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
        if let rows = answer.json as? [Any], rows.isEmpty { return Parcel(verdict: .refused(refusal)) }
        return Parcel(verdict: .accepted)
    }
}
