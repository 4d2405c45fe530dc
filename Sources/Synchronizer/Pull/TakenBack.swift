import Enforcement
import Foundation
import ParkAPI
import Storage

/// What others took back at the server: a row that is gone can't be found among the rows.
struct TakenBack {
    let context: SyncContext
    let pages: PageReader
    let others: OtherPassages

    /// What was deleted at the server, of both posts.
    ///
    /// - Returns: whether everything was read.
    func pullDeletions(own: UUID) throws -> Bool {
        guard try context.learnedWhether(.deletions) else { return true }
        let feed = Feed<DeletionRow>(
            columns: try context.chosenDialect.deletions, cursor: PullCursor.deleted.name(of: own),
            timeColumn: .deletedAt,
            atFirst: (.deletedAt, .isAtLeast(try pages.beginning(own: own))))
        return try pages.follow(feed) { rows, cursor in
            let deletions = rows.map {
                ServerDeletion(serverID: $0.id, clientID: $0.clientID, smsClientID: $0.smsClientID)
            }
            context.counts.pulled += try context.store.reconciliation.take(
                deletions, cursor: cursor, at: context.clock.now)
        }
    }

    /// What the other post corrected or withdrew. A row that is gone can't be found among the rows.
    ///
    /// - Returns: whether everything was read.
    func pullChanges(own: UUID) throws -> Bool {
        guard try context.learnedWhether(.changes) else { return true }
        let ofOthers: [Feed<ChangeRow>.Condition] = [(.checkpost, .differsFrom(own.sent))]
        return try pages.follow(changes(own: own, cursor: .changes, ofOthers)) { rows, cursor in
            try others.fetch(rows.filter { $0.kind == .corrected }.compactMap(\.passage))
            let gone = rows.filter { $0.kind == .withdrawn }.map(\.clientID)
            context.counts.pulled += try context.store.otherPost.withdraw(
                gone, cursor: cursor, at: context.clock.now)
        }
    }

    /// What the warden withdrew of this post's passages, of a server that doesn't tell its deletions: another tells it as one, with the row
    /// that is gone, and can take it back. What he corrected is seen in the row.
    ///
    /// - Returns: whether everything was read.
    func pullOwnWithdrawals(own: UUID) throws -> Bool {
        guard try context.learnedWhether(.changes), try !context.learnedWhether(.deletions) else { return true }
        let ours: [Feed<ChangeRow>.Condition] = [
            (.checkpost, .equals(own)), (.kind, .equals(ChangeKind.withdrawn.rawValue)),
        ]
        return try pages.follow(changes(own: own, cursor: .ownChanges, ours)) { rows, cursor in
            context.counts.pulled += try context.store.reconciliation.withdrawOwn(
                rows.map(\.clientID), cursor: cursor, at: context.clock.now)
        }
    }

    private func changes(
        own: UUID, cursor: PullCursor, _ filters: [Feed<ChangeRow>.Condition]
    ) throws -> Feed<ChangeRow> {
        Feed(
            columns: try context.chosenDialect.changes, filters: filters, cursor: cursor.name(of: own),
            timeColumn: .createdAt,
            atFirst: (.createdAt, .isAtLeast(try pages.beginning(own: own))))
    }
}
