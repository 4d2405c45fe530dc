import Enforcement
import Foundation
import ParkAPI
import Storage

/// What this post recorded in the last months, after its database was lost or restored: fetched from the server little by little, behind
/// everything else, the oldest first.
///
/// What matching needs, the last two days, comes with the first cycle (`OwnPassages`).
struct OlderPassages {
    /// A thousand passages a cycle, half a day of a busy road: 90 days are here after an hour or two of contact.
    static let pagesACycle = 2

    private static let place = "older_read_up_to"

    let context: SyncContext
    let own: OwnPassages

    func pull(own post: UUID) throws {
        guard let before = try context.store.cursors.value(SyncCursor.olderWantedBefore) else { return }
        let length = PassageDay.length * Int64(context.settings.comparedDays)
        let first = PassageDay.start(of: context.clock.now) - .milliseconds(length)
        var from = try context.store.cursors.value(Self.place).map(Instant.init(milliseconds:)) ?? first
        let size = context.pageSize
        for _ in 0..<Self.pagesACycle {
            let query = RowQuery<PassageColumn>().whose(.checkpost, .equals(post)).whose(.recordedAt, .isAtLeast(from))
                .telling(try context.chosenDialect.olderPassages).inOrder(of: [.recordedAt, .id]).limited(to: size)
            let (rows, unreadable) = try context.usableRows(query, PassageRow.self)
            context.counts.leftOut += unreadable
            let isLast =
                rows.count + unreadable < size || rows.last.map { $0.recordedAt.milliseconds >= before } ?? true
            // So many vehicles in one moment are no vehicles: the rest of them stays at the server.
            let last = rows.last?.recordedAt ?? from
            from = last > from ? last : from + .milliseconds(1)
            let passages = rows.compactMap { row in
                own.restored(row).map {
                    OlderPassage(restored: $0, matchedServerID: row.match, photoSHA256: row.photoSHA256)
                }
            }
            context.counts.pulled += try context.store.reconciliation.restoreOlder(
                passages, cursor: SyncCursor(name: Self.place, value: from.milliseconds), at: context.clock.now)
            guard isLast else { continue }
            return try context.store.cursors.forget([SyncCursor.olderWantedBefore, Self.place])
        }
    }
}
