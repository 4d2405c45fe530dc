import Enforcement
import Foundation

/// The columns of `violations`.
package enum ViolationColumn: String, NumberedColumn {
    case id
    case entry = "entry_passage_id"
    case exit = "exit_passage_id"
    case segment = "segment_id"
    case kind = "violation_type"
    case plate = "plate_number"
    case vehicleType = "vehicle_type"
    case entryTime = "entry_time"
    case exitTime = "exit_time"
    case calculatedSpeedKmh = "calculated_speed_kmh"
    case speedLimitKmh = "speed_limit_kmh"
    case distanceKm = "distance_km"
    case toleranceKmh = "tolerance_kmh"
    case tolerancePercent = "tolerance_percent"
    case alertDeliveredAt = "alert_delivered_at"
    case createdAt = "created_at"
    case serverSequence = "server_seq"

    package static var table: Table { .violations }
}

/// A violation as the server judged it.
package struct ViolationRow: FollowedRow, Sendable {
    package typealias Column = ViolationColumn

    package var id: UUID
    package var entry: UUID
    package var exit: UUID

    /// Nil for a kind that this box doesn't know.
    package var kind: Violation.Kind?
    package var plate: String
    package var vehicleType: VehicleType
    package var entryTime: Instant
    package var exitTime: Instant
    package var calculatedSpeedKmh: Double?
    package var speedLimitKmh: Double
    package var distanceKm: Double
    package var toleranceKmh: Double?
    package var tolerancePercent: Double?
    package var serverSequence: Int64?
    package var createdAt: Instant?

    package var followedAt: Instant? { createdAt }

    package init(from decoder: any Decoder) throws {
        let cell = try Cells(decoder, of: ViolationColumn.self)
        id = try cell(.id)
        entry = try cell(.entry)
        exit = try cell(.exit)
        kind = Violation.Kind(rawValue: try cell(.kind))
        plate = try cell(.plate)
        vehicleType = VehicleType(rawValue: try cell(.vehicleType)) ?? .other
        entryTime = try cell.time(.entryTime)
        exitTime = try cell.time(.exitTime)
        calculatedSpeedKmh = try cell.optional(.calculatedSpeedKmh)
        speedLimitKmh = try cell(.speedLimitKmh)
        distanceKm = try cell(.distanceKm)
        toleranceKmh = try cell.optional(.toleranceKmh)
        tolerancePercent = try cell.optional(.tolerancePercent)
        serverSequence = try cell.optional(.serverSequence)
        createdAt = try cell.optionalTime(.createdAt)
    }
}

/// Says when a ranger's screen showed the alert of a violation.
package struct ViolationPatch: Encodable, Sendable {
    package var alertDeliveredAt: Instant

    package init(alertDeliveredAt: Instant) {
        self.alertDeliveredAt = alertDeliveredAt
    }

    package func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: ViolationColumn.self)
        try row.write(time: alertDeliveredAt, .alertDeliveredAt)
    }
}

/// The columns of `withdrawn_violations` that a box asks for.
package enum WithdrawnViolationColumn: String, TableColumn {
    case id

    package static var table: Table { .withdrawnViolations }
}

/// A violation that the server took back.
package struct WithdrawnViolationRow: Decodable, Sendable {
    /// The violation's own.
    package var id: UUID

    package init(from decoder: any Decoder) throws {
        id = try Cells(decoder, of: WithdrawnViolationColumn.self)(.id)
    }
}
