import Enforcement
import Foundation
import ParkAPI
import Storage

/// What others took back at the server: a row that is gone can't be found among the rows.
extension SyncEngine {
    /// What was deleted at the server, of both posts.
    func pullDeletions(own: UUID) throws {
        guard try learnedWhether(.deletions) else { return }
        let feed = Feed<DeletionRow>(
            columns: try chosenDialect.deletions, cursor: "pull_deleted_\(own.sent)", timeColumn: .deletedAt,
            atFirst: (.deletedAt, .isAtLeast(try beginning(own: own))))
        try follow(feed) { rows, cursor in
            let deletions = rows.map {
                ServerDeletion(serverID: $0.id, clientID: $0.clientID, smsClientID: $0.smsClientID)
            }
            self.counts.pulled += try self.store.take(deletions, cursor: cursor, at: self.clock.now)
        }
    }

    /// What the other post corrected or withdrew. A row that is gone can't be found among the rows.
    func pullChanges(own: UUID) throws {
        guard try learnedWhether(.changes) else { return }
        let others: [Feed<ChangeRow>.Condition] = [(.checkpost, .differsFrom(own.sent))]
        try follow(changes(own: own, cursor: "pull_changes_\(own.sent)", others)) { rows, cursor in
            try self.fetch(rows.filter { $0.kind == .corrected }.compactMap(\.passage))
            let gone = rows.filter { $0.kind == .withdrawn }.map(\.clientID)
            self.counts.pulled += try self.store.withdrawRemotePassages(gone, cursor: cursor, at: self.clock.now)
        }
    }

    /// What the warden withdrew of this post's passages: such a row is gone. What he corrected is seen in the row.
    func pullOwnWithdrawals(own: UUID) throws {
        guard try learnedWhether(.changes) else { return }
        let ours: [Feed<ChangeRow>.Condition] = [
            (.checkpost, .equals(own)), (.kind, .equals(ChangeKind.withdrawn.rawValue)),
        ]
        try follow(changes(own: own, cursor: "pull_own_changes_\(own.sent)", ours)) { rows, cursor in
            self.counts.pulled += try self.store.withdrawOwn(rows.map(\.clientID), cursor: cursor, at: self.clock.now)
        }
    }

    private func changes(
        own: UUID, cursor: String, _ filters: [Feed<ChangeRow>.Condition]
    ) throws -> Feed<ChangeRow> {
        Feed(
            columns: try chosenDialect.changes, filters: filters, cursor: cursor, timeColumn: .createdAt,
            atFirst: (.createdAt, .isAtLeast(try beginning(own: own))))
    }
}
