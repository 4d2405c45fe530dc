/// A service centre's time stamp (3GPP TS 23.040, 9.2.3.11): a local time and its offset from UTC.
package struct PDUTimestamp: Hashable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z.
    package let epochSeconds: Int64

    package let offsetMinutes: Int

    /// Reads seven octets: year, month, day, hour, minute, second, quarter hours, each with its digits swapped.
    ///
    /// - Returns: nil for digits past 9 and for times that don't exist: some centres send zeros.
    init?(semiOctets: [UInt8]) {
        guard semiOctets.count == 7 else { return nil }
        let isNegative = semiOctets[6] & 0x08 != 0
        var values: [Int] = []
        for (index, octet) in semiOctets.enumerated() {
            let tens = Int(octet & (index == 6 ? 0x07 : 0x0F))
            guard tens < 10, octet >> 4 < 10 else { return nil }
            values.append(tens * 10 + Int(octet >> 4))
        }
        guard (1...12).contains(values[1]), (1...31).contains(values[2]), values[3] < 24, values[4] < 60,
            values[5] < 60
        else { return nil }
        offsetMinutes = (isNegative ? -15 : 15) * values[6]
        let days = Self.days(year: 2000 + values[0], month: values[1], day: values[2])
        epochSeconds = Int64(((days * 24 + values[3]) * 60 + values[4] - offsetMinutes) * 60 + values[5])
    }

    /// Days since 1970-01-01 in the Gregorian calendar, for years from 2000 to 2099: every fourth is a leap year.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334][month - 1]
        let years = year - 2000
        let leapDays = (years + 3) / 4 + (years.isMultiple(of: 4) && month > 2 ? 1 : 0)
        return 10_957 + years * 365 + leapDays + before + day - 1
    }
}
