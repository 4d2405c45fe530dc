import Enforcement
import Foundation
import ParkAPI
import Storage

/// What the server found, and what others did about it: violations and their outcomes, and overstay alerts that were raised, resolved or
/// dismissed.
struct Findings {
    /// An open violation may be weeks old when somebody settles it.
    private static let outcomeAge = TimeSpan.hours(31 * 24)

    let context: SyncContext
    let pages: PageReader
    let others: OtherPassages

    /// - Returns: whether everything was read.
    func pullViolations(_ road: Road) throws -> Bool {
        let feed = Feed<ViolationRow>(
            columns: try context.chosenDialect.violations, filters: [(.segment, .equals(road.segment))],
            cursor: PullCursor.violations.name(of: road.own), timeColumn: .createdAt,
            atFirst: (.exitTime, .isAtLeast(try pages.beginning(own: road.own))))
        return try pages.follow(feed) { rows, cursor in try takeKnown(rows, cursor: cursor) }
    }

    /// Takes those whose passages are here, or come when they are asked for.
    func takeKnown(_ rows: [ViolationRow], cursor: SyncCursor?) throws {
        let references = Set(rows.flatMap { [$0.entry, $0.exit] })
        try others.fetchMissing(references)
        // Still unknown: this post's, from before what a new disk gets back. The server has them.
        let unknown = try context.store.reconciliation.unknownPassages(among: references)
        let known = rows.filter { !unknown.contains($0.entry) && !unknown.contains($0.exit) }
        try take(known, cursor: cursor)
        context.counts.pulled += known.count
    }

    func take(_ rows: [ViolationRow], cursor: SyncCursor?) throws {
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
                isImplausible: context.place.map {
                    SpeedCalculator.isImplausible(travelTime: row.exitTime - row.entryTime, on: $0.segment)
                } ?? false)
        }
        do {
            try context.store.reconciliation.take(violations, cursor: cursor, at: context.clock.now)
        } catch let error as StoreError where error.kind == .unknown {
            throw CycleEnd(error.message)
        }
    }

    /// Outcomes of the segment's violations, the other post's and the warden's among them. The server shows no others.
    ///
    /// - Returns: whether everything was read.
    func pullOutcomes(_ road: Road) throws -> Bool {
        let since = try min(context.clock.now - Self.outcomeAge, pages.beginning(own: road.own))
        let feed = Feed<OutcomeRow>(
            columns: try context.chosenDialect.outcomes, cursor: PullCursor.outcomes.name(of: road.own),
            timeColumn: .recordedAt,
            rescansFrom: pages.oldest, atFirst: (.recordedAt, .isAtLeast(since)))
        return try pages.follow(feed) { rows, cursor in try take(rows, cursor: cursor) }
    }

    func take(_ rows: [OutcomeRow], cursor: SyncCursor?) throws {
        let account = context.session.tokens?.userID
        context.counts.pulled += try context.store.reconciliation.take(
            rows.compactMap { $0.outcome(account: account) }, cursor: cursor, at: context.clock.now)
    }

    /// - Returns: whether everything was read.
    func pullAlerts(_ road: Road) throws -> Bool {
        let feed = Feed<AlertRow>(
            columns: try context.chosenDialect.alerts, filters: [(.segment, .equals(road.segment))],
            cursor: PullCursor.alerts.name(of: road.own), timeColumn: .createdAt, rescansFrom: pages.oldest,
            atFirst: (.entryTime, .isAtLeast(try pages.beginning(own: road.own))))
        return try pages.follow(feed) { rows, cursor in try take(rows, cursor: cursor) }
    }

    func take(_ rows: [AlertRow], cursor: SyncCursor?) throws {
        let alerts = rows.compactMap { row -> ServerAlert? in
            guard let plate = Plate(told: row.plate) else { return nil }
            return ServerAlert(
                entryServerID: row.entry, plate: plate, vehicleType: row.vehicleType, entryTime: row.entryTime,
                expectedExitBy: row.expectedExitBy,
                resolvedAt: row.isResolved ? row.resolvedAt ?? context.clock.now : nil, resolvedBy: row.resolvedBy,
                resolvedReason: row.resolvedReason)
        }
        try context.store.reconciliation.take(alerts, cursor: cursor, at: context.clock.now)
    }
}

extension OutcomeRow {
    /// As the box keeps it; nil for a kind that it doesn't know.
    ///
    /// - Parameter account: this post's.
    func outcome(account: UUID?) -> ServerOutcome? {
        guard let kind else { return nil }
        return ServerOutcome(
            violationServerID: violation,
            outcome: Outcome(
                kind: kind, fineAmount: fineAmount.flatMap { $0 >= 0 ? $0 : nil }, notes: notes, recordedBy: author,
                recordedAt: recordedAt), isNamed: actedBy != nil, isOwn: account != nil && recordedBy == account)
    }

    /// Who acted, as far as the server tells: a client other than ours names nobody.
    var author: String { actedBy ?? "the park's server" }
}
