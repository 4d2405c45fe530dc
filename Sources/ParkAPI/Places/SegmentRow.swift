import Enforcement
import Foundation

/// The columns of `highway_segments`.
package enum SegmentColumn: String, TableColumn {
    case id
    case name
    case distanceKm = "distance_km"
    case maxSpeedKmh = "max_speed_kmh"
    case minSpeedKmh = "min_speed_kmh"
    case toleranceKmh = "tolerance_kmh"
    case tolerancePercent = "tolerance_percent"
    case typeSpeedsKmh = "type_speeds_kmh"
    case hourLimits = "hour_limits"
    case distanceCertificate = "distance_certificate"

    package static var table: Table { .highwaySegments }
}

/// The road between two posts.
package struct SegmentRow: Decodable, Sendable {
    package var id: UUID
    package var name: String
    package var distanceKm: Double
    package var maxSpeedKmh: Double
    package var minSpeedKmh: Double

    /// Nil at a server that knows no tolerance.
    package var toleranceKmh: Double?
    package var tolerancePercent: Double?

    /// Nil at a server that knows one limit for all.
    package var typeSpeedsKmh: TypeSpeeds?

    /// Nil at a server whose limits are the same at all hours.
    package var hourLimits: HourLimits?
    package var distanceCertificate: String?

    package init(from decoder: any Decoder) throws {
        let cell = try Cells(decoder, of: SegmentColumn.self)
        id = try cell(.id)
        name = try cell(.name)
        distanceKm = try cell(.distanceKm)
        maxSpeedKmh = try cell(.maxSpeedKmh)
        minSpeedKmh = try cell(.minSpeedKmh)
        toleranceKmh = try cell.optional(.toleranceKmh)
        tolerancePercent = try cell.optional(.tolerancePercent)
        typeSpeedsKmh = try cell.optional(.typeSpeedsKmh)
        hourLimits = try cell.optional(.hourLimits)
        distanceCertificate = try cell.optional(.distanceCertificate)
    }

    /// Why these numbers make no road; nil when they do.
    package var problem: String? {
        Segment.problem(
            distanceKm: distanceKm, maxSpeedKmh: maxSpeedKmh, minSpeedKmh: minSpeedKmh,
            toleranceKmh: toleranceKmh ?? 0, tolerancePercent: tolerancePercent ?? 0,
            typeSpeeds: typeSpeedsKmh ?? TypeSpeeds(), hourLimits: hourLimits ?? HourLimits())
    }

    /// As the box judges by it; nil where ``problem`` says something.
    package var segment: Segment? {
        guard problem == nil else { return nil }
        return Segment(
            id: id, name: name, distanceKm: distanceKm, maxSpeedKmh: maxSpeedKmh, minSpeedKmh: minSpeedKmh,
            toleranceKmh: toleranceKmh ?? 0, tolerancePercent: tolerancePercent ?? 0,
            typeSpeeds: typeSpeedsKmh ?? TypeSpeeds(), hourLimits: hourLimits ?? HourLimits(),
            distanceCertificate: distanceCertificate)
    }
}
