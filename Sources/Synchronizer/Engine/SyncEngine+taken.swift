import Enforcement
import Foundation
import Storage

/// What the server said it took, and what this post has not read back yet.
///
/// The numbers by which a restore from a backup is noticed are those of rows that were read. Between an answer and the next reading there
/// is none: a server that loses in that moment what it took would seem to say something new, and undo a correction here.
extension SyncEngine {
    private var passageName: String { "pushed_passage_\(server.checkpostCode)" }
    private var changeName: String { "pushed_change_\(server.checkpostCode)" }

    func serverTook(passage id: UUID) throws {
        try store.set(SyncCursor(name: passageName, value: 0, row: id), at: clock.now)
    }

    func serverTook(change id: UUID) throws {
        try store.set(SyncCursor(name: changeName, value: 0, row: id), at: clock.now)
    }

    /// The passage that it took last, like a row that was read.
    func takenPassage() throws -> SyncCursor? { try store.mark(passageName) }

    /// Whether the change that it took last is there no longer: nobody can delete one.
    func lostTakenChange() throws -> Bool {
        guard let mark = try store.mark(changeName), try hasChanges() else { return false }
        return try numbers(of: [mark], in: "passage_changes").isEmpty
    }

    /// Everything was read since, or the loss is known.
    func forgetTaken() throws {
        guard try store.mark(passageName) != nil || store.mark(changeName) != nil else { return }
        try store.forgetCursors([passageName, changeName])
    }
}
