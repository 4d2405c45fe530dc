/// Whether a camera sees fewer vehicles than it ever did at this time of day: none, where there always were some.
///
/// It finds what nothing else does: a camera that was turned, is out of focus, or reads no plate any more.
package enum TrafficWatch {
    /// The hours up to now are compared with the same hours of the days before.
    package static let window = TimeSpan.hours(3)
    package static let days = 7

    /// Vehicles in each of those days. With fewer, none is nothing unusual.
    static let least = 3

    /// The span of a day before now, 0 for today.
    package static func span(daysBefore day: Int, _ now: Instant) -> (from: Instant, until: Instant) {
        let until = now - .hours(Double(24 * day))
        return (until - window, until)
    }

    /// - Parameters:
    ///   - count: vehicles up to now.
    ///   - before: those of the same hours, one number for each of the last `days` days.
    package static func isUnusual(_ count: Int, before: [Int]) -> Bool {
        count == 0 && before.count == days && before.allSatisfy { $0 >= least }
    }
}
