import Appliance
import Enforcement
import Foundation
import Storage

/// A passage as programs get it.
struct PassageRow: Encodable {
    let clientID: String
    let plate: String
    let text: String
    let raw: String
    let vehicleType: String
    let checkpost: String
    let recordedAt: String
    let clockState: String
    let confidence: Double?
    let origin: String
    let photoSHA256: String?
    let actedBy: String?
    let isCorrected: Bool
    let isWithdrawn: Bool
    let isMatched: Bool
    let counterpart: String?
    let violation: String?
    let syncState: String?

    /// Only in the last row of an export: what waits for review at the post.
    var postReviews: PostReviewsRow?

    enum CodingKeys: String, CodingKey {
        case clientID = "client_id"
        case plate, text, raw
        case vehicleType = "vehicle_type"
        case checkpost
        case recordedAt = "recorded_at"
        case clockState = "clock_state"
        case confidence, origin
        case photoSHA256 = "photo_sha256"
        case actedBy = "acted_by"
        case isCorrected = "corrected"
        case isWithdrawn = "withdrawn"
        case isMatched = "matched"
        case counterpart, violation
        case syncState = "sync_state"
        case postReviews = "post_reviews"
    }

    init(_ stored: StoredPassage) {
        let passage = stored.passage
        clientID = passage.clientID.uuidString.lowercased()
        plate = passage.plate.compact
        text = passage.plate.canonical
        raw = passage.plateRaw
        vehicleType = passage.vehicleType.rawValue
        checkpost = passage.checkpostCode
        recordedAt = passage.recordedAt.iso8601
        clockState = passage.clockState.rawValue
        confidence = passage.confidence
        origin = passage.origin.rawValue
        photoSHA256 = passage.photoSHA256
        actedBy = passage.actedBy
        isCorrected = stored.isCorrected
        isWithdrawn = stored.withdrawnAt != nil
        isMatched = stored.isMatched
        counterpart = stored.counterpart?.clientID.uuidString.lowercased()
        violation = stored.violation?.kind.rawValue
        syncState = stored.queueStatus?.rawValue
    }
}

/// A violation as programs get it.
struct ViolationRow: Encodable {
    let id: String
    let kind: String
    let plate: String
    let text: String
    let vehicleType: String
    let entryTime: String
    let exitTime: String
    let travelTimeMinutes: Double
    let thresholdMinutes: Double
    let calculatedSpeedKmh: Double?
    let speedLimitKmh: Double
    let toleranceKmh: Double
    let tolerancePercent: Double
    let distanceKm: Double
    let isImplausible: Bool
    let state: String
    let exemptReason: String?
    let outcome: String?

    enum CodingKeys: String, CodingKey {
        case id, kind, plate, text
        case vehicleType = "vehicle_type"
        case entryTime = "entry_time"
        case exitTime = "exit_time"
        case travelTimeMinutes = "travel_time_minutes"
        case thresholdMinutes = "threshold_minutes"
        case calculatedSpeedKmh = "calculated_speed_kmh"
        case speedLimitKmh = "speed_limit_kmh"
        case toleranceKmh = "tolerance_kmh"
        case tolerancePercent = "tolerance_percent"
        case distanceKm = "distance_km"
        case isImplausible = "implausible"
        case state
        case exemptReason = "exempt_reason"
        case outcome
    }

    init(_ stored: StoredViolation) {
        let violation = stored.violation
        id = violation.id.uuidString.lowercased()
        kind = violation.kind.rawValue
        plate = violation.plate.compact
        text = violation.plate.canonical
        vehicleType = violation.vehicleType.rawValue
        entryTime = violation.entryTime.iso8601
        exitTime = violation.exitTime.iso8601
        travelTimeMinutes = violation.travelTime.minutes
        thresholdMinutes = violation.thresholdMinutes
        calculatedSpeedKmh = violation.calculatedSpeedKmh
        speedLimitKmh = violation.speedLimitKmh
        toleranceKmh = violation.toleranceKmh
        tolerancePercent = violation.tolerancePercent
        distanceKm = violation.distanceKm
        isImplausible = violation.isImplausible
        state = violation.state.rawValue
        exemptReason = stored.exemptReason
        outcome = stored.outcome?.kind.rawValue
    }
}

extension StoredPassage {
    /// Matched, and never a violation by itself: one of the two clocks may be wrong.
    var isUnjudged: Bool {
        counterpart.map { !$0.clockState.isTrusted || !passage.clockState.isTrusted } ?? false
    }
}

extension TextTable {
    /// Passages for people, times as a clock in Nepal shows them.
    static func passages(_ passages: [StoredPassage]) -> TextTable {
        var table = TextTable(
            [
                ("recorded (Nepal)", .left), ("post", .left), ("plate", .left), ("type", .left), ("sure", .right),
                ("matched", .left), ("violation", .left), ("sync", .left), ("id", .left),
            ], optional: ["sync", "type", "matched", "post", "sure"])
        for stored in passages {
            let passage = stored.passage
            let plate =
                passage.plate.canonical
                + (stored.withdrawnAt != nil ? " (withdrawn)" : stored.isCorrected ? " (corrected)" : "")
            table.add([
                passage.recordedAt.nepalText, passage.checkpostCode, plate, passage.vehicleType.rawValue,
                passage.confidence.map { Output.decimal($0, 2) } ?? "typed", stored.isMatched ? "yes" : "-",
                stored.violation?.kind.rawValue ?? (stored.isUnjudged ? "clock untrusted" : "-"),
                stored.queueStatus?.rawValue ?? "-",
                String(passage.clientID.uuidString.lowercased().prefix(8)),
            ])
        }
        return table
    }

    static func violations(_ violations: [StoredViolation]) -> TextTable {
        var table = TextTable(
            [
                ("exit (Nepal)", .left), ("plate", .left), ("type", .left), ("violation", .left), ("km/h", .right),
                ("limit", .right), ("tolerance", .right), ("took", .right), ("lawful", .right), ("state", .left),
                ("outcome", .left), ("id", .left),
            ], optional: ["state", "type", "lawful", "took", "tolerance", "limit"])
        for stored in violations {
            let violation = stored.violation
            let figures = FindingFigures(violation)
            let note =
                stored.exemptReason.map { " (exempt: \($0))" } ?? (violation.isImplausible ? " (implausible)" : "")
            table.add([
                violation.exitTime.nepalText, violation.plate.canonical, violation.vehicleType.rawValue,
                violation.kind.rawValue + note, figures.speed ?? "infinite", figures.limit,
                figures.tolerance ?? "-", figures.took, figures.lawful, violation.state.rawValue,
                stored.outcome?.kind.rawValue ?? "-", String(violation.id.uuidString.lowercased().prefix(8)),
            ])
        }
        return table
    }
}
