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
