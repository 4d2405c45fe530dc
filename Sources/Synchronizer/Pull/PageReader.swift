import Enforcement
import Foundation
import ParkAPI
import Storage

/// Reads rows page after page. A cursor moves with the rows that it covers, in one transaction.
struct PageReader {
    let context: SyncContext

    /// Asks page after page and hands each to `apply`, with the cursor that covers it.
    ///
    /// With sequence numbers a page is what follows the cursor. Without, pages go by time, the first one overlapping what is
    /// known by some seconds, and by offset, so that any number of rows with one time gets through; the cursor
    /// moves when the last page is there.
    ///
    /// - Returns: whether everything was read; one cycle takes no more than so many pages.
    @discardableResult
    func follow<Row: FollowedRow>(_ feed: Feed<Row>, apply: ([Row], SyncCursor?) throws -> Void) throws -> Bool {
        let hasNumbers = try context.chosenDialect.hasNumbers
        let known = try context.store.cursors.value(feed.cursor)
        let size = context.pageSize
        var last = known ?? 0
        var latest = known ?? 0
        for page in 0..<context.settings.maximumPagesACycle {
            var query = feed.filters.reduce(RowQuery<Row.Column>()) { $0.whose($1.column, $1.1) }
            if known == nil, let first = feed.atFirst { query = query.whose(first.column, first.1) }
            query = query.telling(feed.columns).limited(to: size)
            if hasNumbers {
                query = query.whose(.serverSequence, .isAbove(String(last))).inOrder(of: [.serverSequence])
            } else {
                let unknown = Instant(milliseconds: known ?? 0) - context.settings.overlap
                // After weeks without a link, from where it ended.
                let from = feed.rescansFrom.map { known == nil ? $0 : min($0, unknown) } ?? unknown
                query = query.whose(feed.timeColumn, .isAtLeast(from)).inOrder(of: [feed.timeColumn, .id])
                    .skipping(page * size)
            }
            let (rows, unreadable) = try context.usableRows(query, Row.self)
            context.counts.leftOut += unreadable
            guard rows.count + unreadable <= size else {
                throw CycleEnd("The server gave more rows than were asked for.")
            }
            let isLast = rows.count + unreadable < size
            for row in rows {
                if hasNumbers {
                    guard let sequence = row.serverSequence, sequence > last else {
                        throw CycleEnd("The server's rows of \(Row.Column.table.rawValue) are out of order.")
                    }
                    last = sequence
                } else if let time = row.followedAt {
                    latest = max(latest, time.milliseconds)
                }
            }
            let value = hasNumbers ? last : isLast ? latest : known ?? 0
            let mark = hasNumbers ? rows.last?.mark : nil
            if !rows.isEmpty { try apply(rows, SyncCursor(name: feed.cursor, value: value, row: mark)) }
            if isLast { return true }
        }
        return false
    }

    /// How old what matters to matching may be.
    var oldest: Instant { context.clock.now - context.settings.window - context.settings.windowBuffer }

    /// From when on a post reads what others did. It stays where it was when the post asked for the first time: what happened since is
    /// not passed over by a post that had no link for a week before anything concerned it. A post that asks for the first time with
    /// records of its own begins with what these may belong to.
    func beginning(own: UUID) throws -> Instant {
        let name = PullCursor.began.name(of: own)
        // By the slower of the two clocks: one that is ahead passes nothing over.
        let now = min(context.clock.now, context.clock.now - (context.line.skew ?? .milliseconds(0)))
        var began = now - context.settings.window - context.settings.windowBuffer
        if let known = try context.store.cursors.value(name) {
            began = min(began, Instant(milliseconds: known))
            guard began.milliseconds < known else { return began }
        } else if let first = try context.store.passages.firstRecordedAt(
            since: now - .hours(24 * Double(context.settings.comparedDays)))
        {
            began = min(began, first - context.settings.window)
        }
        try context.store.cursors.set(SyncCursor(name: name, value: began.milliseconds), at: context.clock.now)
        return began
    }

    /// Asks for passages by their row ids, a hundred at a time.
    func forEachRow(withID ids: [UUID], columns: [PassageColumn], _ body: ([PassageRow]) throws -> Void) throws {
        let ids = ids.map(\.sent).sorted()
        for start in stride(from: 0, to: ids.count, by: ContractLimits.idsAQuestion) {
            let some = Array(ids[start..<min(start + ContractLimits.idsAQuestion, ids.count)])
            let query = RowQuery<PassageColumn>().whose(.id, .isAmong(some)).telling(columns)
            try body(context.usableRows(query, PassageRow.self).rows)
        }
    }
}
