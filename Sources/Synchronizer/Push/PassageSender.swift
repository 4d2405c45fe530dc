import Enforcement
import Foundation
import ParkAPI
import Storage

/// Sends passages, one by one or several in one request.
struct PassageSender {
    let context: SyncContext

    private static let identities = PassageColumn.identities.map(\.rawValue)
    private static let identityColumns: [PassageColumn] = [.id, .clientID, .match]

    func send(_ entry: QueueEntry) throws -> Parcel {
        guard let stored = try context.store.passages.passage(clientID: entry.passageClientID) else {
            return Parcel(verdict: .refused("The passage is not in the database."))
        }
        // What was none must not match a vehicle at the server. Nothing is lost: it stays on record here.
        if stored.withdrawnAt != nil { return Parcel(verdict: .accepted) }
        let reply = try context.exchange(
            .insert(row(of: stored), RowQuery<PassageColumn>().telling(Self.identityColumns), .tellRows))
        let verdict = Verdict(reply, identities: Self.identities, at: context.clock.now)
        if case .unwell = verdict, case .answered(let answer) = reply, answer.status == 409 {
            // A conflict of which the answer doesn't say with what: one looks whether the passage is there.
            let found = try confirm(stored, verdict: .duplicate)
            return found.facts.isEmpty ? Parcel(verdict: verdict) : found
        }
        guard verdict == .accepted || verdict == .duplicate else { return Parcel(verdict: verdict) }
        if case .answered(let answer) = reply, let row = identities(in: answer)[entry.passageClientID] {
            return Parcel(verdict: verdict, facts: [entry.passageClientID: row])
        }
        return try confirm(stored, verdict: verdict)
    }

    /// The server says that it has a passage, without showing it: one looks, since its row id names the photo.
    private func confirm(_ stored: StoredPassage, verdict: Verdict) throws -> Parcel {
        for column in try context.chosenDialect.identities {
            guard let id = column == .clientID ? stored.passage.clientID : stored.smsClientID else { continue }
            let reply = try context.exchange(
                .read(RowQuery<PassageColumn>().whose(column, .equals(id)).telling(Self.identityColumns)))
            let found = Verdict(reply, identities: [], at: context.clock.now)
            guard case .accepted = found, case .answered(let answer) = reply else {
                if case .refused = found { continue }
                return Parcel(verdict: found == .unauthorised ? .unauthorised : .unwellOrSilent(found))
            }
            if let row = identities(in: answer).values.first {
                return Parcel(verdict: verdict, facts: [stored.passage.clientID: row])
            }
        }
        // Taken without a trace is not taken. A duplicate is one of another account, which is not shown: it is there.
        guard verdict == .duplicate else {
            return Parcel(verdict: .unwell("the server took the passage but does not have it", retryAfter: nil))
        }
        return Parcel(verdict: .duplicate)
    }

    /// Passages in one request; those that the server has already are looked for.
    func send(_ entries: [QueueEntry]) throws -> Parcel {
        let stored = try entries.compactMap { try context.store.passages.passage(clientID: $0.passageClientID) }
        let alive = stored.filter { $0.withdrawnAt == nil }
        let gone = Set(stored.filter { $0.withdrawnAt != nil }.map(\.passage.clientID))
        var facts: [UUID: ServerFacts] = [:]
        if !alive.isEmpty {
            let reply = try context.exchange(
                .insert(
                    alive.map(row), RowQuery<PassageColumn>().onConflict([.clientID]).telling(Self.identityColumns),
                    .tellRowsAndSkipKnown))
            let verdict = Verdict(reply, identities: Self.identities, at: context.clock.now)
            guard case .accepted = verdict, case .answered(let answer) = reply else { return Parcel(verdict: verdict) }
            facts = identities(in: answer)
            let missing = alive.map(\.passage.clientID).filter { facts[$0] == nil }
            if !missing.isEmpty { facts.merge(try lookUp(missing)) { old, _ in old } }
        }
        let confirmed = entries.filter { facts[$0.passageClientID] != nil || gone.contains($0.passageClientID) }
        return Parcel(verdict: .accepted, confirmed: Set(confirmed.map(\.id)), facts: facts)
    }

    /// Those of a batch that the server left out, because it had them: one looks for each.
    private func lookUp(_ clientIDs: [UUID]) throws -> [UUID: ServerFacts] {
        let reply = try context.exchange(
            .read(RowQuery<PassageColumn>().whose(.clientID, .isAmong(clientIDs)).telling(Self.identityColumns)))
        guard case .answered(let answer) = reply, answer.status == 200 else { return [:] }
        return identities(in: answer)
    }

    private func identities(in answer: ServerAnswer) -> [UUID: ServerFacts] {
        let rows = (try? answer.rows(KnownPassageRow.self)) ?? []
        let facts = rows.map { ($0.clientID, ServerFacts(serverID: $0.id, matchedServerID: nil)) }
        return Dictionary(facts, uniquingKeysWith: { first, _ in first })
    }

    private func row(of stored: StoredPassage) throws -> PassageUpload {
        let passage = stored.passage
        guard let place = context.place, let tokens = context.session.tokens, let segment = place.segment.id else {
            throw CycleEnd("The server has not told where \(context.server.checkpostCode) stands.")
        }
        guard let checkpost = place.id(of: passage.checkpostCode) else {
            let known = place.checkposts.map(\.code).joined(separator: " and ")
            throw Unsendable(
                reason:
                    "it was recorded at \(passage.checkpostCode), and the server's posts of this road are \(known). "
                    + "Where it is this post, `checkpost queue retry --recorded-here` with its number sends it as such")
        }
        return try context.chosenDialect.upload(
            passage, smsClientID: stored.smsClientID, checkpost: checkpost, segment: segment, ranger: tokens.userID)
    }
}
