import Enforcement
import Foundation
import ParkAPI
import Storage

/// Fetching what the server knows. A cursor moves with the rows that it covers, in one transaction.
extension SyncEngine {
    /// Where this post stands, by the server's ids.
    struct Road {
        var segment: UUID
        var own: UUID
    }

    func pull() throws {
        guard let segment = place?.segment.id, let own = ownCheckpost else {
            throw CycleEnd("The server has not told where \(server.checkpostCode) stands.")
        }
        let road = Road(segment: segment, own: own)
        // A server that was restored from a backup says what was true then: first it gets what it lost.
        guard try repairIfServerWentBack(own: own) else { return requestCycle() }
        let before = counts.pulled
        // Before the passages: what waited then is not passed over by what came since.
        try reviews.pull()
        try pullOtherPost(road)
        try pullChanges(own: own)
        try pullOwnWithdrawals(own: own)
        try pullDeletions(own: own)
        try pullOwnPassages(own: own)
        try pullViolations(road)
        try pullOutcomes(road)
        try store.withdrawUnconfirmedViolations(at: clock.now)
        try pullAlerts(road)
        try taken.forget()
        if counts.pulled > before { try surroundings.passagesArrived(at: clock.now) }
        try people.check()
        try sendFindingsAgainIfDue()
        try proposeMatches()
        if try !compareIfDue(own: own) { requestCycle() }
    }

    /// What one kind of rows is fetched by.
    struct Feed<Row: FollowedRow> {
        typealias Condition = (column: Row.Column, RowCondition)

        var columns: [Row.Column]
        var filters: [Condition] = []
        /// Names the cursor; with the post's id, since another post begins anew.
        var cursor: String
        /// The column of times that pages follow where there is no sequence number.
        var timeColumn: Row.Column
        /// Against such a server the whole span is read again each time, since old rows change.
        var rescansFrom: Instant?
        /// A post that has no rows yet, with a new disk for instance, begins with these: not with all that there ever was. See `beginning`.
        var atFirst: Condition?
    }

    /// Asks page after page and hands each to `apply`, with the cursor that covers it.
    ///
    /// With sequence numbers a page is what follows the cursor. Without, pages go by time, the first one overlapping what is
    /// known by some seconds, and by offset, so that any number of rows with one time gets through; the cursor
    /// moves when the last page is there.
    func follow<Row: FollowedRow>(_ feed: Feed<Row>, apply: ([Row], SyncCursor?) throws -> Void) throws {
        let hasNumbers = try chosenDialect.hasNumbers
        let known = try store.cursor(feed.cursor)
        let size = min(max(settings.pageSize, 1), ContractLimits.rowsAPage)
        var last = known ?? 0
        var latest = known ?? 0
        for page in 0..<settings.maximumPagesACycle {
            var query = feed.filters.reduce(RowQuery<Row.Column>()) { $0.whose($1.column, $1.1) }
            if known == nil, let first = feed.atFirst { query = query.whose(first.column, first.1) }
            query = query.telling(feed.columns).limited(to: size)
            if hasNumbers {
                query = query.whose(.serverSequence, .isAbove(String(last))).inOrder(of: [.serverSequence])
            } else {
                let unknown = Instant(milliseconds: known ?? 0) - settings.overlap
                // After weeks without a link, from where it ended.
                let from = feed.rescansFrom.map { known == nil ? $0 : min($0, unknown) } ?? unknown
                query = query.whose(feed.timeColumn, .isAtLeast(from)).inOrder(of: [feed.timeColumn, .id])
                    .skipping(page * size)
            }
            let (rows, unreadable) = try usableRows(query, Row.self)
            counts.leftOut += unreadable
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
            if isLast { return }
        }
    }

    var oldest: Instant { clock.now - settings.window - settings.windowBuffer }

    /// From when on a post reads what others did. It stays where it was when the post asked for the first time: what happened since is
    /// not passed over by a post that had no link for a week before anything concerned it. A post that asks for the first time with
    /// records of its own begins with what these may belong to.
    func beginning(own: UUID) throws -> Instant {
        let name = "pull_began_\(own.sent)"
        // By the slower of the two clocks: one that is ahead passes nothing over.
        let now = min(clock.now, clock.now - (skew ?? .milliseconds(0)))
        var began = now - settings.window - settings.windowBuffer
        if let known = try store.cursor(name) {
            began = min(began, Instant(milliseconds: known))
            guard began.milliseconds < known else { return began }
        } else if let first = try store.firstRecordedAt(since: now - .hours(24 * Double(settings.comparedDays))) {
            began = min(began, first - settings.window)
        }
        try store.set(SyncCursor(name: name, value: began.milliseconds), at: clock.now)
        return began
    }

    private func pullOtherPost(_ road: Road) throws {
        let dialect = try chosenDialect
        var filters: [Feed<PassageRow>.Condition] = [
            (.segment, .equals(road.segment)), (.checkpost, .differsFrom(road.own.sent)),
            (.recordedAt, .isAtLeast(oldest)),
        ]
        // Without sequence numbers pages go by offset: rows that were matched between two pages must not drop out of them.
        if dialect.hasNumbers { filters.append((.match, .isNull)) }
        let feed = Feed<PassageRow>(
            columns: dialect.otherPassages, filters: filters, cursor: "pull_other_\(road.own.sent)",
            timeColumn: .receivedAt)
        try follow(feed) { rows, cursor in try self.take(rows, cursor: cursor) }
    }

    /// Stores passages of the other post.
    private func take(_ rows: [PassageRow], cursor: SyncCursor?) throws {
        var matched: Set<UUID> = []
        var passages: [RemotePassage] = []
        for row in rows {
            guard let post = place?.checkposts.first(where: { $0.id == row.checkpost }) else {
                reference.expire()
                throw CycleEnd("The server refers to a checkpost that it has not told; it is asked again.")
            }
            guard post.code != server.checkpostCode, let plate = Plate(told: row.plate) else { continue }
            if row.match != nil { matched.insert(row.clientID) }
            passages.append(
                RemotePassage(
                    clientID: row.clientID, serverID: row.id, plate: plate, vehicleType: row.vehicleType,
                    checkpostCode: post.code, recordedAt: row.recordedAt, clockState: row.clockState,
                    serverSequence: row.serverSequence))
        }
        counts.pulled += try store.upsertRemotePassages(passages, matched: matched, cursor: cursor, at: clock.now)
        try noteKnownUpTo(rows)
    }

    /// The other post sends in order: when one of its uploads is here, so is what it recorded before. An SMS proves nothing of
    /// that, nor does a time ahead of ours.
    private func noteKnownUpTo(_ rows: [PassageRow]) throws {
        let times = rows.filter { $0.source != .sms && $0.clockState != .untrusted }
            .map(\.recordedAt).filter { $0 <= clock.now }
        guard let newest = times.max() else { return }
        if let known = try store.otherPostKnownUpTo(), known >= newest { return }
        try store.set(
            SyncCursor(name: SyncCursor.otherPostKnownUpTo, value: newest.milliseconds), at: clock.now)
    }

    func pullOwnPassages(own: UUID) throws {
        let feed = Feed<KnownPassageRow>(
            columns: try chosenDialect.ownPassages, filters: [(.checkpost, .equals(own))],
            cursor: "pull_own_\(own.sent)", timeColumn: .recordedAt, rescansFrom: oldest,
            atFirst: (.recordedAt, .isAtLeast(try beginning(own: own))))
        try follow(feed) { rows, cursor in
            try self.restore(rows)
            try self.fetchMissing(Set(rows.compactMap(\.match)))
            let words = rows.map {
                OwnServerRow(
                    clientID: $0.clientID, serverID: $0.id, matchedServerID: $0.match,
                    plate: $0.plate.flatMap(Plate.init(told:)))
            }
            try self.store.learn(words, cursor: cursor, at: self.clock.now)
            self.counts.pulled += rows.count { $0.match != nil }
        }
    }

    /// Fetches passages that others refer to and that are not here: those that the server matched as they came.
    private func fetchMissing(_ ids: Set<UUID>) throws {
        try fetch(Array(store.unknownPassages(among: ids)))
    }

    /// Fetches passages by their row ids.
    func fetch(_ ids: [UUID]) throws {
        try forEachRow(withID: ids, columns: chosenDialect.otherPassages) { try self.take($0, cursor: nil) }
    }

    /// Asks for passages by their row ids, a hundred at a time.
    func forEachRow(withID ids: [UUID], columns: [PassageColumn], _ body: ([PassageRow]) throws -> Void) throws {
        let ids = ids.map(\.sent).sorted()
        for start in stride(from: 0, to: ids.count, by: ContractLimits.idsAQuestion) {
            let some = Array(ids[start..<min(start + ContractLimits.idsAQuestion, ids.count)])
            let query = RowQuery<PassageColumn>().whose(.id, .isAmong(some)).telling(columns)
            try body(usableRows(query, PassageRow.self).rows)
        }
    }

    private func pullViolations(_ road: Road) throws {
        let feed = Feed<ViolationRow>(
            columns: try chosenDialect.violations, filters: [(.segment, .equals(road.segment))],
            cursor: "pull_violations_\(road.own.sent)", timeColumn: .createdAt,
            atFirst: (.exitTime, .isAtLeast(try beginning(own: road.own))))
        try follow(feed) { rows, cursor in
            let references = Set(rows.flatMap { [$0.entry, $0.exit] })
            try self.fetchMissing(references)
            // Still unknown: this post's, from before what a new disk gets back. The server has them.
            let unknown = try self.store.unknownPassages(among: references)
            let known = rows.filter { !unknown.contains($0.entry) && !unknown.contains($0.exit) }
            try self.takeViolations(known, cursor: cursor)
            self.counts.pulled += known.count
        }
    }

    func takeViolations(_ rows: [ViolationRow], cursor: SyncCursor?) throws {
        let violations = rows.compactMap { row -> ServerViolation? in
            guard let kind = row.kind, let plate = Plate(told: row.plate), row.distanceKm > 0, row.speedLimitKmh > 0,
                row.exitTime >= row.entryTime
            else { return nil }
            return ServerViolation(
                serverID: row.id, kind: kind, entryServerID: row.entry, exitServerID: row.exit, plate: plate,
                vehicleType: row.vehicleType, entryTime: row.entryTime, exitTime: row.exitTime,
                distanceKm: row.distanceKm, speedLimitKmh: row.speedLimitKmh,
                toleranceKmh: max(0, row.toleranceKmh ?? 0), tolerancePercent: max(0, row.tolerancePercent ?? 0),
                calculatedSpeedKmh: row.calculatedSpeedKmh,
                isImplausible: place.map {
                    SpeedCalculator.isImplausible(travelTime: row.exitTime - row.entryTime, on: $0.segment)
                } ?? false)
        }
        do {
            try store.take(violations, cursor: cursor, at: clock.now)
        } catch let error as StoreError where error.kind == .unknown {
            throw CycleEnd(error.message)
        }
    }
}
