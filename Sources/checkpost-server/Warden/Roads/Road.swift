import Enforcement
import Foundation
import Pages

/// A road as `checkpost.roads` gives it.
struct Road: Decodable, Sendable {
    var id: String
    var name: String
    var park: String
    var numbers: RoadNumbers
    /// Entry and exit, in the order of the road.
    var posts: [Post]
    /// Changes that take effect later, the next one first.
    var plans: [Plan]

    struct Post: Decodable, Sendable {
        var code: String
        var name: String
        /// In degrees; nil where nobody has said where it stands.
        var latitude: Double?
        var longitude: Double?
        /// The code of the post that this is a further road of; nil for the post itself.
        var standsAt: String?
        /// Where it is: a post is drawn once, on however many roads it stands.
        var place: String { standsAt ?? code }
    }

    struct Plan: Decodable, Sendable {
        var id: String
        var numbers: RoadNumbers
        var effectiveAt: Micros
        var reason: String
        var by: String?
    }

    static func all(_ connection: PostgresConnection) throws -> [Road] {
        try connection.object([Road].self, "select checkpost.roads()")
    }
}

/// What vehicles of a road are judged by: lengths in km, speeds in km/h.
struct RoadNumbers: Codable, Sendable, Equatable {
    var distanceKm: Double
    var maxSpeedKmh: Double
    var minSpeedKmh: Double
    var toleranceKmh: Double
    var tolerancePercent: Double
    /// By vehicle type, where it is another one than `maxSpeedKmh`.
    var typeSpeedsKmh: TypeSpeeds
    /// What holds at some hours of the day alone.
    var hourLimits: HourLimits
    /// The number of the certificate of the measured distance.
    var distanceCertificate: String?
    /// Faster than this is speeding: the limit with its tolerance.
    var speedingAbove: Double
    /// Slower than this is an overstay.
    var overstayBelow: Double
    var shortestMinutes: Double
    var longestMinutes: Double

    /// The fields of the form by their names, as they are typed.
    static let fields = ["distance_km", "max_speed_kmh", "min_speed_kmh", "tolerance_kmh", "tolerance_percent"]

    /// The fields of the form for vehicle types; one that is left empty has the limit of all.
    static let typeFields = VehicleType.allCases.map { typeField($0) }

    static func typeField(_ type: VehicleType) -> String { "type_" + type.rawValue }

    /// The text that names the unit of a field.
    static let units = [
        "distance_km": "km", "max_speed_kmh": "kmh", "min_speed_kmh": "kmh", "tolerance_kmh": "kmh",
        "tolerance_percent": "percent",
    ]

    /// As the form has them: without zeros that say nothing.
    var typed: [String: String] {
        let values = [distanceKm, maxSpeedKmh, minSpeedKmh, toleranceKmh, tolerancePercent]
        let types = typeSpeedsKmh.kmh.map { (Self.typeField($0.key), Self.text($0.value)) }
        return Dictionary(uniqueKeysWithValues: zip(Self.fields, values.map(Self.text)) + types)
    }

    static func text(_ value: Double) -> String {
        value.formatted(
            .number.precision(.fractionLength(0...2)).grouping(.never).locale(Locale(identifier: "en_US_POSIX")))
    }

    /// Lines of a table: what it is, and its value.
    func rows(_ texts: Texts) -> [(name: String, value: String)] {
        func said(_ value: Double, _ unit: String) -> String { texts.digits(Self.text(value)) + " " + texts[unit] }
        return [
            ("field_distance_km", said(distanceKm, "km")), ("field_distance_certificate", distanceCertificate ?? "–"),
            ("field_max_speed_kmh", said(maxSpeedKmh, "kmh")),
            ("field_type_speeds_kmh", Self.said(typeSpeedsKmh, texts)),
            ("field_hour_limits", hourLimits.isEmpty ? "–" : texts.said(hourLimits)),
            ("field_min_speed_kmh", said(minSpeedKmh, "kmh")), ("field_tolerance_kmh", said(toleranceKmh, "kmh")),
            ("field_tolerance_percent", said(tolerancePercent, "percent")),
            ("road_speeding_above", said(speedingAbove, "kmh")), ("road_overstay_below", said(overstayBelow, "kmh")),
            ("road_shortest", Self.span(shortestMinutes, texts)), ("road_longest", Self.span(longestMinutes, texts)),
        ].map { (texts[$0.0], $0.1) }
    }

    /// `Bus 35 km/h, Truck 30 km/h`
    static func said(_ speeds: TypeSpeeds, _ texts: Texts) -> String {
        let parts = VehicleType.allCases.compactMap { type in
            speeds.kmh[type].map { "\(texts["type_" + type.rawValue]) \(texts.digits(text($0))) \(texts["kmh"])" }
        }
        return parts.isEmpty ? "–" : parts.joined(separator: ", ")
    }

    private static func span(_ minutes: Double, _ texts: Texts) -> String {
        let seconds = Int((minutes * 60).rounded())
        let clock = String(format: "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60)
        return texts.digits(clock)
    }
}
