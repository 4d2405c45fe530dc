import Enforcement
import Foundation

/// The columns of `proactive_overstay_alerts`.
package enum AlertColumn: String, NumberedColumn {
    case id
    case entry = "entry_passage_id"
    case segment = "segment_id"
    case plate = "plate_number"
    case vehicleType = "vehicle_type"
    case entryTime = "entry_time"
    case expectedExitBy = "expected_exit_by"
    case isResolved = "resolved"
    case resolvedAt = "resolved_at"
    case resolvedBy = "resolved_by"
    case resolvedReason = "resolved_reason"
    case createdAt = "created_at"
    case serverSequence = "server_seq"

    package static var table: Table { .overstayAlerts }
}

/// An overstay alert as the server raised or closed it.
package struct AlertRow: FollowedRow, Sendable {
    package typealias Column = AlertColumn

    package var entry: UUID
    package var plate: String
    package var vehicleType: VehicleType
    package var entryTime: Instant
    package var expectedExitBy: Instant
    package var isResolved: Bool
    package var resolvedAt: Instant?
    package var resolvedBy: String?
    package var resolvedReason: String?
    package var serverSequence: Int64?
    package var createdAt: Instant?

    package var followedAt: Instant? { createdAt }

    package init(from decoder: any Decoder) throws {
        let cell = try Cells(decoder, of: AlertColumn.self)
        entry = try cell(.entry)
        plate = try cell(.plate)
        vehicleType = VehicleType(rawValue: try cell(.vehicleType)) ?? .other
        entryTime = try cell.time(.entryTime)
        expectedExitBy = try cell.time(.expectedExitBy)
        isResolved = try cell(.isResolved)
        resolvedAt = try cell.optionalTime(.resolvedAt)
        resolvedBy = try cell.optional(.resolvedBy)
        resolvedReason = try cell.optional(.resolvedReason)
        serverSequence = try cell.optional(.serverSequence)
        createdAt = try cell.optionalTime(.createdAt)
    }
}

/// Whether the server's alert of an entry is closed.
package struct AlertStateRow: Decodable, Sendable {
    package var isResolved: Bool?

    package init(from decoder: any Decoder) throws {
        isResolved = try Cells(decoder, of: AlertColumn.self).optional(.isResolved)
    }
}

/// Closes the server's alert of an entry.
package struct AlertPatch: Encodable, Sendable {
    package var resolvedAt: Instant

    package init(resolvedAt: Instant) {
        self.resolvedAt = resolvedAt
    }

    package func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: AlertColumn.self)
        try row.write(true, .isResolved)
        try row.write(time: resolvedAt, .resolvedAt)
    }
}
