import Enforcement
import Foundation
import ParkAPI
import Storage

/// This post's passages as the server has them: its word on them, and on a new disk the passages themselves.
///
/// A new disk knows nothing of what this post recorded: without it neither matching nor overstay would work for a day.
final class OwnPassages {
    private let context: SyncContext
    private let pages: PageReader
    private let others: OtherPassages

    /// So long this run has waited for a usable answer before it sends anything, with a link, and when it asked last.
    private var waited = TimeSpan.milliseconds(0)
    private var askedAt: Instant?

    /// A server that never gives one holds up the records no longer than this.
    private static let patience = TimeSpan.minutes(15)

    init(_ context: SyncContext, pages: PageReader, others: OtherPassages) {
        self.context = context
        self.pages = pages
        self.others = others
    }

    /// Before the first push of a new disk: a picture that was recorded once more since must be known for what it is before it is
    /// sent. An answer that is of no use, or only a part of it, holds up what waits for some minutes.
    func restoreFirst() throws {
        guard let own = context.ownCheckpost,
            try context.store.cursors.value(PullCursor.ownRead.name(of: own)) == nil
        else { return }
        let known = try context.store.cursors.value(PullCursor.own.name(of: own))
        do {
            guard try !pull(own: own) else { return }
            throw CycleEnd("Passages of this post still come back from the server; what waits is sent after them.")
        } catch let end as CycleEnd {
            if context.line.link.isDown || context.session.tokens == nil {
                askedAt = nil
                throw end
            }
            try wait(since: known, own: own, or: end)
        } catch let error as StoreError where [.refused, .unknown, .unreadable].contains(error.kind) {
            // One row that the database won't have: everything else works.
            try wait(since: known, own: own, or: CycleEnd(error.message))
        }
    }

    /// Ends the cycle, unless the server has given nothing new for too long.
    private func wait(since known: Int64?, own: UUID, or end: CycleEnd) throws {
        let now = context.clock.uptime
        if try context.store.cursors.value(PullCursor.own.name(of: own)) != known {
            waited = .milliseconds(0)
            context.requestCycle()
        } else if let askedAt {
            waited = .milliseconds(waited.milliseconds + (now - askedAt).milliseconds)
        }
        askedAt = now
        if waited < Self.patience { throw end }
    }

    /// - Returns: whether everything was read.
    @discardableResult
    func pull(own: UUID) throws -> Bool {
        let feed = Feed<KnownPassageRow>(
            columns: try context.chosenDialect.ownPassages, filters: [(.checkpost, .equals(own))],
            cursor: PullCursor.own.name(of: own), timeColumn: .recordedAt, rescansFrom: pages.oldest,
            atFirst: (.recordedAt, .isAtLeast(try pages.beginning(own: own))))
        let isAllRead = try pages.follow(feed) { rows, cursor in
            try restore(rows)
            try others.fetchMissing(Set(rows.compactMap(\.match)))
            let words = rows.map {
                OwnServerRow(
                    clientID: $0.clientID, serverID: $0.id, matchedServerID: $0.match,
                    plate: $0.plate.flatMap(Plate.init(told:)))
            }
            try context.store.reconciliation.learn(words, cursor: cursor, at: context.clock.now)
            context.counts.pulled += rows.count { $0.match != nil }
        }
        let read = PullCursor.ownRead.name(of: own)
        if isAllRead, try context.store.cursors.value(read) == nil {
            try context.store.cursors.set(SyncCursor(name: read, value: 1), at: context.clock.now)
        }
        return isAllRead
    }

    /// Of this post's rows those that are not here, as far back as matching looks. Older ones stay at the server.
    private func restore(_ rows: [KnownPassageRow]) throws {
        let since = pages.oldest
        let recent = rows.filter { $0.recordedAt.map { $0 >= since } ?? false }
        let unknown = try context.store.passages.unknown(among: recent.map(\.clientID))
        let ids = recent.filter { unknown.contains($0.clientID) }.map(\.id)
        try pages.forEachRow(withID: ids, columns: context.chosenDialect.wholePassages) { rows in
            context.counts.pulled += try context.store.reconciliation.restore(rows.compactMap(restored))
        }
    }

    func restored(_ row: PassageRow) -> RestoredPassage? {
        guard let plate = Plate(told: row.plate) else { return nil }
        let raw = row.plateRaw ?? ""
        let passage = Passage(
            clientID: row.clientID, plate: plate, plateRaw: raw.isEmpty ? plate.canonical : raw,
            vehicleType: row.vehicleType, checkpostCode: context.server.checkpostCode, recordedAt: row.recordedAt,
            clockState: row.clockState, confidence: row.confidence.flatMap { (0...1).contains($0) ? $0 : nil },
            origin: row.actedBy == nil ? .camera : row.confidence == nil ? .manual : .review, actedBy: row.actedBy,
            travel: row.travel)
        return RestoredPassage(
            passage: passage, serverID: row.id, smsClientID: row.smsClientID, photoPath: row.photoPath)
    }
}
