import Plates

/// The highest lawful speed of vehicles of some types, where it is another one than the segment's.
///
/// In km/h with two decimals, as the segment's own. A file writes them `truck 30, bus 35`, the server and the disk as JSON:
/// `{"bus":35,"truck":30}`.
package struct TypeSpeeds: Sendable, Equatable, JSONText {
    package private(set) var kmh: [VehicleType: Double]

    package init(_ kmh: [VehicleType: Double] = [:]) {
        self.kmh = kmh
    }

    /// - Parameter told: speeds by the names of types. A type that this program doesn't know has the segment's limit.
    package init(told: [String: Double]) {
        kmh = [:]
        for (name, speed) in told { if let type = VehicleType(rawValue: name) { kmh[type] = speed } }
    }

    /// Speeds by the names of types.
    package var told: [String: Double] {
        Dictionary(uniqueKeysWithValues: kmh.map { ($0.key.rawValue, $0.value) })
    }

    /// - Parameter typed: `truck 30, bus 35`; empty for none.
    /// - Returns: nil for what is none, or names a type twice.
    package init?(typed: String) {
        kmh = [:]
        for part in typed.split(separator: ",") {
            let words = part.split(separator: " ")
            guard words.count == 2, let type = VehicleType(rawValue: String(words[0])), let speed = Double(words[1]),
                speed.isFinite, kmh[type] == nil
            else { return nil }
            kmh[type] = speed
        }
    }

    /// What is wrong with speeds that come from a file or a server; nil when nothing is.
    func problem(minSpeedKmh: Double) -> String? {
        let wrong = kmh.filter { !($0.value > minSpeedKmh && $0.value <= Segment.maximumSpeedKmh) }
        guard let (type, speed) = wrong.min(by: { $0.key.rawValue < $1.key.rawValue }) else { return nil }
        return "The highest speed of a \(type.rawValue) must be above the lowest, \(minSpeedKmh) km/h, and at most "
            + "\(Segment.maximumSpeedKmh) km/h; it is \(speed)."
    }

    package init(from decoder: any Decoder) throws {
        self.init(told: try decoder.singleValueContainer().decode([String: Double].self))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(told)
    }
}
