import Plates

extension Segment {
    /// What vehicles are judged by, on a line: `45 km, at most 40 km/h (truck 30 km/h), at least 10 km/h, tolerance 3 km/h or 3 %`.
    package var text: String {
        let types = VehicleType.allCases.compactMap { type in
            typeSpeeds.kmh[type].map { "\(type.rawValue) \(Wording.number($0)) km/h" }
        }
        let ways = types + hourLimits.all.map(\.text)
        let tolerances = [
            toleranceKmh > 0 ? "\(Wording.number(toleranceKmh)) km/h" : nil,
            tolerancePercent > 0 ? "\(Wording.number(tolerancePercent)) %" : nil,
        ].compactMap(\.self)
        return [
            "\(Wording.number(distanceKm)) km",
            "at most \(Wording.number(maxSpeedKmh)) km/h"
                + (ways.isEmpty ? "" : " (\(ways.joined(separator: ", ")))"),
            "at least \(Wording.number(minSpeedKmh)) km/h",
            tolerances.isEmpty ? "no tolerance" : "tolerance " + tolerances.joined(separator: " or "),
        ].joined(separator: ", ") + (distanceCertificate.map { ", certificate \($0)" } ?? "")
    }
}
