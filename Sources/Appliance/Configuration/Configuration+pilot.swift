import Enforcement

extension Configuration {
    /// Banke National Park, for replays without a configuration.
    package static let pilot: Configuration = {
        var configuration = Configuration()
        configuration.post = Checkpost(code: "BNP-A", name: "Banke National Park, one end", positionIndex: 0)
        configuration.otherPostCode = "BNP-B"
        configuration.segment = Segment(
            name: "Banke National Park", distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10)
        return configuration
    }()
}
