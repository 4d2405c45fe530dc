import Testing

@testable import Enforcement

@Suite("A date and a time of day", .timeLimit(.minutes(5)))
struct CivilTimeTests {
    private static let day = TimeSpan.hours(24)

    /// Counted year by year and month by month, with no formula: 31 days, 28 or 29, 31, …
    @Test func `is the calendar's, on the first and last day of every month from the year 1 to 9999`() throws {
        func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var days = 0
        for year in 1..<1970 { days -= isLeap(year) ? 366 : 365 }
        var wrong: [String] = []
        for year in 1...9999 {
            for month in 1...12 {
                let length = lengths[month - 1] + (month == 2 && isLeap(year) ? 1 : 0)
                for (day, count) in [(1, days), (length, days + length - 1)] {
                    let instant = Instant(milliseconds: Int64(count) * 86_400_000)
                    let civil = CivilTime(year: year, month: month, day: day)
                    if civil.instant() != instant || CivilTime(instant) != civil { wrong.append(civil.dateText) }
                }
                let after = CivilTime(year: year, month: month, day: length + 1)
                if after.instant() != nil { wrong.append(after.dateText) }
                days += length
            }
        }
        #expect(wrong == [])
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", Int64(0)), ("1969-12-31T23:59:59.999Z", -1), ("1970-01-01T00:00:01Z", 1000),
        ("2026-11-21T10:15:30.25Z", 1_795_256_130_250), ("2026-11-21 10:15:30Z", 1_795_256_130_000),
        ("2026-11-21T10:15:30.2Z", 1_795_256_130_200), ("2026-11-21T10:15:30.123456789Z", 1_795_256_130_123),
        ("2026-11-21T16:00:30+05:45", 1_795_256_130_000), ("2026-11-21T16:00:30+0545", 1_795_256_130_000),
        ("2026-11-21T06:45:30-03:30", 1_795_256_130_000), ("2026-11-22T00:15:30+14:00", 1_795_256_130_000),
        ("2026-11-22T01:14:30+14:59", 1_795_256_130_000), ("2026-11-21T10:15:30z", 1_795_256_130_000),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ])
    func `is read from a text with its offset`(text: String, milliseconds: Int64) throws {
        let instant = try #require(Instant(iso8601: text))
        #expect(instant.milliseconds == milliseconds)
        #expect(Instant(iso8601: instant.iso8601) == instant)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T10:15:30", "2026-11-21T10:15Z", "2026-1-21T10:15:30Z", "2026-11-21T10:15:30.Z",
        "2026-11-21T10:15:30.1234567890Z", "2026-11-21T10:15:30+15:00", "2026-11-21T10:15:30+05:60",
        "2026-11-21T10:15:30+5:45", "2026-11-21T10:15:30+05", "2026-11-21T10:15:30Zx", "2026-13-21T10:15:30Z",
        "2026-00-21T10:15:30Z", "2026-11-00T10:15:30Z", "2026-11-31T10:15:30Z", "2027-02-29T10:15:30Z",
        "2026-11-21T24:00:00Z", "2026-11-21T10:60:30Z", "2026-11-21T10:15:60Z", "0000-11-21T10:15:30Z",
        "2026/11/21T10:15:30Z", "2026-11-21T10-15-30Z", " 2026-11-21T10:15:30Z", "/026-11-21T10:15:30Z",
        ":026-11-21T10:15:30Z",
    ])
    func `is nothing else`(text: String) {
        #expect(Instant(iso8601: text) == nil)
    }

    @Test func `is written with all of its digits, here and in Nepal`() throws {
        let instant = try #require(Instant(iso8601: "0042-03-04T05:06:07.008Z"))
        #expect(instant.iso8601 == "0042-03-04T05:06:07.008Z")
        #expect(instant.nepalText == "0042-03-04 10:51:07")
        #expect(try #require(Instant(iso8601: "2026-12-31T18:15:00Z")).nepalText == "2027-01-01 00:00:00")
        let late = CivilTime(try #require(Instant(iso8601: "1969-12-31T23:58:57.006Z")))
        #expect(late == CivilTime(year: 1969, month: 12, day: 31, hour: 23, minute: 58, second: 57, millisecond: 6))
        #expect(CivilTime(year: 2026, month: 1, day: 1).clockText == "00:00:00")
    }

    @Test(arguments: [
        CivilTime(year: 2026, month: 1, day: 1, hour: 24), CivilTime(year: 2026, month: 1, day: 1, hour: -1),
        CivilTime(year: 2026, month: 1, day: 1, minute: 60), CivilTime(year: 2026, month: 1, day: 1, minute: -1),
        CivilTime(year: 2026, month: 1, day: 1, second: 60), CivilTime(year: 2026, month: 1, day: 1, second: -1),
        CivilTime(year: 2026, month: 1, day: 1, millisecond: 1000),
        CivilTime(year: 2026, month: 1, day: 1, millisecond: -1),
        CivilTime(year: 2026, month: 0, day: 1), CivilTime(year: 2026, month: 13, day: 1),
        CivilTime(year: 2026, month: 1, day: 0),
        CivilTime(year: 0, month: 1, day: 1), CivilTime(year: 10_000, month: 1, day: 1),
    ])
    func `that no clock shows is no moment`(time: CivilTime) {
        #expect(time.instant() == nil)
    }

    @Test func `has its last second, minute and hour`() {
        let last = CivilTime(year: 2026, month: 12, day: 31, hour: 23, minute: 59, second: 59, millisecond: 999)
        #expect(last.instant().map { $0 + .milliseconds(1) } == CivilTime(year: 2027, month: 1, day: 1).instant())
        #expect(
            last.instant(offset: CivilTime.nepalOffset).map { CivilTime($0, offset: CivilTime.nepalOffset) } == last)
    }

    @Test func `of a day is read alone`() {
        #expect(CivilTime(day: "2026-11-21") == CivilTime(year: 2026, month: 11, day: 21))
        for text in ["2026-11-2", "2026-11-211", "2026-11-31", "2026.11.21", "2026-11-21T"] {
            #expect(CivilTime(day: text) == nil, "\(text)")
        }
    }

    @Test func `is counted in spans`() {
        #expect(TimeSpan.hours(1.5).milliseconds == 5_400_000 && TimeSpan.minutes(2).milliseconds == 120_000)
        let span = TimeSpan.milliseconds(5_400_000)
        #expect(span.seconds == 5400 && span.minutes == 90 && span.hours == 1.5 && span.wholeSeconds == 5400)
        #expect(TimeSpan.milliseconds(1499).wholeSeconds == 1 && TimeSpan.milliseconds(1500).wholeSeconds == 2)
        #expect(TimeSpan.milliseconds(-1).wholeSeconds == 0 && TimeSpan.milliseconds(-1) < .milliseconds(0))
        let moments = [-1001, -1000, -1, 0, 999, 1000].map { Instant(milliseconds: $0).epochSeconds }
        #expect(moments == [-2, -1, -1, 0, 0, 1])
    }
}
