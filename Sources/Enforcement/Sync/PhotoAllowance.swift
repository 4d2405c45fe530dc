/// When photos go over a link that is paid by the megabyte. Records go always.
package struct PhotoAllowance: Sendable, Equatable {
    /// Millions of bytes a month; nil for as many as there are.
    package var megabytesAMonth: Double?

    /// The hours in which photos are sent; nil for all.
    package var hours: HoursOfDay?

    package init(megabytesAMonth: Double? = nil, hours: HoursOfDay? = nil) {
        (self.megabytesAMonth, self.hours) = (megabytesAMonth, hours)
    }

    /// Why photos wait.
    package enum Wait: String, Sendable, Codable {
        /// It is not their time of day.
        case hours
        /// The month's data is used up as far as this day.
        case data
        /// The box has no link of its own now: records go through another box, pictures don't.
        case peer
    }

    /// - Parameter used: in this month.
    /// - Returns: nil when they may go.
    package func wait(used: DataUse, at now: Instant) -> Wait? {
        if let share = share(at: now), used.total >= share { return .data }
        if let hours, !hours.contains(now, offset: CivilTime.nepalOffset) { return .hours }
        return nil
    }

    /// What may be used until the end of the day, so that each day of the month has its part: of 300 MB, 10 MB on the first of thirty days and
    /// 150 MB until the end of the fifteenth.
    package func share(at now: Instant) -> Int64? {
        guard let megabytesAMonth else { return nil }
        let today = CivilTime(now, offset: CivilTime.nepalOffset)
        let next = CivilTime(year: today.month == 12 ? today.year + 1 : today.year, month: today.month % 12 + 1, day: 1)
        let first = CivilTime(year: today.year, month: today.month, day: 1)
        guard let from = first.instant(), let until = next.instant() else { return nil }
        let days = ((until - from).hours / 24).rounded()
        return Int64(megabytesAMonth * 1_000_000 * Double(today.day) / days)
    }
}
