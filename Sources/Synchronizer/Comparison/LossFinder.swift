import Enforcement
import Foundation
import ParkAPI
import Storage

/// What the server has no longer: passages, their photos, violations and what was done about them.
struct LossFinder {
    let context: SyncContext

    /// Which of these the server lacks, and of which it has an older state.
    func among(_ passages: [ComparablePassage]) throws -> ReconciliationTable.Losses {
        let ids = passages.flatMap { [$0.clientID, $0.smsClientID].compactMap(\.self) }
        let rows = try context.rows(
            RowQuery<PassageColumn>().whose(.clientID, .isAmong(ids)).telling([.id, .clientID, .plate, .photoPath]),
            KnownPassageRow.self)
        let there = Dictionary(rows.map { ($0.clientID, $0) }, uniquingKeysWith: { first, _ in first })
        var losses = ReconciliationTable.Losses()
        for passage in passages {
            guard let row = there[passage.clientID] else {
                // Of a text alone the passage is sent again, or withdrawn again.
                let hasText = passage.smsClientID.map { there[$0] != nil } ?? false
                if !passage.isWithdrawn { losses.passages.append(passage.clientID) }
                if passage.isWithdrawn, hasText { losses.corrections.append(passage.clientID) }
                continue
            }
            if passage.isWithdrawn || row.plate.flatMap(Plate.init(told:))?.compact != passage.plateCompact {
                losses.corrections.append(passage.clientID)
            }
            if passage.hasPhotoThere, row.photoPath == nil, !passage.isWithdrawn {
                losses.photos.append(passage.clientID)
            }
        }
        let deleted = try deletedThere(losses.passages)
        losses.passages.removeAll(where: deleted.contains)
        return losses
    }

    /// Those that a person deleted are not lost.
    private func deletedThere(_ clientIDs: [UUID]) throws -> Set<UUID> {
        guard !clientIDs.isEmpty, let dialect = context.dialect, try context.learnedWhether(.deletions) else {
            return []
        }
        let rows = try context.rows(
            RowQuery<DeletionColumn>().whose(.clientID, .isAmong(clientIDs)).telling(dialect.deletions),
            DeletionRow.self)
        return Set(rows.map(\.clientID))
    }

    /// A restored server may have every passage and violation, and not what was done about one.
    func sendOutcomesAgain() throws {
        let since = context.clock.now - .milliseconds(PassageDay.length * Int64(context.settings.comparedDays))
        var last: Int64 = 0
        for _ in 0..<Comparison.requestsACycle {
            let sent = try context.store.reconciliation.sentOutcomes(
                after: last, since: since, limit: Comparison.idsARequest)
            guard let end = sent.last?.entry else { return }
            last = end
            let there = Set(
                try context.rows(
                    RowQuery<OutcomeColumn>().whose(.violation, .isAmong(sent.map(\.violation))).telling([.violation]),
                    SettledRow.self
                ).map(\.violation))
            let lost = sent.filter { !there.contains($0.violation) }.map(\.entry)
            try context.store.reconciliation.sendAgain(entries: lost, at: context.clock.now)
        }
    }

    /// What a count and a hash of passages say nothing of: photos and violations.
    func findSilent(own: UUID) throws {
        // An account that sees nothing would make everything look lost.
        if let problem = try context.accountProblem() { throw CycleEnd(problem) }
        try findLostPhotos(own: own)
        let since = context.clock.now - .milliseconds(PassageDay.length * Int64(context.settings.comparedDays))
        var last: UUID?
        for _ in 0..<Comparison.requestsACycle {
            let known = try context.store.reconciliation.confirmedViolations(
                after: last, since: since, limit: Comparison.idsARequest)
            guard let end = known.last else { return }
            last = end
            let there = Set(
                try context.rows(
                    RowQuery<ViolationColumn>().whose(.id, .isAmong(known)).telling([.id]),
                    BareRow<ViolationColumn>.self
                ).map(\.id))
            _ = try context.store.reconciliation.doubt(
                violations: known.filter { !there.contains($0) }, at: context.clock.now)
        }
    }

    /// Photos that the server took and has no longer, of the last days.
    private func findLostPhotos(own: UUID) throws {
        let since = context.clock.now - .milliseconds(PassageDay.length * Int64(Comparison.repairedDays))
        var last: UUID?
        for _ in 0..<Comparison.requestsACycle {
            var query = RowQuery<PassageColumn>().whose(.checkpost, .equals(own))
                .whose(.recordedAt, .isAtLeast(since)).whose(.photoPath, .isNull)
            if let last { query = query.whose(.clientID, .isAbove(last.sent)) }
            query = query.telling([.id, .clientID]).inOrder(of: [.clientID]).limited(to: Comparison.idsARequest)
            let ids = try context.rows(query, KnownPassageRow.self).map(\.clientID)
            var losses = ReconciliationTable.Losses()
            losses.photos = try context.store.photos.lost(among: ids)
            try context.store.reconciliation.sendAgain(losses, at: context.clock.now)
            guard ids.count == Comparison.idsARequest, let end = ids.last else { return }
            last = end
        }
    }
}
