/// What a post says of the road that it judges by. Two posts at the ends of one road say the same.
package struct RoadTerms: Codable, Sendable, Equatable {
    package var distanceKm: Double
    package var maxSpeedKmh: Double
    package var minSpeedKmh: Double

    /// Which end of the road the post stands at.
    package var position: Int

    package init(_ segment: Segment, position: Int) {
        (distanceKm, maxSpeedKmh, minSpeedKmh) = (segment.distanceKm, segment.maxSpeedKmh, segment.minSpeedKmh)
        self.position = position
    }

    /// Where the two differ, as words for a technician; empty where they agree.
    package func differences(from other: RoadTerms) -> [String] {
        var found: [String] = []
        func compare(_ what: String, _ own: Double, _ theirs: Double, _ unit: String) {
            guard own != theirs else { return }
            // A figure from outside may be anything; it is named only where it can be one.
            let told = theirs.isFinite && abs(theirs) < 100_000 ? "\(Wording.decimal(theirs, 2)) \(unit)" : "nonsense"
            found.append("\(what) is \(Wording.decimal(own, 2)) \(unit) here and \(told) there")
        }
        compare("the distance", distanceKm, other.distanceKm, "km")
        compare("the highest speed", maxSpeedKmh, other.maxSpeedKmh, "km/h")
        compare("the lowest speed", minSpeedKmh, other.minSpeedKmh, "km/h")
        if position == other.position { found.append("both posts say that they are at position \(position)") }
        return found
    }
}
