import Enforcement

extension Texts {
    /// `22:00-05:00 Truck 25 km/h`, `23:00-04:00 closed`
    package func said(_ limit: HourLimit) -> String {
        [
            digits(limit.hours.text), limit.type.map { self["type_" + $0.rawValue] },
            limit.kmh.map { digits(Wording.number($0)) + " " + self["kmh"] } ?? self["road_is_closed"],
        ].compactMap(\.self).joined(separator: " ")
    }

    /// The same of all, in a line; empty where there is none.
    package func said(_ limits: HourLimits) -> String { limits.all.map { said($0) }.joined(separator: ", ") }
}
