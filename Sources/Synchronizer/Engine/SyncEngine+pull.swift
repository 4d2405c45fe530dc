import Enforcement
import Foundation
import Storage

/// Fetching what the server knows. A cursor moves with the rows that it covers, in one transaction.
extension SyncEngine {
    func pull() throws {
        guard let place, let segment = place.segment.id?.uuidString.lowercased(),
            let own = place.checkposts.first(where: { $0.code == server.checkpostCode })?.id?.uuidString.lowercased()
        else { throw CycleEnd("The server has not told where \(server.checkpostCode) stands.") }
        // A server that was restored from a backup says what was true then: first it gets what it lost.
        guard try repairIfServerWentBack(own: own) else { return requestCycle() }
        let before = counts.pulled
        // Before the passages: what waited then is not passed over by what came since.
        try pullReviews(own: own)
        try pullOtherPost(segment: segment, own: own)
        try pullChanges(own: own)
        try pullOwnWithdrawals(own: own)
        try pullDeletions(own: own)
        try pullOwnPassages(own: own)
        try pullViolations(segment: segment, own: own)
        try pullOutcomes(own: own)
        try store.withdrawUnconfirmedViolations(at: clock.now)
        try pullAlerts(segment: segment, own: own)
        try forgetTaken()
        if counts.pulled > before { try surroundings.passagesArrived(at: clock.now) }
        try checkPeople()
        try sendFindingsAgainIfDue()
        try proposeMatches()
        if try !compareIfDue(own: own) { requestCycle() }
    }

    /// What one kind of rows is fetched by.
    struct Feed {
        var table: String
        var columns: String
        var filters: [(String, String)]
        /// Names the cursor; with the post's id, since another post begins anew.
        var cursor: String
        /// The column of times that pages follow where there is no sequence number.
        var timeColumn: String
        /// Against such a server the whole span is read again each time, since old rows change.
        var rescansFrom: Instant?
        /// A post that has no rows yet, with a new disk for instance, begins with these: not with all that there ever was. See `beginning`.
        var atFirst: [(String, String)] = []
    }

    /// Asks page after page and hands each to `apply`, with the cursor that covers it.
    ///
    /// With sequence numbers a page is what follows the cursor. Without, pages go by time, the first one overlapping what is
    /// known by some seconds, and by offset, so that any number of rows with one time gets through; the cursor
    /// moves when the last page is there.
    func follow<Row: Decodable>(
        _ feed: Feed, position: (Row) -> (sequence: Int64?, time: Instant?), apply: ([Row], SyncCursor?) throws -> Void
    ) throws {
        let known = try store.cursor(feed.cursor)
        let size = min(max(settings.pageSize, 1), 500)
        var last = known ?? 0
        var latest = known ?? 0
        for page in 0..<settings.maximumPagesACycle {
            var query = feed.filters + (known == nil ? feed.atFirst : [])
            query += [("select", feed.columns), ("limit", String(size))]
            if isExtended != false {
                query += [("server_seq", "gt.\(last)"), ("order", "server_seq.asc")]
            } else {
                let unknown = Instant(milliseconds: known ?? 0) - settings.overlap
                // After weeks without a link, from where it ended.
                let from = feed.rescansFrom.map { known == nil ? $0 : min($0, unknown) } ?? unknown
                query += [
                    (feed.timeColumn, "gte.\(from.iso8601)"), ("order", "\(feed.timeColumn).asc,id.asc"),
                    ("offset", String(page * size)),
                ]
            }
            let answer = try ask(SyncRequest(.get, "/rest/v1/\(feed.table)", query: query))
            let (rows, unreadable) = try answer.usableRows(Row.self)
            counts.leftOut += unreadable
            guard rows.count + unreadable <= size else {
                throw CycleEnd("The server gave more rows than were asked for.")
            }
            let isLast = rows.count + unreadable < size
            for row in rows {
                let place = position(row)
                if isExtended != false {
                    guard let sequence = place.sequence, sequence > last else {
                        throw CycleEnd("The server's rows of \(feed.table) are out of order.")
                    }
                    last = sequence
                } else if let time = place.time {
                    latest = max(latest, time.milliseconds)
                }
            }
            let value = isExtended != false ? last : isLast ? latest : known ?? 0
            let mark = isExtended != false ? (rows.last as? any ServerRows.Marked)?.id : nil
            if !rows.isEmpty { try apply(rows, SyncCursor(name: feed.cursor, value: value, row: mark)) }
            if isLast { return }
        }
    }

    var oldest: Instant { clock.now - settings.window - settings.windowBuffer }

    /// From when on a post reads what others did. It stays where it was when the post asked for the first time: what happened since is
    /// not passed over by a post that had no link for a week before anything concerned it. A post that asks for the first time with
    /// records of its own begins with what these may belong to.
    func beginning(own: String) throws -> Instant {
        let name = "pull_began_\(own)"
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

    private static let passageColumns =
        "id,client_id,plate_number,vehicle_type,checkpost_id,recorded_at,source,matched_passage_id"

    private var passageColumns: String {
        isExtended != false
            ? Self.passageColumns + ",clock_state,server_seq" : Self.passageColumns + ",server_received_at"
    }

    private func pullOtherPost(segment: String, own: String) throws {
        var filters = [
            ("segment_id", "eq.\(segment)"), ("checkpost_id", "neq.\(own)"), ("recorded_at", "gte.\(oldest.iso8601)"),
        ]
        // Without sequence numbers pages go by offset: rows that were matched between two pages must not drop out of them.
        if isExtended != false { filters.append(("matched_passage_id", "is.null")) }
        let feed = Feed(
            table: "vehicle_passages", columns: passageColumns, filters: filters, cursor: "pull_other_\(own)",
            timeColumn: "server_received_at")
        try follow(feed) { (row: ServerRows.Passage) in
            (row.server_seq, row.server_received_at?.instant)
        } apply: { rows, cursor in
            try self.take(rows, cursor: cursor)
        }
    }

    /// Stores passages of the other post.
    private func take(_ rows: [ServerRows.Passage], cursor: SyncCursor?) throws {
        var matched: Set<UUID> = []
        var passages: [RemotePassage] = []
        for row in rows {
            guard let post = place?.checkposts.first(where: { $0.id == row.checkpost_id }) else {
                nextReference = clock.uptime
                throw CycleEnd("The server refers to a checkpost that it has not told; it is asked again.")
            }
            guard post.code != server.checkpostCode, let plate = Plate(server: row.plate_number) else { continue }
            if row.matched_passage_id != nil { matched.insert(row.client_id) }
            passages.append(
                RemotePassage(
                    clientID: row.client_id, serverID: row.id, plate: plate,
                    vehicleType: VehicleType(rawValue: row.vehicle_type) ?? .other, checkpostCode: post.code,
                    recordedAt: row.recorded_at.instant,
                    clockState: row.clock_state.flatMap(ClockState.init(rawValue:)) ?? .synchronised,
                    serverSequence: row.server_seq))
        }
        counts.pulled += try store.upsertRemotePassages(passages, matched: matched, cursor: cursor, at: clock.now)
        try noteKnownUpTo(rows)
    }

    /// The other post sends in order: when one of its uploads is here, so is what it recorded before. An SMS proves nothing of
    /// that, nor does a time ahead of ours.
    private func noteKnownUpTo(_ rows: [ServerRows.Passage]) throws {
        let times = rows.filter { $0.source != "sms" && $0.clock_state != ClockState.untrusted.rawValue }
            .map(\.recorded_at.instant).filter { $0 <= clock.now }
        guard let newest = times.max() else { return }
        if let known = try store.otherPostKnownUpTo(), known >= newest { return }
        try store.set(
            SyncCursor(name: SyncCursor.otherPostKnownUpTo, value: newest.milliseconds), at: clock.now)
    }

    func pullOwnPassages(own: String) throws {
        let columns = "id,client_id,plate_number,matched_passage_id,recorded_at"
        let feed = Feed(
            table: "vehicle_passages", columns: isExtended != false ? columns + ",server_seq" : columns,
            filters: [("checkpost_id", "eq.\(own)")], cursor: "pull_own_\(own)", timeColumn: "recorded_at",
            rescansFrom: oldest, atFirst: [("recorded_at", "gte.\(try beginning(own: own).iso8601)")])
        try follow(feed) { (row: ServerRows.OwnPassage) in
            (row.server_seq, row.recorded_at?.instant)
        } apply: { rows, cursor in
            try self.restore(rows)
            try self.fetchMissing(Set(rows.compactMap(\.matched_passage_id)))
            let words = rows.map {
                OwnServerRow(
                    clientID: $0.client_id, serverID: $0.id, matchedServerID: $0.matched_passage_id,
                    plate: $0.plate_number.flatMap(Plate.init(server:)))
            }
            try self.store.learn(words, cursor: cursor, at: self.clock.now)
            self.counts.pulled += rows.count { $0.matched_passage_id != nil }
        }
    }

    /// Fetches passages that others refer to and that are not here: those that the server matched as they came.
    private func fetchMissing(_ ids: Set<UUID>) throws {
        try fetch(Array(store.unknownPassages(among: ids)))
    }

    /// Fetches passages by their row ids.
    func fetch(_ ids: [UUID]) throws {
        try forEachRow(withID: ids, columns: passageColumns) { try self.take($0, cursor: nil) }
    }

    /// Asks for passages by their row ids, a hundred at a time.
    func forEachRow<Row: Decodable>(withID ids: [UUID], columns: String, _ body: ([Row]) throws -> Void) throws {
        let ids = ids.map { $0.uuidString.lowercased() }.sorted()
        for start in stride(from: 0, to: ids.count, by: 100) {
            let list = ids[start..<min(start + 100, ids.count)].joined(separator: ",")
            try body(
                ask(
                    SyncRequest(
                        .get, "/rest/v1/vehicle_passages", query: [("id", "in.(\(list))"), ("select", columns)])
                ).usableRows(Row.self).rows)
        }
    }

    private func pullViolations(segment: String, own: String) throws {
        let columns =
            "id,entry_passage_id,exit_passage_id,violation_type,plate_number,vehicle_type,entry_time,exit_time,"
            + "calculated_speed_kmh,speed_limit_kmh,distance_km"
            + (knowsTolerance ? ",tolerance_kmh,tolerance_percent" : "")
        let feed = Feed(
            table: "violations", columns: columns + (isExtended != false ? ",server_seq" : ",created_at"),
            filters: [("segment_id", "eq.\(segment)")], cursor: "pull_violations_\(own)", timeColumn: "created_at",
            atFirst: [("exit_time", "gte.\(try beginning(own: own).iso8601)")])
        try follow(feed) { (row: ServerRows.Violation) in
            (row.server_seq, row.created_at?.instant)
        } apply: { rows, cursor in
            let references = Set(rows.flatMap { [$0.entry_passage_id, $0.exit_passage_id] })
            try self.fetchMissing(references)
            // Still unknown: this post's, from before what a new disk gets back. The server has them.
            let unknown = try self.store.unknownPassages(among: references)
            let known = rows.filter { !unknown.contains($0.entry_passage_id) && !unknown.contains($0.exit_passage_id) }
            try self.takeViolations(known, cursor: cursor)
            self.counts.pulled += known.count
        }
    }

    func takeViolations(_ rows: [ServerRows.Violation], cursor: SyncCursor?) throws {
        let violations = rows.compactMap { row -> ServerViolation? in
            guard let kind = Violation.Kind(rawValue: row.violation_type), let plate = Plate(server: row.plate_number),
                row.distance_km > 0, row.speed_limit_kmh > 0, row.exit_time.instant >= row.entry_time.instant
            else { return nil }
            let travelTime = row.exit_time.instant - row.entry_time.instant
            return ServerViolation(
                serverID: row.id, kind: kind, entryServerID: row.entry_passage_id, exitServerID: row.exit_passage_id,
                plate: plate, vehicleType: VehicleType(rawValue: row.vehicle_type) ?? .other,
                entryTime: row.entry_time.instant, exitTime: row.exit_time.instant, distanceKm: row.distance_km,
                speedLimitKmh: row.speed_limit_kmh, toleranceKmh: max(0, row.tolerance_kmh ?? 0),
                tolerancePercent: max(0, row.tolerance_percent ?? 0), calculatedSpeedKmh: row.calculated_speed_kmh,
                isImplausible: place.map { SpeedCalculator.isImplausible(travelTime: travelTime, on: $0.segment) }
                    ?? false)
        }
        do {
            try store.take(violations, cursor: cursor, at: clock.now)
        } catch let error as StoreError where error.kind == .unknown {
            throw CycleEnd(error.message)
        }
    }
}
