import Foundation

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

    /// - Precondition: the distance and both limits are above zero, and the lower limit is below the upper one.
    package init(id: UUID? = nil, name: String, distanceKm: Double, maxSpeedKmh: Double, minSpeedKmh: Double) {
        precondition(
            distanceKm > 0 && minSpeedKmh > 0 && maxSpeedKmh > minSpeedKmh, "a segment without sensible limits")
        self.id = id
        self.name = name
        self.distanceKm = distanceKm
        self.maxSpeedKmh = maxSpeedKmh
        self.minSpeedKmh = minSpeedKmh
    }

    /// The shortest lawful travel time: 45 km at 40 km/h is 67.5 minutes.
    package var shortestTravelTime: TimeSpan { .hours(distanceKm / maxSpeedKmh) }

    /// The longest lawful travel time: 45 km at 10 km/h is 270 minutes.
    package var longestTravelTime: TimeSpan { .hours(distanceKm / minSpeedKmh) }
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
