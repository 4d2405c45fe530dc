import Enforcement
import Foundation
import Storage

/// What the server has no longer: passages, their photos, violations and what was done about them.
extension SyncEngine {
    /// Which of these the server lacks, and of which it has an older state.
    func losses(among passages: [ComparablePassage]) throws -> Store.Losses {
        let ids = passages.flatMap { [$0.clientID, $0.smsClientID].compactMap { $0?.uuidString.lowercased() } }
        let rows = try ask(
            SyncRequest(
                .get, "/rest/v1/vehicle_passages",
                query: [
                    ("client_id", "in.(\(ids.joined(separator: ",")))"),
                    ("select", "id,client_id,plate_number,photo_path"),
                ])
        ).rows(ServerRows.Compared.self)
        let there = Dictionary(rows.map { ($0.client_id, $0) }, uniquingKeysWith: { first, _ in first })
        var losses = Store.Losses()
        for passage in passages {
            guard let row = there[passage.clientID] else {
                // Of a text alone the passage is sent again, or withdrawn again.
                let hasText = passage.smsClientID.map { there[$0] != nil } ?? false
                if !passage.isWithdrawn { losses.passages.append(passage.clientID) }
                if passage.isWithdrawn, hasText { losses.corrections.append(passage.clientID) }
                continue
            }
            if passage.isWithdrawn || Plate(server: row.plate_number)?.compact != passage.plateCompact {
                losses.corrections.append(passage.clientID)
            }
            if passage.hasPhotoThere, row.photo_path == nil, !passage.isWithdrawn {
                losses.photos.append(passage.clientID)
            }
        }
        let deleted = try deletedThere(losses.passages)
        losses.passages.removeAll(where: deleted.contains)
        return losses
    }

    /// Those that a person deleted are not lost.
    private func deletedThere(_ clientIDs: [UUID]) throws -> Set<UUID> {
        guard !clientIDs.isEmpty, try hasDeletions() else { return [] }
        let ids = clientIDs.map { $0.uuidString.lowercased() }.joined(separator: ",")
        let rows = try ask(
            SyncRequest(
                .get, "/rest/v1/deleted_passages",
                query: [("client_id", "in.(\(ids))"), ("select", "id,client_id,sms_client_id,server_seq")])
        ).rows(ServerRows.Deletion.self)
        return Set(rows.map(\.client_id))
    }

    /// A restored server may have every passage and violation, and not what was done about one.
    ///
    /// - Returns: how many outcomes are sent again.
    func sendLostOutcomes() throws -> Int {
        let since = clock.now - .milliseconds(PassageDay.length * Int64(settings.comparedDays))
        var (last, count): (Int64, Int) = (0, 0)
        for _ in 0..<Self.requestsACycle {
            let sent = try store.sentOutcomes(after: last, since: since, limit: Self.passagesARequest)
            guard let end = sent.last?.entry else { break }
            last = end
            let ids = sent.map { $0.violation.uuidString.lowercased() }.joined(separator: ",")
            let there = Set(
                try ask(
                    SyncRequest(
                        .get, "/rest/v1/violation_outcomes",
                        query: [("violation_id", "in.(\(ids))"), ("select", "violation_id")])
                ).rows(ServerRows.Settled.self).map(\.violation_id))
            let lost = sent.filter { !there.contains($0.violation) }.map(\.entry)
            try store.sendAgain(entries: lost)
            count += lost.count
        }
        return count
    }

    /// What a count and a hash of passages say nothing of: photos and violations.
    ///
    /// - Returns: whether violations are gone, so that everything is to be read again.
    func findSilentLosses(own: String) throws -> Bool {
        // An account that sees nothing would make everything look lost.
        if let problem = try accountProblem() { throw CycleEnd(problem) }
        try findLostPhotos(own: own)
        let since = clock.now - .milliseconds(PassageDay.length * Int64(settings.comparedDays))
        var last: UUID?
        var lost = 0
        for _ in 0..<Self.requestsACycle {
            let known = try store.confirmedViolations(after: last, since: since, limit: Self.passagesARequest)
            guard let end = known.last else { break }
            last = end
            let ids = known.map { $0.uuidString.lowercased() }.joined(separator: ",")
            let there = Set(
                try ask(
                    SyncRequest(.get, "/rest/v1/violations", query: [("id", "in.(\(ids))"), ("select", "id")])
                ).rows(ServerRows.Known.self).map(\.id))
            lost += try store.doubt(violations: known.filter { !there.contains($0) })
        }
        return lost > 0
    }

    /// Photos that the server took and has no longer, of the last days.
    private func findLostPhotos(own: String) throws {
        let since = clock.now - .milliseconds(PassageDay.length * Int64(Self.repairedDays))
        var last = ""
        for _ in 0..<Self.requestsACycle {
            var query = [
                ("checkpost_id", "eq.\(own)"), ("recorded_at", "gte.\(since.iso8601)"), ("photo_path", "is.null"),
            ]
            if !last.isEmpty { query.append(("client_id", "gt.\(last)")) }
            query += [("select", "client_id"), ("order", "client_id.asc"), ("limit", String(Self.passagesARequest))]
            let ids = try ask(SyncRequest(.get, "/rest/v1/vehicle_passages", query: query))
                .rows(ServerRows.PhotoLess.self).map(\.client_id)
            var losses = Store.Losses()
            losses.photos = try store.lostPhotos(among: ids)
            try store.sendAgain(losses, at: clock.now)
            guard ids.count == Self.passagesARequest, let end = ids.last else { return }
            last = end.uuidString.lowercased()
        }
    }
}
