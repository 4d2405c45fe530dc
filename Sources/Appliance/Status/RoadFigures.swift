import Enforcement

/// The road as vehicles are judged on it now, for `status`.
package struct RoadFigures: Encodable {
    let name: String
    let distanceKm: Double
    let distanceCertificate: String?
    let maxSpeedKmh: Double
    let minSpeedKmh: Double
    let toleranceKmh: Double
    let tolerancePercent: Double
    let typeSpeedsKmh: TypeSpeeds
    let hourLimits: HourLimits
    /// Whether the server has told it; else it is the file's.
    let isFromServer: Bool
    let text: String

    enum CodingKeys: String, CodingKey {
        case name
        case distanceKm = "distance_km"
        case distanceCertificate = "distance_certificate"
        case maxSpeedKmh = "max_speed_kmh"
        case minSpeedKmh = "min_speed_kmh"
        case toleranceKmh = "tolerance_kmh"
        case tolerancePercent = "tolerance_percent"
        case typeSpeedsKmh = "type_speeds_kmh"
        case hourLimits = "hour_limits"
        case isFromServer = "is_from_server"
    }

    init(_ segment: Segment) {
        name = segment.name
        distanceKm = segment.distanceKm
        distanceCertificate = segment.distanceCertificate
        maxSpeedKmh = segment.maxSpeedKmh
        minSpeedKmh = segment.minSpeedKmh
        toleranceKmh = segment.toleranceKmh
        tolerancePercent = segment.tolerancePercent
        typeSpeedsKmh = segment.typeSpeeds
        hourLimits = segment.hourLimits
        isFromServer = segment.id != nil
        text = "road \(segment.name), from the \(segment.id == nil ? "file" : "server"): \(segment.text)"
    }
}
