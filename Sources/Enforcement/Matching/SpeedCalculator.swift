/// Judges a travel time against a segment's limits.
package enum SpeedCalculator {
    /// What a travel time means.
    package enum Verdict: Sendable, Equatable {
        case lawful
        case speeding
        case overstay
    }

    /// A speed that no vehicle reaches on a park's road: a misread plate or a wrong clock is likelier.
    package static let implausibleSpeedKmh = 180.0

    /// Speed = distance / time, against the limit and the segment's tolerance. A time exactly on a threshold is lawful.
    ///
    /// Example: 45 km at most 40 km/h takes at least 67.5 minutes. 4,050,000 ms is lawful, 4,049,999 ms is speeding; with a tolerance of
    /// 3 km/h only 3,767,441 ms is (45 km at 43 km/h).
    ///
    /// - Parameters:
    ///   - travelTime: from entry to exit, not negative.
    ///   - highest: the highest lawful speed in km/h; nil for that of the segment.
    package static func check(travelTime: TimeSpan, on segment: Segment, highest: Double? = nil) -> Verdict {
        // Whole hundredths of a km and whole millionths of a km/h: time * speed against distance is then exact. A time so long that
        // the product overflows is beyond any limit.
        let (distance, tolerance) = (segment.travelProduct, segment.tolerance)
        let atMost = travelTime.milliseconds.multipliedReportingOverflow(
            by: tolerance.millionths(above: highest ?? segment.maxSpeedKmh))
        let atLeast = travelTime.milliseconds.multipliedReportingOverflow(
            by: tolerance.millionths(below: segment.minSpeedKmh))
        if travelTime.milliseconds < 0 || (!atMost.overflow && atMost.partialValue < distance) { return .speeding }
        if atLeast.overflow || atLeast.partialValue > distance { return .overstay }
        return .lawful
    }

    /// A second that a text doesn't divide counts in the driver's favour: for speeding the exit may have been later, for overstay the entry.
    ///
    /// Example: an entry at 10:00:00.900 and an exit of a text at 11:07:30 are 4,049,100 ms apart, and at most 4,050,099 ms: lawful.
    package static func check(_ match: Match, on segment: Segment) -> Verdict {
        let travelMs = match.travelTime.milliseconds
        // No time is so long that the sum overflows and counts as none.
        let highest = segment.highestSpeedKmh(of: match)
        let longest = travelMs.addingReportingOverflow(match.exit.timeSlack.milliseconds)
        if !longest.overflow,
            check(travelTime: .milliseconds(longest.partialValue), on: segment, highest: highest) == .speeding
        {
            return .speeding
        }
        let shortest = TimeSpan.milliseconds(max(travelMs - match.entry.timeSlack.milliseconds, 0))
        return check(travelTime: shortest, on: segment, highest: highest) == .overstay ? .overstay : .lawful
    }

    /// The average speed in km/h; nil for zero time, which is infinitely fast.
    package static func speedKmh(travelTime: TimeSpan, on segment: Segment) -> Double? {
        travelTime.milliseconds > 0 ? segment.distanceKm / travelTime.hours : nil
    }

    /// Whether the speed is beyond what vehicles do, so that a person should look first.
    package static func isImplausible(travelTime: TimeSpan, on segment: Segment) -> Bool {
        guard let speed = speedKmh(travelTime: travelTime, on: segment) else { return true }
        return speed > implausibleSpeedKmh
    }
}
