import Plates

/// What holds on a segment at some hours of the day alone.
///
/// A file writes them `22:00-05:00 30, 22:00-05:00 truck 25, 23:00-04:00 closed`, the server and the disk as JSON:
/// `[{"from":"22:00","kmh":30,"until":"05:00"}]`.
package struct HourLimits: Sendable, Equatable, JSONText {
    package var all: [HourLimit]

    /// More than anybody looks through.
    package static let most = 20

    package init(_ all: [HourLimit] = []) {
        self.all = all
    }

    /// - Parameter typed: empty for none.
    /// - Returns: nil for what is none.
    package init?(typed: String) {
        all = []
        for part in typed.split(separator: ",") {
            guard let limit = HourLimit(typed: String(part)) else { return nil }
            all.append(limit)
        }
    }

    package var isEmpty: Bool { all.isEmpty }

    /// When the road is closed to whom.
    package var closed: [HourLimit] { all.filter { $0.kmh == nil } }

    /// The hours for which the road is closed to a type at a moment; nil where it is open.
    package func closing(to type: VehicleType, at instant: Instant) -> HourLimit? {
        closed.first { $0.isFor(type) && $0.hours.contains(instant, offset: CivilTime.nepalOffset) }
    }

    /// What is wrong with limits that come from a file or a server; nil when nothing is.
    func problem(minSpeedKmh: Double) -> String? {
        if all.count > Self.most { return "There are \(all.count) limits by hours: at most \(Self.most)." }
        let wrong = all.first { limit in
            limit.kmh.map { !($0 > minSpeedKmh && $0 <= Segment.maximumSpeedKmh) } ?? false
        }
        return wrong.map {
            "The highest speed of \($0.text) must be above the lowest, \(minSpeedKmh) km/h, and at most "
                + "\(Segment.maximumSpeedKmh) km/h."
        }
    }

    /// The lowest speed that these hours allow a vehicle; nil where they say nothing.
    func kmh(of type: VehicleType, minute: Int) -> Double? {
        all.lazy.filter { $0.isFor(type) && $0.hours.contains(minute: minute) }.compactMap(\.kmh).min()
    }

    /// A limit of a type that this program doesn't know concerns none of its vehicles.
    package init(from decoder: any Decoder) throws {
        struct Raw: Decodable {
            var type: String?
        }
        var raw = try decoder.unkeyedContainer()
        var limits = try decoder.unkeyedContainer()
        all = []
        while !raw.isAtEnd {
            if let type = try raw.decode(Raw.self).type, VehicleType(rawValue: type) == nil {
                _ = try limits.decode(Raw.self)
                continue
            }
            all.append(try limits.decode(HourLimit.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(all)
    }
}
