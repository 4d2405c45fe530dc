import Enforcement
import Foundation
import Storage

/// Sending what waits, in order.
extension SyncEngine {
    /// A cycle sends at most so many entries; the next one goes on.
    static let maximumEntriesACycle = 20_000

    /// - Returns: when the first entry may be tried again; nil when nothing waits for a time.
    /// - Throws: `CycleEnd`, or `StoreError`; what was under way then is back in line, or comes back with the next tick.
    func push() throws -> Instant? {
        do {
            return try pushInOrder()
        } catch {
            mayHoldOrphans = true
            throw error
        }
    }

    private func pushInOrder() throws -> Instant? {
        for _ in 0..<Self.maximumEntriesACycle {
            let entries = try store.waitingToSend(limit: max(1, settings.queue.batchSize))
            guard !entries.isEmpty else { return nil }
            let byID = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            let flow = try perform(handle(.offered(entries.map(SyncEntry.init))), entries: byID)
            if case .wait(let moment) = flow { return moment }
        }
        return clock.now
    }

    enum Flow: Equatable {
        case again
        case wait(Instant)
    }

    /// Performs actions, and those that follow from them.
    ///
    /// - Throws: `CycleEnd` when the link is down or the account is refused.
    @discardableResult
    func perform(_ actions: [SyncQueue.Action], entries: [Int64: QueueEntry] = [:]) throws -> Flow {
        var todo = actions
        var facts: [UUID: ServerFacts] = [:]
        var ending: CycleEnd?
        while !todo.isEmpty {
            switch todo.removeFirst() {
            case .write(let changed):
                let changes = changed.compactMap { change in entries[change.id].map { change.applied(to: $0) } }
                // Before it counts as sent: after a kill in between it is sent again.
                if let last = changes.last(where: { $0.status == .synced }).flatMap({
                    facts[$0.passageClientID]?.serverID
                }) {
                    try serverTook(passage: last)
                }
                try store.update(changes, learning: facts)
                facts = [:]
                counts.pushed += changes.count { $0.status == .synced }
            case .send(let sent):
                let parcel = try send(sent.compactMap { entries[$0.id] })
                facts = parcel.facts
                todo += try handle(.answered(parcel.verdict, confirmed: parcel.confirmed))
            case .recover: try store.recoverInFlight()
            case .signIn: todo += try signInAgain()
            case .checkAccount: todo += try accountCheck()
            case .revive(let except): try store.reviveFailed(except: except)
            case .next: break
            case .wait(let moment): return .wait(moment)
            case .endCycle(let reason): ending = CycleEnd(reason)
            case .raiseAlarm(let reason):
                try store.raiseAlarm(
                    "sync.account", .critical, "Nothing is sent to the server: \(reason)",
                    hint: "Correct the account, or `server` in the configuration; then run `checkpost sync --now`.",
                    at: clock.now)
            case .clearAlarm: try store.clearAlarm("sync.account", at: clock.now)
            }
        }
        if let ending { throw ending }
        return .again
    }

    private func accountCheck() throws -> [SyncQueue.Action] {
        do {
            return try handle(.accountChecked(problem: try accountProblem()))
        } catch let end as CycleEnd {
            // It can't be found out now. The entry stays in line, and its turn comes again.
            let back = try handle(.answered(.unwell(end.reason, retryAfter: nil)))
            return back + [.endCycle(end.reason)]
        }
    }

    /// What came of sending entries.
    struct Parcel {
        var verdict: Verdict
        var confirmed: Set<Int64> = []
        var facts: [UUID: ServerFacts] = [:]
    }

    /// - Throws: `CycleEnd`, or `StoreError` when the database fails. Whatever else goes wrong lies with what is sent.
    private func send(_ entries: [QueueEntry]) throws -> Parcel {
        do {
            return try post(entries)
        } catch let end as CycleEnd {
            throw end
        } catch let error as StoreError where ![.unreadable, .refused, .unknown].contains(error.kind) {
            throw error
        } catch {
            let reason = (error as? StoreError)?.message ?? (error as? Unsendable)?.reason ?? "\(error)"
            return Parcel(verdict: .unsendable("the box can't send this: \(reason)"))
        }
    }

    /// Why the box can't write a record as a request.
    struct Unsendable: Error {
        var reason: String
    }

    private func post(_ entries: [QueueEntry]) throws -> Parcel {
        guard entries.count == 1, let entry = entries.first else { return try sendBatch(entries) }
        switch entry.entity {
        case .passage: return try sendPassage(entry)
        case .outcome: return try sendOutcome(entry)
        case .correction: return try sendCorrection(entry)
        case .alert: return try sendDismissal(entry)
        }
    }
}

/// Passages.
extension SyncEngine {
    private static let identities = ["client_id", "sms_client_id"]
    private static let identityColumns = "id,client_id,matched_passage_id"

    private func sendPassage(_ entry: QueueEntry) throws -> Parcel {
        guard let stored = try store.passage(clientID: entry.passageClientID) else {
            return Parcel(verdict: .refused("The passage is not in the database."))
        }
        // What was none must not match a vehicle at the server. Nothing is lost: it stays on record here.
        if stored.withdrawnAt != nil { return Parcel(verdict: .accepted) }
        let reply = try exchange(
            SyncRequest(
                .post, "/rest/v1/vehicle_passages", query: [("select", Self.identityColumns)],
                headers: ["Prefer": "return=representation"], body: try body(of: [stored], isList: false)))
        let verdict = Verdict(reply, identities: Self.identities, at: clock.now)
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
        var lookups = [("client_id", stored.passage.clientID)]
        if isExtended != false, let id = stored.smsClientID { lookups.append(("sms_client_id", id)) }
        for (column, id) in lookups {
            let reply = try exchange(
                SyncRequest(
                    .get, "/rest/v1/vehicle_passages",
                    query: [(column, "eq.\(id.uuidString.lowercased())"), ("select", Self.identityColumns)]))
            let found = Verdict(reply, identities: [], at: clock.now)
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

    private func sendBatch(_ entries: [QueueEntry]) throws -> Parcel {
        let stored = try entries.compactMap { try store.passage(clientID: $0.passageClientID) }
        let alive = stored.filter { $0.withdrawnAt == nil }
        let gone = Set(stored.filter { $0.withdrawnAt != nil }.map(\.passage.clientID))
        var facts: [UUID: ServerFacts] = [:]
        if !alive.isEmpty {
            let reply = try exchange(
                SyncRequest(
                    .post, "/rest/v1/vehicle_passages",
                    query: [("on_conflict", "client_id"), ("select", Self.identityColumns)],
                    headers: ["Prefer": "return=representation,resolution=ignore-duplicates"],
                    body: try body(of: alive, isList: true)))
            let verdict = Verdict(reply, identities: Self.identities, at: clock.now)
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
        let list = clientIDs.map { $0.uuidString.lowercased() }.joined(separator: ",")
        let reply = try exchange(
            SyncRequest(
                .get, "/rest/v1/vehicle_passages",
                query: [("client_id", "in.(\(list))"), ("select", Self.identityColumns)]))
        guard case .answered(let answer) = reply, answer.status == 200 else { return [:] }
        return identities(in: answer)
    }

    private func identities(in answer: ServerAnswer) -> [UUID: ServerFacts] {
        let rows = (try? JSONDecoder().decode([ServerRows.Identity].self, from: answer.body)) ?? []
        let facts = rows.map { ($0.client_id, ServerFacts(serverID: $0.id, matchedServerID: nil)) }
        return Dictionary(facts, uniquingKeysWith: { first, _ in first })
    }

    private func body(of passages: [StoredPassage], isList: Bool) throws -> Data {
        let rows = try passages.map(row)
        return try JSONSerialization.data(withJSONObject: isList ? rows : rows[0], options: [.sortedKeys])
    }

    /// A passage as the server's columns. All rows have the same keys, as a list insert demands.
    private func row(of stored: StoredPassage) throws -> [String: Any] {
        let passage = stored.passage
        guard let place, let tokens, let segment = place.segment.id else {
            throw CycleEnd("The server has not told where \(server.checkpostCode) stands.")
        }
        guard let checkpost = place.checkposts.first(where: { $0.code == passage.checkpostCode })?.id else {
            let known = place.checkposts.map(\.code).joined(separator: " and ")
            throw Unsendable(
                reason:
                    "it was recorded at \(passage.checkpostCode), and the server's posts of this road are \(known). "
                    + "Where it is this post, `checkpost queue retry --recorded-here` with its number sends it as such")
        }
        var row: [String: Any] = [
            "client_id": passage.clientID.uuidString.lowercased(),
            "plate_number": passage.plate.compact, "plate_number_raw": String(passage.plateRaw.prefix(200)),
            "vehicle_type": passage.vehicleType.rawValue, "checkpost_id": checkpost.uuidString.lowercased(),
            "segment_id": segment.uuidString.lowercased(), "recorded_at": passage.recordedAt.iso8601,
            "ranger_id": tokens.userID.uuidString.lowercased(), "source": "app",
        ]
        guard isExtended != false else { return row }
        row["sms_client_id"] = orNull(stored.smsClientID?.uuidString.lowercased())
        row["acted_by"] = orNull(passage.actedBy.map { String($0.prefix(200)) })
        row["confidence"] = orNull(passage.confidence)
        row["clock_state"] = passage.clockState.rawValue
        row["photo_sha256"] = orNull(passage.photoSHA256)
        return row
    }
}

/// JSON's null for what is not there.
func orNull(_ value: Any?) -> Any { value ?? NSNull() }

extension Verdict {
    /// What a failed look at the server means for the entry that was looked for.
    static func unwellOrSilent(_ verdict: Verdict) -> Verdict {
        switch verdict {
        case .silent, .unwell: verdict
        default: .unwell("looking the passage up: \(verdict.reason)", retryAfter: nil)
        }
    }
}

extension SyncEntry {
    init(_ entry: QueueEntry) {
        self.init(
            id: entry.id, status: Status(rawValue: entry.status.rawValue) ?? .pending, attempts: entry.attempts,
            lastAttemptAt: entry.lastAttemptAt, nextAttemptAt: entry.nextAttemptAt, lastError: entry.lastError,
            isRefused: entry.isRefused, isBatchable: entry.entity == .passage)
    }

    func applied(to entry: QueueEntry) -> QueueEntry {
        var entry = entry
        entry.status = QueueStatus(rawValue: status.rawValue) ?? .pending
        entry.attempts = attempts
        entry.lastAttemptAt = lastAttemptAt
        entry.nextAttemptAt = nextAttemptAt
        entry.lastError = lastError
        entry.isRefused = isRefused
        return entry
    }
}
