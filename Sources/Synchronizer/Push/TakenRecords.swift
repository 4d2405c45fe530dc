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

    /// More than are sent between two readings, unless no reading succeeds for days.
    private static let mostChanges = 50

    func took(passage id: UUID) throws { try note(id, passageName) }

    /// All of them are kept, and not the last alone: a server that was put back between two of them has the later one.
    func took(change id: UUID) throws {
        guard try context.store.cursors.marks(of: changeName).count < Self.mostChanges else { return }
        try note(id, "\(changeName)/\(id.uuidString.lowercased())")
    }

    private func note(_ id: UUID, _ name: String) throws {
        try context.store.cursors.set(SyncCursor(name: name, value: 0, row: id), at: context.clock.now)
    }

    /// The passage that it took last, like a row that was read.
    func passage() throws -> SyncCursor? { try context.store.cursors.mark(passageName) }

    /// Whether a change that it took is there no longer: nobody can delete one.
    func lostChange() throws -> Bool {
        let marks = try context.store.cursors.marks(of: changeName)
        guard !marks.isEmpty, try context.learnedWhether(.changes) else { return false }
        return try context.numbers(of: marks, in: ChangeColumn.self).count < marks.count
    }

    /// Everything was read since, or the loss is known.
    func forget() throws {
        let cursors = context.store.cursors
        let names = try (cursors.mark(passageName).map { [$0] } ?? []) + cursors.marks(of: changeName)
        guard !names.isEmpty else { return }
        try cursors.forget(names.map(\.name))
    }
}
