import Enforcement
import Storage

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

extension Configuration {
    /// That of the pilot for a database alone: its passages say which post it is.
    package static func pilot(for store: Store) throws -> Configuration {
        var pilot = Configuration.pilot
        if let code = try store.passages.list(limit: 1).first?.passage.checkpostCode, code != pilot.post.code {
            pilot.otherPostCode = pilot.post.code
            pilot.post = Checkpost(code: code, name: code, positionIndex: 1)
        }
        return pilot
    }
}
