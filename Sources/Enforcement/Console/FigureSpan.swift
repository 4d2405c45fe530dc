/// A day, a week or a month up to now, in slots of one length, as a clock in Nepal has them: hours, quarters of a day, days.
package struct FigureSpan: Sendable, Equatable {
    package enum Length: Int, Sendable, CaseIterable {
        case day = 1
        case week = 7
        case month = 30
    }

    package let length: Length

    /// When the first slot begins.
    package let start: Instant
    package let slot: TimeSpan
    package let count: Int

    /// The last slot is the one that it is now. At 12:20 in Nepal a day begins yesterday at 13:00, a week six days ago at 00:00.
    package init(_ length: Length, until now: Instant) {
        self.length = length
        let local = (now + CivilTime.nepalOffset).milliseconds
        func floor(_ unit: Int64) -> Int64 { (local >= 0 ? local / unit : (local - unit + 1) / unit) * unit }
        let (hour, day): (Int64, Int64) = (3_600_000, 86_400_000)
        let first: Int64
        switch length {
        case .day: (first, slot, count) = (floor(hour) - 23 * hour, .hours(1), 24)
        case .week: (first, slot, count) = (floor(day) - 6 * day, .hours(6), 28)
        case .month: (first, slot, count) = (floor(day) - 29 * day, .hours(24), 30)
        }
        start = Instant(milliseconds: first) - CivilTime.nepalOffset
    }

    package var end: Instant { beginning(of: count) }

    package func beginning(of index: Int) -> Instant {
        start + .milliseconds(slot.milliseconds * Int64(index))
    }
}
