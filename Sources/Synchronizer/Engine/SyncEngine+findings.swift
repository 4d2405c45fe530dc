import Enforcement
import Foundation
import Storage

/// What others did about the findings: outcomes of violations, and overstay alerts that were raised, resolved or dismissed.
extension SyncEngine {
    /// An open violation may be weeks old when somebody settles it.
    private static let outcomeAge = TimeSpan.hours(31 * 24)

    private var outcomeColumns: String {
        "violation_id,outcome_type,fine_amount,notes,recorded_by,recorded_at"
            + (isExtended != false ? ",acted_by,server_seq" : "")
    }

    /// Outcomes of the segment's violations, the other post's and the warden's among them. The server shows no others.
    func pullOutcomes(own: String) throws {
        let since = try min(clock.now - Self.outcomeAge, beginning(own: own))
        let feed = Feed(
            table: "violation_outcomes", columns: outcomeColumns, filters: [], cursor: "pull_outcomes_\(own)",
            timeColumn: "recorded_at", rescansFrom: oldest, atFirst: [("recorded_at", "gte.\(since.iso8601)")])
        try follow(feed) { (row: ServerRows.Outcome) in
            (row.server_seq, row.recorded_at.instant)
        } apply: { rows, cursor in
            self.counts.pulled += try self.store.take(
                rows.compactMap(\.outcome), cursor: cursor, at: self.clock.now)
        }
    }

    /// The outcome that the server has of a violation; nil when it shows none. Where it can't be read, the verdict says why: what is
    /// not known must not be written over.
    func outcomeAtServer(of violation: String) throws -> (verdict: Verdict, outcome: ServerRows.Outcome?) {
        let reply = try exchange(
            SyncRequest(
                .get, "/rest/v1/violation_outcomes",
                query: [("violation_id", "eq.\(violation)"), ("select", outcomeColumns)]))
        let verdict = Verdict(reply, identities: [], at: clock.now)
        guard case .accepted = verdict, case .answered(let answer) = reply else { return (verdict, nil) }
        do {
            return (verdict, try answer.rows(ServerRows.Outcome.self).first)
        } catch {
            return (.unwell(error.reason, retryAfter: nil), nil)
        }
    }

    func pullAlerts(segment: String, own: String) throws {
        var columns = "entry_passage_id,plate_number,vehicle_type,entry_time,expected_exit_by,resolved,resolved_at"
        if isExtended != false, keepsChanges == true { columns += ",resolved_by,resolved_reason" }
        let feed = Feed(
            table: "proactive_overstay_alerts",
            columns: columns + (isExtended != false ? ",server_seq" : ",created_at"),
            filters: [("segment_id", "eq.\(segment)")], cursor: "pull_alerts_\(own)", timeColumn: "created_at",
            rescansFrom: oldest, atFirst: [("entry_time", "gte.\(try beginning(own: own).iso8601)")])
        try follow(feed) { (row: ServerRows.Alert) in
            (row.server_seq, row.created_at?.instant)
        } apply: { rows, cursor in
            let alerts = rows.compactMap { row -> ServerAlert? in
                guard let plate = Plate(server: row.plate_number) else { return nil }
                return ServerAlert(
                    entryServerID: row.entry_passage_id, plate: plate,
                    vehicleType: VehicleType(rawValue: row.vehicle_type) ?? .other,
                    entryTime: row.entry_time.instant, expectedExitBy: row.expected_exit_by.instant,
                    resolvedAt: row.resolved ? row.resolved_at?.instant ?? self.clock.now : nil,
                    resolvedBy: row.resolved_by, resolvedReason: row.resolved_reason)
            }
            try self.store.take(alerts, cursor: cursor, at: self.clock.now)
        }
    }
}
