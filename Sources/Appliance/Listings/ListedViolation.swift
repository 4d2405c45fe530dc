import Enforcement
import Foundation
import Storage

/// A violation as programs get it.
package struct ListedViolation: Encodable {
    package let id: String
    package let kind: String
    package let plate: String
    package let text: String
    package let vehicleType: String
    package let entryTime: String
    package let exitTime: String
    package let travelTimeMinutes: Double
    package let thresholdMinutes: Double
    package let calculatedSpeedKmh: Double?
    package let speedLimitKmh: Double
    package let toleranceKmh: Double
    package let tolerancePercent: Double
    package let distanceKm: Double
    package let isImplausible: Bool
    package let state: String
    package let exemptReason: String?
    package let outcome: String?

    package enum CodingKeys: String, CodingKey {
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

    package init(_ stored: StoredViolation) {
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
