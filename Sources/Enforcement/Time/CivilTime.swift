/// A date and a time of day at a fixed offset from UTC, for writing and reading times without a calendar library.
///
/// The arithmetic is the proleptic Gregorian calendar in days since 1970-01-01 (Howard Hinnant, "chrono-Compatible
/// Low-Level Date Algorithms"). Example: 1970-03-01 is day 59.
package struct CivilTime: Hashable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour: Int
    package var minute: Int
    package var second: Int
    package var millisecond: Int

    /// Nepal's offset from UTC: 5 hours 45 minutes, all year.
    package static let nepalOffset = TimeSpan.minutes(5 * 60 + 45)

    package init(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, millisecond: Int = 0
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.millisecond = millisecond
    }

    /// What a clock at `offset` from UTC shows at `instant`.
    package init(_ instant: Instant, offset: TimeSpan = .milliseconds(0)) {
        let local = (instant + offset).milliseconds
        let dayLength: Int64 = 86_400_000
        let remainder = local % dayLength
        let days = local / dayLength - (remainder < 0 ? 1 : 0)
        let inDay = Int(remainder < 0 ? remainder + dayLength : remainder)
        let date = Self.date(daysSinceEpoch: Int(days))
        self.init(
            year: date.year, month: date.month, day: date.day, hour: inDay / 3_600_000,
            minute: inDay / 60_000 % 60, second: inDay / 1000 % 60, millisecond: inDay % 1000)
    }

    /// The moment at which a clock at `offset` from UTC shows this, or nil when no clock ever does (month 13, 30 February).
    package func instant(offset: TimeSpan = .milliseconds(0)) -> Instant? {
        guard (1...12).contains(month), (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second),
            (0..<1000).contains(millisecond), (1...9999).contains(year)
        else { return nil }
        let days = Self.daysSinceEpoch(year: year, month: month, day: day)
        let date = Self.date(daysSinceEpoch: days)
        guard date.month == month, date.day == day else { return nil }
        let inDay = Int64(((hour * 60 + minute) * 60 + second) * 1000 + millisecond)
        return Instant(milliseconds: Int64(days) * 86_400_000 + inDay) - offset
    }

    private static func date(daysSinceEpoch: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = daysSinceEpoch + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
