import Plates

/// A part of each day with a limit of its own, or in which the road is closed, as clocks in Nepal show it.
package struct HourLimit: Sendable, Hashable, Codable {
    package var hours: HoursOfDay

    /// The vehicles it is for; nil for all.
    package var type: VehicleType?

    /// The highest lawful speed in these hours, with two decimals; nil where the road is closed.
    package var kmh: Double?

    package init(_ hours: HoursOfDay, type: VehicleType? = nil, kmh: Double?) {
        (self.hours, self.type, self.kmh) = (hours, type, kmh)
    }

    /// - Parameter typed: `22:00-05:00 30`, `22:00-05:00 truck 25` or `23:00-04:00 closed`.
    package init?(typed: String) {
        var words = typed.split(separator: " ").map(String.init)
        guard (2...3).contains(words.count), let hours = HoursOfDay(words.removeFirst()), let last = words.popLast()
        else { return nil }
        self.hours = hours
        if let name = words.first {
            guard let type = VehicleType(rawValue: name) else { return nil }
            self.type = type
        }
        if last == "closed" { return }
        guard let speed = Double(last), speed.isFinite else { return nil }
        kmh = speed
    }

    /// `22:00-05:00 truck 25 km/h`
    package var text: String {
        [hours.text, type?.rawValue, kmh.map { "\(Wording.number($0)) km/h" } ?? "closed"].compactMap(\.self).joined(
            separator: " ")
    }

    func isFor(_ type: VehicleType) -> Bool { self.type == nil || self.type == type }

    private enum CodingKeys: String, CodingKey {
        case from, until, type, kmh
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let (from, until) = (
            try container.decode(String.self, forKey: .from), try container.decode(String.self, forKey: .until)
        )
        guard let hours = HoursOfDay(from: from, until: until) else {
            throw DecodingError.dataCorruptedError(
                forKey: .from, in: container, debugDescription: "\(from) to \(until) are no hours of a day")
        }
        self.hours = hours
        type = try container.decodeIfPresent(VehicleType.self, forKey: .type)
        kmh = try container.decodeIfPresent(Double.self, forKey: .kmh)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(HoursOfDay.text(hours.from), forKey: .from)
        try container.encode(HoursOfDay.text(hours.until), forKey: .until)
        try container.encodeIfPresent(type, forKey: .type)
        try container.encodeIfPresent(kmh, forKey: .kmh)
    }
}

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
