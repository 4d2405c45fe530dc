import Enforcement
import Foundation
import Storage

/// What others took back at the server: a row that is gone can't be found among the rows.
extension SyncEngine {
    /// What was deleted at the server, of both posts.
    func pullDeletions(own: String) throws {
        guard isExtended == true, try hasDeletions() else { return }
        let feed = Feed(
            table: "deleted_passages", columns: "id,client_id,sms_client_id,server_seq", filters: [],
            cursor: "pull_deleted_\(own)", timeColumn: "deleted_at",
            atFirst: [("deleted_at", "gte.\(try beginning(own: own).iso8601)")])
        try follow(feed) { (row: ServerRows.Deletion) in
            (row.server_seq, nil)
        } apply: { rows, cursor in
            let deletions = rows.map {
                ServerDeletion(serverID: $0.id, clientID: $0.client_id, smsClientID: $0.sms_client_id)
            }
            self.counts.pulled += try self.store.take(deletions, cursor: cursor, at: self.clock.now)
        }
    }

    /// What the other post corrected or withdrew. A row that is gone can't be found among the rows.
    func pullChanges(own: String) throws {
        guard isExtended == true, try hasChanges() else { return }
        let filters = [("checkpost_id", "neq.\(own)")]
        try follow(changes(own: own, cursor: "pull_changes_\(own)", filters)) {
            (row: ServerRows.Change) in
            (row.server_seq, nil)
        } apply: { rows, cursor in
            try self.fetch(rows.filter { $0.kind == "corrected" }.compactMap(\.passage_id))
            let gone = rows.filter { $0.kind == "withdrawn" }.map(\.client_id)
            self.counts.pulled += try self.store.withdrawRemotePassages(gone, cursor: cursor, at: self.clock.now)
        }
    }

    /// What the warden withdrew of this post's passages: such a row is gone. What he corrected is seen in the row.
    func pullOwnWithdrawals(own: String) throws {
        guard isExtended == true, try hasChanges() else { return }
        let filters = [("checkpost_id", "eq.\(own)"), ("kind", "eq.withdrawn")]
        try follow(changes(own: own, cursor: "pull_own_changes_\(own)", filters)) { (row: ServerRows.Change) in
            (row.server_seq, nil)
        } apply: { rows, cursor in
            self.counts.pulled += try self.store.withdrawOwn(rows.map(\.client_id), cursor: cursor, at: self.clock.now)
        }
    }

    private func changes(own: String, cursor: String, _ filters: [(String, String)]) throws -> Feed {
        Feed(
            table: "passage_changes", columns: "client_id,passage_id,kind,server_seq", filters: filters, cursor: cursor,
            timeColumn: "created_at", atFirst: [("created_at", "gte.\(try beginning(own: own).iso8601)")])
    }

    /// Whether the server keeps changes; asked once a run.
    func hasChanges() throws -> Bool {
        keepsChanges = try keepsChanges ?? hasTable("passage_changes", for: "changes")
        return keepsChanges == true
    }

    /// Whether it keeps deletions.
    func hasDeletions() throws -> Bool {
        keepsDeletions = try keepsDeletions ?? hasTable("deleted_passages", for: "deletions")
        return keepsDeletions == true
    }

    private func hasTable(_ table: String, for what: String) throws -> Bool {
        let (verdict, _) = try askForVerdict(
            SyncRequest(.get, "/rest/v1/\(table)", query: [("select", "server_seq"), ("limit", "1")]))
        switch verdict {
        case .accepted: return true
        case .refused: return false
        default: throw CycleEnd("Asking for the server's \(what): \(verdict.reason)")
        }
    }
}
