/// What a post says of the road that it judges by. Two posts at the ends of one road say the same.
package struct RoadTerms: Codable, Sendable, Equatable {
    package var distanceKm: Double
    package var maxSpeedKmh: Double
    package var minSpeedKmh: Double

    /// Which end of the road the post stands at.
    package var position: Int

    /// A post of another version may leave out any of these: then nothing is compared.
    package var toleranceKmh: Double?
    package var tolerancePercent: Double?
    package var typeSpeeds: String?
    package var hourLimits: String?

    package init(_ segment: Segment, position: Int) throws {
        (distanceKm, maxSpeedKmh, minSpeedKmh) = (segment.distanceKm, segment.maxSpeedKmh, segment.minSpeedKmh)
        self.position = position
        (toleranceKmh, tolerancePercent) = (segment.toleranceKmh, segment.tolerancePercent)
        (typeSpeeds, hourLimits) = (try segment.typeSpeeds.json, try segment.hourLimits.json)
    }

    /// Where the two differ, as words for a technician; empty where they agree.
    package func differences(from other: RoadTerms) -> [String] {
        var found: [String] = []
        func compare(_ what: String, _ own: Double?, _ theirs: Double?, _ unit: String) {
            guard let own, let theirs, own != theirs else { return }
            // A figure from outside may be anything; it is named only where it can be one.
            let told = theirs.isFinite && abs(theirs) < 100_000 ? "\(Wording.decimal(theirs, 2)) \(unit)" : "nonsense"
            found.append("\(what) is \(Wording.decimal(own, 2)) \(unit) here and \(told) there")
        }
        compare("the distance", distanceKm, other.distanceKm, "km")
        compare("the highest speed", maxSpeedKmh, other.maxSpeedKmh, "km/h")
        compare("the lowest speed", minSpeedKmh, other.minSpeedKmh, "km/h")
        compare("the tolerance", toleranceKmh, other.toleranceKmh, "km/h")
        compare("the tolerance", tolerancePercent, other.tolerancePercent, "%")
        if let theirs = other.typeSpeeds, let typeSpeeds, theirs != typeSpeeds {
            found.append("the speeds of vehicle types differ")
        }
        if let theirs = other.hourLimits, let hourLimits, theirs != hourLimits {
            found.append("the limits by hours differ")
        }
        if position == other.position { found.append("both posts say that they are at position \(position)") }
        return found
    }
}
