import Foundation
import Plates

/// The road between two checkposts, with its distance and its limits.
///
/// Distances and speeds have two decimals, as the server's tables do. Inside they are whole hundredths, so that a travel
/// time exactly on a threshold is compared exactly.
package struct Segment: Sendable, Equatable, Codable {
    /// The server's id; nil until the server has told it.
    package var id: UUID?

    package var name: String
    package var distanceKm: Double
    package var maxSpeedKmh: Double
    package var minSpeedKmh: Double

    /// How far past a limit a vehicle may be before it is a violation: so many km/h, or so many percent of the limit, whichever is more.
    package var toleranceKmh: Double
    package var tolerancePercent: Double

    /// Vehicle types whose highest speed is another one.
    package var typeSpeeds: TypeSpeeds

    /// What holds at some hours of the day alone: lower limits, and when the road is closed.
    package var hourLimits: HourLimits

    /// The number of the certificate of the measured distance.
    package var distanceCertificate: String?

    /// The longest distance and the highest speed that the server's tables hold.
    package static let maximumDistanceKm = 9999.99
    package static let maximumSpeedKmh = 999.99

    /// - Precondition: the values are within what `problem` allows. For values from outside ask it first.
    package init(
        id: UUID? = nil, name: String, distanceKm: Double, maxSpeedKmh: Double, minSpeedKmh: Double,
        toleranceKmh: Double = 0, tolerancePercent: Double = 0, typeSpeeds: TypeSpeeds = TypeSpeeds(),
        hourLimits: HourLimits = HourLimits(), distanceCertificate: String? = nil
    ) {
        let problem = Self.problem(
            distanceKm: distanceKm, maxSpeedKmh: maxSpeedKmh, minSpeedKmh: minSpeedKmh, toleranceKmh: toleranceKmh,
            tolerancePercent: tolerancePercent, typeSpeeds: typeSpeeds, hourLimits: hourLimits)
        precondition(problem == nil, problem ?? "")
        self.id = id
        self.name = name
        self.distanceKm = distanceKm
        self.maxSpeedKmh = maxSpeedKmh
        self.minSpeedKmh = minSpeedKmh
        self.toleranceKmh = toleranceKmh
        self.tolerancePercent = tolerancePercent
        self.typeSpeeds = typeSpeeds
        self.hourLimits = hourLimits
        self.distanceCertificate = distanceCertificate
    }

    /// What is wrong with a distance and limits that come from a file or a server; nil when they make a segment.
    package static func problem(
        distanceKm: Double, maxSpeedKmh: Double, minSpeedKmh: Double, toleranceKmh: Double = 0,
        tolerancePercent: Double = 0, typeSpeeds: TypeSpeeds = TypeSpeeds(), hourLimits: HourLimits = HourLimits()
    ) -> String? {
        guard distanceKm >= 0.01, distanceKm <= maximumDistanceKm else {
            return "The distance must be from 0.01 to \(maximumDistanceKm) km; it is \(distanceKm)."
        }
        guard minSpeedKmh >= 0.01, maxSpeedKmh <= maximumSpeedKmh, minSpeedKmh < maxSpeedKmh else {
            return "The lowest speed must be at least 0.01 km/h and below the highest, which is at most "
                + "\(maximumSpeedKmh) km/h; they are \(minSpeedKmh) and \(maxSpeedKmh)."
        }
        return typeSpeeds.problem(minSpeedKmh: minSpeedKmh) ?? hourLimits.problem(minSpeedKmh: minSpeedKmh)
            ?? Tolerance.problem(kmh: toleranceKmh, percent: tolerancePercent, minSpeedKmh: minSpeedKmh)
    }

    /// - Throws: `DecodingError` for a distance or limits that make no segment: they come from outside.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decodeIfPresent(UUID.self, forKey: .id)
        name = try container.decode(String.self, forKey: .name)
        distanceKm = try container.decode(Double.self, forKey: .distanceKm)
        maxSpeedKmh = try container.decode(Double.self, forKey: .maxSpeedKmh)
        minSpeedKmh = try container.decode(Double.self, forKey: .minSpeedKmh)
        toleranceKmh = try container.decodeIfPresent(Double.self, forKey: .toleranceKmh) ?? 0
        tolerancePercent = try container.decodeIfPresent(Double.self, forKey: .tolerancePercent) ?? 0
        typeSpeeds = try container.decodeIfPresent(TypeSpeeds.self, forKey: .typeSpeeds) ?? TypeSpeeds()
        hourLimits = try container.decodeIfPresent(HourLimits.self, forKey: .hourLimits) ?? HourLimits()
        distanceCertificate = try container.decodeIfPresent(String.self, forKey: .distanceCertificate)
        let problem = Self.problem(
            distanceKm: distanceKm, maxSpeedKmh: maxSpeedKmh, minSpeedKmh: minSpeedKmh, toleranceKmh: toleranceKmh,
            tolerancePercent: tolerancePercent, typeSpeeds: typeSpeeds, hourLimits: hourLimits)
        if let problem {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: problem))
        }
    }

    package var tolerance: Tolerance { Tolerance(kmh: toleranceKmh, percent: tolerancePercent) }

    /// The shortest travel time that is no speeding, rounded up to a millisecond: 45 km at 40 km/h is 67.5 minutes, and with a
    /// tolerance of 3 km/h 45 km at 43 km/h.
    package var shortestTravelTime: TimeSpan { shortestTravelTime(at: maxSpeedKmh) }

    func shortestTravelTime(at limitKmh: Double) -> TimeSpan {
        let speed = tolerance.millionths(above: limitKmh)
        return TimeSpan(milliseconds: (travelProduct + speed - 1) / speed)
    }

    /// The longest travel time that is no overstay, rounded down to a millisecond: 45 km at 10 km/h is 270 minutes.
    package var longestTravelTime: TimeSpan {
        TimeSpan(milliseconds: travelProduct / tolerance.millionths(below: minSpeedKmh))
    }

    /// What a travel time in milliseconds times a speed in millionths of a km/h is compared with.
    ///
    /// At most 10 million hundredths of a km times 36 thousand million: within an `Int64` twenty times over.
    var travelProduct: Int64 { hundredths(distanceKm) * 36_000_000_000 }
}

/// A distance or speed in whole hundredths, as the server's tables hold it: 67.5 is 6750.
///
/// At least 1 and at most 10 million, whatever the value: the sums that it is used in can't go wrong.
func hundredths(_ value: Double) -> Int64 {
    let whole = (value * 100).rounded()
    return whole >= 1 ? Int64(min(whole, 10_000_000)) : 1
}

/// A post at one end of a segment.
package struct Checkpost: Sendable, Equatable, Codable {
    /// The server's id; nil until the server has told it.
    package var id: UUID?

    /// The short unique name that people and SMS use: `BNP-A`.
    package var code: String

    package var name: String

    /// Which end of the segment it stands at: 0 or 1.
    package var positionIndex: Int

    package init(id: UUID? = nil, code: String, name: String, positionIndex: Int) {
        self.id = id
        self.code = code
        self.name = name
        self.positionIndex = positionIndex
    }
}
