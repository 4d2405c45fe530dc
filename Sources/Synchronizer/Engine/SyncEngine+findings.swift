import Enforcement
import Foundation
import ParkAPI
import Storage

/// What others did about the findings: outcomes of violations, and overstay alerts that were raised, resolved or dismissed.
extension SyncEngine {
    /// An open violation may be weeks old when somebody settles it.
    private static let outcomeAge = TimeSpan.hours(31 * 24)

    /// Outcomes of the segment's violations, the other post's and the warden's among them. The server shows no others.
    func pullOutcomes(_ road: Road) throws {
        let since = try min(clock.now - Self.outcomeAge, beginning(own: road.own))
        let feed = Feed<OutcomeRow>(
            columns: try chosenDialect.outcomes, cursor: "pull_outcomes_\(road.own.sent)", timeColumn: .recordedAt,
            rescansFrom: oldest, atFirst: (.recordedAt, .isAtLeast(since)))
        try follow(feed) { rows, cursor in
            self.counts.pulled += try self.store.take(
                rows.compactMap(\.outcome), cursor: cursor, at: self.clock.now)
        }
    }

    func pullAlerts(_ road: Road) throws {
        let feed = Feed<AlertRow>(
            columns: try chosenDialect.alerts, filters: [(.segment, .equals(road.segment))],
            cursor: "pull_alerts_\(road.own.sent)", timeColumn: .createdAt, rescansFrom: oldest,
            atFirst: (.entryTime, .isAtLeast(try beginning(own: road.own))))
        try follow(feed) { rows, cursor in
            let alerts = rows.compactMap { row -> ServerAlert? in
                guard let plate = Plate(told: row.plate) else { return nil }
                return ServerAlert(
                    entryServerID: row.entry, plate: plate, vehicleType: row.vehicleType, entryTime: row.entryTime,
                    expectedExitBy: row.expectedExitBy,
                    resolvedAt: row.isResolved ? row.resolvedAt ?? self.clock.now : nil, resolvedBy: row.resolvedBy,
                    resolvedReason: row.resolvedReason)
            }
            try self.store.take(alerts, cursor: cursor, at: self.clock.now)
        }
    }
}

extension OutcomeRow {
    /// As the box keeps it; nil for a kind that it doesn't know.
    var outcome: ServerOutcome? {
        guard let kind else { return nil }
        return ServerOutcome(
            violationServerID: violation,
            outcome: Outcome(
                kind: kind, fineAmount: fineAmount.flatMap { $0 >= 0 ? $0 : nil }, notes: notes, recordedBy: author,
                recordedAt: recordedAt), isNamed: actedBy != nil)
    }

    /// Who acted, as far as the server tells: a client other than ours names nobody.
    var author: String { actedBy ?? "the park's server" }
}
