import Enforcement
import Foundation
import Storage

/// How far the server was read, for a box that begins with what another one has: only with the server's numbers, which mean the same to both.
package enum SeedMarks {
    private static let carried: [PullCursor] = [.other, .deleted]

    /// The marks for a new box.
    ///
    /// A box of the other post reads what this one recorded: that is here as far as this post's own rows were read.
    package static func read(_ store: Store, maker: UUID, taker: UUID) throws -> [SyncCursor] {
        let sources: [(PullCursor, PullCursor)] =
            maker == taker ? carried.map { ($0, $0) } : [(.own, .other), (.deleted, .deleted)]
        return try sources.compactMap { source, target in
            try store.cursors.mark(source.name(of: maker)).map {
                SyncCursor(name: target.name(of: taker), value: $0.value, row: $0.row)
            }
        }
    }

    /// Keeps those that are this box's, unless it has read further itself.
    ///
    /// - Returns: whether the other post's passages go on from there.
    package static func keep(_ marks: [SyncCursor], in store: Store, taker: UUID, at now: Instant) throws -> Bool {
        let names = Set(carried.map { $0.name(of: taker) })
        for mark in marks where names.contains(mark.name) {
            guard try store.cursors.value(mark.name).map({ $0 < mark.value }) ?? true else { continue }
            try store.cursors.set(mark, at: now)
        }
        return marks.contains { $0.name == PullCursor.other.name(of: taker) }
    }
}
