import Enforcement
import Foundation
import ParkAPI
import Storage

/// Passages of the other post.
struct OtherPassages {
    let context: SyncContext
    let pages: PageReader
    let reference: ReferenceData

    /// - Returns: whether everything was read.
    func pull(_ road: Road) throws -> Bool {
        let dialect = try context.chosenDialect
        var filters: [Feed<PassageRow>.Condition] = [
            (.segment, .equals(road.segment)), (.checkpost, .differsFrom(road.own.sent)),
            (.recordedAt, .isAtLeast(pages.oldest)),
        ]
        // Without sequence numbers pages go by offset: rows that were matched between two pages must not drop out of them.
        if dialect.hasNumbers { filters.append((.match, .isNull)) }
        let feed = Feed<PassageRow>(
            columns: dialect.otherPassages, filters: filters, cursor: PullCursor.other.name(of: road.own),
            timeColumn: .receivedAt)
        return try pages.follow(feed) { rows, cursor in try take(rows, cursor: cursor) }
    }

    /// Stores passages of the other post.
    func take(_ rows: [PassageRow], cursor: SyncCursor?) throws {
        var matched: Set<UUID> = []
        var passages: [MatchablePassage] = []
        for row in rows {
            guard let post = context.place?.checkposts.first(where: { $0.id == row.checkpost }) else {
                reference.expire()
                throw CycleEnd("The server refers to a checkpost that it has not told; it is asked again.")
            }
            guard post.code != context.server.checkpostCode, let plate = Plate(told: row.plate) else { continue }
            if row.match != nil { matched.insert(row.clientID) }
            passages.append(MatchablePassage(row, plate: plate, checkpostCode: post.code))
        }
        context.counts.pulled += try context.store.otherPost.upsert(
            passages, matched: matched, cursor: cursor, at: context.clock.now)
    }

    /// Keeps how far the other post is known, when all that the server has of it is here. It sends in order: when one of its uploads
    /// is here, so is what it recorded before.
    ///
    /// - Parameter complete: what it says of that itself, said before its passages were read.
    func noteKnown(completeUpTo complete: Instant?) throws {
        let now = context.clock.now
        let known = [try context.store.otherPost.newestSent(notAfter: now), complete].compactMap(\.self).max()
        if let known { try context.store.otherPost.learn(knownUpTo: known, at: now) }
    }

    /// Fetches passages that others refer to and that are not here: those that the server matched as they came.
    func fetchMissing(_ ids: Set<UUID>) throws {
        try fetch(Array(context.store.reconciliation.unknownPassages(among: ids)))
    }

    /// Fetches passages by their row ids.
    func fetch(_ ids: [UUID]) throws {
        try pages.forEachRow(withID: ids, columns: context.chosenDialect.otherPassages) { try take($0, cursor: nil) }
    }
}

extension MatchablePassage {
    /// A passage of another post, as the server tells it.
    init(_ row: PassageRow, plate: Plate, checkpostCode: String) {
        self.init(
            clientID: row.clientID, serverID: row.id, plate: plate, vehicleType: row.vehicleType,
            checkpostCode: checkpostCode, recordedAt: row.recordedAt, clockState: row.clockState,
            serverSequence: row.serverSequence, isOfText: row.source == .sms, travel: row.travel)
    }
}
