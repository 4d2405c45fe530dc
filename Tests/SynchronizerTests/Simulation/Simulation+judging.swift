import Enforcement
import Foundation

@testable import Synchronizer

/// What the server's triggers do.
extension Simulation {
    func arrived(_ row: ParkServer.Row) {
        guard let passage = ParkServer.passage(row) else { return }
        // A corrected plate is judged anew; the passage came before. A text's passage is uploaded later.
        let isText = row["client_id"] as? String == row["sms_client_id"] as? String
        if !isText { uploaded(passage.checkpostCode, passage.clientID.uuidString.lowercased()) }
        pair(around: row)
    }

    /// Works out the pairs around a passage that is there, or was.
    func pair(around row: ParkServer.Row) {
        guard let passage = ParkServer.passage(row) else { return }
        let walk = PairWalk(window: PassageMatcher.defaultWindow)
        let decision = walk.decide(around: passage.recordedAt, among: park.steps(of: passage.plate))
        for id in decision.parted { park.part(id) }
        for match in decision.joined { judge(match) }
    }

    private func judge(_ match: Match) {
        guard let entry = park.row(of: match.entry.clientID), let exit = park.row(of: match.exit.clientID) else {
            return
        }
        park.link(entry, exit)
        guard let violation = Violation(match, on: Self.segment, id: match.exit.clientID) else { return }
        park.insert(
            "violations",
            [
                "segment_id": ParkServer.segment, "entry_passage_id": entry, "exit_passage_id": exit,
                "violation_type": violation.kind.rawValue, "plate_number": violation.plate.compact,
                "vehicle_type": "car",
                "entry_time": violation.entryTime.iso8601, "exit_time": violation.exitTime.iso8601,
                "calculated_speed_kmh": violation.calculatedSpeedKmh ?? NSNull() as Any,
                "speed_limit_kmh": violation.speedLimitKmh, "distance_km": Self.segment.distanceKm,
                "created_at": (park.clock?.now ?? SimulatedClock.start).iso8601,
            ])
    }

    /// The upload of a passage, also one that completes its text: the order of these is kept.
    func uploaded(_ post: String, _ clientID: String) {
        if !arrivals.contains(where: { $0.clientID == clientID }) { arrivals.append((post, clientID)) }
    }
}
