import Enforcement
import Foundation
import ParkAPI
import Storage

/// How far the server was read, for a box that begins with what another one has: only with the server's numbers, which mean the same to both.
package enum SeedMarks {
    /// The marks for a new box.
    ///
    /// A box of the other post reads what this one recorded: that is here as far as this post's own rows were read.
    package static func read(_ store: Store, maker: UUID, taker: UUID) throws -> [SeedLine.Mark] {
        let sources: [(PullCursor, SeedLine.Mark.Of)] = [
            (maker == taker ? .other : .own, .other), (.deleted, .deleted),
        ]
        return try sources.compactMap { source, of in
            guard let mark = try store.cursors.mark(source.name(of: maker)), let row = mark.row else { return nil }
            return SeedLine.Mark(of: of, value: mark.value, row: row)
        }
    }

    /// Keeps them, unless the box has read further itself.
    ///
    /// - Returns: whether the other post's passages go on from there.
    package static func keep(_ marks: [SeedLine.Mark], in store: Store, taker: UUID, at now: Instant) throws -> Bool {
        for mark in marks {
            let cursor: PullCursor = mark.of == .other ? .other : .deleted
            let name = cursor.name(of: taker)
            let known = try store.cursors.value(name)
            // A box that has read some deletions reads the others too: no passage of its own tells of them.
            guard known.map({ of in mark.of == .other && of < mark.value }) ?? true else { continue }
            try store.cursors.set(SyncCursor(name: name, value: mark.value, row: mark.row), at: now)
        }
        return marks.contains { $0.of == .other }
    }
}
