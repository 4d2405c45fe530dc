import Enforcement
import Foundation
import Storage

/// A violation as evidence, with every number that it was judged by. It is written as JSON and as text.
struct EvidenceRecord: Encodable {
    struct Side: Encodable {
        var checkpost: String
        var passage: String
        var recordedAt: String
        var nepalTime: String
        var clock: String?
        var plate: String?
        var read: String?
        var confidence: String?
        var origin: String?
        var by: String?
        var picture: String?
        var pictureSHA256: String?
        var evidence: String?
        var later: [String]

        enum CodingKeys: String, CodingKey {
            case checkpost, passage, clock, plate, read, confidence, origin, by, picture, evidence, later
            case recordedAt = "recorded_at"
            case nepalTime = "nepal_time"
            case pictureSHA256 = "picture_sha256"
        }
    }

    var violation: String
    var kind: String
    var plate: String
    var vehicleType: String
    var state: String
    var entry: Side
    var exit: Side
    var distanceKm: Double
    var distanceCertificate: String?
    var speedLimitKmh: Double
    var toleranceKmh: Double
    var tolerancePercent: Double
    var comparedWithKmh: Double
    var travelSeconds: String
    var speedKmh: String?
    var formula: String
    var outcome: String?
    var outcomeBy: String?
    var madeAt: String
    var madeBy: String
    var problems: [String]

    enum CodingKeys: String, CodingKey {
        case violation, kind, plate, state, entry, exit, formula, outcome, problems
        case vehicleType = "vehicle_type"
        case distanceKm = "distance_km"
        case distanceCertificate = "distance_certificate"
        case speedLimitKmh = "speed_limit_kmh"
        case toleranceKmh = "tolerance_kmh"
        case tolerancePercent = "tolerance_percent"
        case comparedWithKmh = "compared_with_kmh"
        case travelSeconds = "travel_seconds"
        case speedKmh = "speed_kmh"
        case outcomeBy = "outcome_by"
        case madeAt = "made_at"
        case madeBy = "made_by"
    }

    init(_ stored: StoredViolation, entry: Side, exit: Side, certificate: String?, problems: [String], at now: Instant)
    {
        let found = stored.violation
        violation = found.id.uuidString.lowercased()
        kind = found.kind.rawValue
        plate = found.plate.canonical
        vehicleType = found.vehicleType.rawValue
        state = found.state.rawValue
        self.entry = entry
        self.exit = exit
        distanceKm = found.distanceKm
        distanceCertificate = certificate
        speedLimitKmh = found.speedLimitKmh
        toleranceKmh = found.toleranceKmh
        tolerancePercent = found.tolerancePercent
        comparedWithKmh = found.thresholdSpeedKmh
        let seconds = Wording.decimal(Double(found.travelTime.milliseconds) / 1000, 3)
        travelSeconds = seconds
        let speed = found.travelTime.milliseconds > 0 ? found.distanceKm / found.travelTime.hours : nil
        speedKmh = speed.map { Wording.decimal($0, 3) }
        formula =
            "\(Wording.number(found.distanceKm)) km x 3600 / \(seconds) s = "
            + (speed.map { Wording.decimal($0, 3) + " km/h" } ?? "infinitely fast")
        outcome = stored.outcome?.kind.rawValue
        outcomeBy = stored.outcome?.recordedBy
        madeAt = now.iso8601
        madeBy = "checkpost \(Version.text)"
        self.problems = problems
    }

    /// For people, the same in lines.
    var text: String {
        rows.map { name, value in
            "\(name.padding(toLength: 20, withPad: " ", startingAt: 0))\(value)\n"
        }.joined()
    }

    /// What each number and name is, with its value.
    var rows: [(name: String, value: String)] {
        func lines(_ name: String, _ side: Side) -> [(String, String?)] {
            [
                (name, side.checkpost), ("  passage", side.passage), ("  time (UTC)", side.recordedAt),
                ("  time in Nepal", side.nepalTime), ("  clock", side.clock), ("  plate", side.plate),
                ("  read as", side.read), ("  confidence", side.confidence), ("  recorded as", side.origin),
                ("  confirmed by", side.by), ("  picture", side.picture), ("  SHA-256 of it", side.pictureSHA256),
                ("  signed in", side.evidence),
            ] + side.later.map { ("  later", $0) }
        }
        let rows: [(String, String?)] =
            [
                ("violation", violation), ("kind", kind), ("plate", plate), ("vehicle", vehicleType), ("state", state),
            ] + lines("entry", entry) + lines("exit", exit) + [
                ("distance", "\(Wording.number(distanceKm)) km"), ("certificate of it", distanceCertificate),
                ("limit", "\(Wording.number(speedLimitKmh)) km/h"),
                (
                    "tolerance",
                    "\(Wording.number(toleranceKmh)) km/h or \(Wording.number(tolerancePercent)) %, the larger counts"
                ),
                ("compared with", "\(Wording.number(comparedWithKmh)) km/h"), ("time between", "\(travelSeconds) s"),
                ("speed", formula), ("outcome", outcome), ("outcome by", outcomeBy), ("made", "\(madeAt) by \(madeBy)"),
            ] + problems.map { ("not whole", $0) }
        return rows.map { ($0, $1.map { LogText.of($0, limit: 500) } ?? "none") }
    }
}
