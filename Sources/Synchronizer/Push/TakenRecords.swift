import Enforcement
import Foundation
import ParkAPI
import Storage

/// What the server said it took, and what this post has not read back yet.
///
/// The numbers by which a restore from a backup is noticed are those of rows that were read. Between an answer and the next reading there
/// is none: a server that loses in that moment what it took would seem to say something new, and undo a correction here.
struct TakenRecords {
    private let context: SyncContext
    private let passageName: String
    private let changeName: String

    init(_ context: SyncContext) {
        self.context = context
        passageName = "pushed_passage_\(context.server.checkpostCode)"
        changeName = "pushed_change_\(context.server.checkpostCode)"
    }

    func took(passage id: UUID) throws { try note(id, passageName) }
    func took(change id: UUID) throws { try note(id, changeName) }

    private func note(_ id: UUID, _ name: String) throws {
        try context.store.cursors.set(SyncCursor(name: name, value: 0, row: id), at: context.clock.now)
    }

    /// The passage that it took last, like a row that was read.
    func passage() throws -> SyncCursor? { try context.store.cursors.mark(passageName) }

    /// Whether the change that it took last is there no longer: nobody can delete one.
    func lostChange() throws -> Bool {
        guard let mark = try context.store.cursors.mark(changeName), try context.learnedWhether(.changes) else {
            return false
        }
        return try context.numbers(of: [mark], in: ChangeColumn.self).isEmpty
    }

    /// Everything was read since, or the loss is known.
    func forget() throws {
        let store = context.store
        guard try store.cursors.mark(passageName) != nil || store.cursors.mark(changeName) != nil else { return }
        try store.cursors.forget([passageName, changeName])
    }
}
