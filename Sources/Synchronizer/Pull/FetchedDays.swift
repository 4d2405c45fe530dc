import Enforcement
import Foundation
import ParkAPI
import Storage

/// Days of the other post that a person wants fetched once more though the cursors are past them: its passages, and the violations, outcomes and
/// alerts of those days. What is here already stays one; a power cut costs a page.
struct FetchedDays {
    /// So many pages a cycle: what is new goes before.
    static let pagesACycle = 2
    private static let longestPage = TimeSpan.hours(24)

    let context: SyncContext
    let others: OtherPassages
    let findings: Findings

    func pull(_ road: Road) throws {
        for _ in 0..<Self.pagesACycle {
            guard var days = try context.store.days.wanted(.fetch) else { return }
            try pullPage(&days, road)
            try context.store.days.move(days, at: context.clock.now)
        }
        context.requestCycle()
    }

    private func pullPage(_ days: inout WantedDays, _ road: Road) throws {
        let (dialect, from) = (try context.chosenDialect, days.place)
        let size = context.pageSize
        var end = min(from + Self.longestPage, days.until)
        /// A page that is full tells as far as its last row. So many vehicles in one moment are no vehicles.
        func shorten(_ count: Int, to last: Instant?) {
            guard count >= size, let last else { return }
            end = min(end, max(last, from + .milliseconds(1)))
        }
        let passages = RowQuery<PassageColumn>().whose(.segment, .equals(road.segment))
            .whose(.checkpost, .differsFrom(road.own.sent)).whose(.recordedAt, .isAtLeast(from))
            .whose(.recordedAt, .isBefore(end)).telling(dialect.otherPassages).inOrder(of: [.recordedAt, .id])
        let (rows, unreadable) = try context.usableRows(passages.limited(to: size), PassageRow.self)
        shorten(rows.count + unreadable, to: rows.last?.recordedAt)
        let judged = RowQuery<ViolationColumn>().whose(.segment, .equals(road.segment))
            .whose(.exitTime, .isAtLeast(from)).whose(.exitTime, .isBefore(end)).telling(dialect.violations)
            .inOrder(of: [.exitTime, .id])
        let violations = try context.usableRows(judged.limited(to: size), ViolationRow.self).rows
        shorten(violations.count, to: violations.last?.exitTime)
        let raised = RowQuery<AlertColumn>().whose(.segment, .equals(road.segment))
            .whose(.entryTime, .isAtLeast(from)).whose(.entryTime, .isBefore(end)).telling(dialect.alerts)
            .inOrder(of: [.entryTime, .id])
        let alerts = try context.usableRows(raised.limited(to: size), AlertRow.self).rows
        shorten(alerts.count, to: alerts.last?.entryTime)
        try others.take(rows, cursor: nil)
        try findings.takeKnown(violations, cursor: nil)
        try takeOutcomes(of: violations.map(\.id), dialect)
        try findings.take(alerts, cursor: nil)
        context.counts.leftOut += unreadable
        days.count += rows.count + violations.count + alerts.count
        days.place = end
    }

    private func takeOutcomes(of violations: [UUID], _ dialect: ServerDialect) throws {
        for start in stride(from: 0, to: violations.count, by: ContractLimits.idsAQuestion) {
            let some = Array(violations[start..<min(start + ContractLimits.idsAQuestion, violations.count)])
            let query = RowQuery<OutcomeColumn>().whose(.violation, .isAmong(some)).telling(dialect.outcomes)
            try findings.take(context.usableRows(query, OutcomeRow.self).rows, cursor: nil)
        }
    }
}
