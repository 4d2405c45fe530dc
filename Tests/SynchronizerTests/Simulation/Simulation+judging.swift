import Enforcement
import Foundation

@testable import Synchronizer

/// What the server's triggers do.
extension Simulation {
    /// The same plate at the other post, unmatched, within the window, nearest in time.
    func arrived(_ row: ParkServer.Row) {
        let posts = [ParkServer.postA: "BNP-A", ParkServer.postB: "BNP-B"]
        guard let id = row["id"] as? String, let passage = Self.passage(row, posts) else { return }
        let arrived = passage.clientID.uuidString.lowercased()
        // A corrected plate is judged anew; the passage came before. A text's passage is uploaded later.
        let isText = row["client_id"] as? String == row["sms_client_id"] as? String
        if !isText { uploaded(passage.checkpostCode, arrived) }
        let open = park.rows("vehicle_passages").filter { $0["matched_passage_id"] is NSNull }
        let others = open.compactMap { Self.passage($0, posts) }
        guard case .matched(let match) = PassageMatcher().match(passage, among: others) else { return }
        let isEntry = match.entry.clientID == passage.clientID
        let partner = isEntry ? match.exit : match.entry
        let ids = Dictionary(uniqueKeysWithValues: open.map { ("\($0["client_id"] ?? "")", "\($0["id"] ?? "")") })
        guard let partnerID = ids[partner.clientID.uuidString.lowercased()] else { return }
        park.link(id, partnerID)
        guard let violation = Violation(match, on: Self.segment, id: passage.clientID) else { return }
        park.insert(
            "violations",
            [
                "segment_id": ParkServer.segment, "entry_passage_id": isEntry ? id : partnerID,
                "exit_passage_id": isEntry ? partnerID : id, "violation_type": violation.kind.rawValue,
                "plate_number": violation.plate.compact, "vehicle_type": "car",
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

    private static func passage(_ row: ParkServer.Row, _ posts: [String: String]) -> MatchablePassage? {
        guard let id = (row["client_id"] as? String).flatMap(UUID.init(uuidString:)),
            let time = (row["recorded_at"] as? String).flatMap(Instant.init(iso8601:)),
            let plate = row["plate_number"] as? String, let post = posts["\(row["checkpost_id"] ?? "")"]
        else { return nil }
        let state = (row["clock_state"] as? String).flatMap(ClockState.init(rawValue:)) ?? .synchronised
        return MatchablePassage(
            clientID: id, plate: Plate(canonical: plate), vehicleType: .car, checkpostCode: post, recordedAt: time,
            clockState: state)
    }
}
