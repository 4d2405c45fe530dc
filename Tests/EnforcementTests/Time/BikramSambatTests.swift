import Enforcement
import Testing

@Suite("A day of Bikram Sambat", .timeLimit(.minutes(5)))
struct BikramSambatTests {
    /// Days that every history of Nepal dates in both calendars.
    @Test(arguments: [
        ("1951-02-18", 2007, 11, 7),  // The Ranas' rule ends.
        ("1959-02-18", 2015, 11, 7),  // The first general election.
        ("1960-12-15", 2017, 9, 1),  // The king dismisses the first elected government.
        ("1990-04-08", 2046, 12, 26),  // The ban on parties falls.
        ("1990-11-09", 2047, 7, 23),  // The constitution of 2047.
        ("2001-06-01", 2058, 2, 19),  // The royal family is killed.
        ("2002-10-04", 2059, 6, 18),  // The king dismisses the government.
        ("2005-02-01", 2061, 10, 19),  // The king takes power.
        ("2006-04-24", 2063, 1, 11),  // Parliament is given back.
        ("2008-05-28", 2065, 2, 15),  // The republic.
        ("2015-04-25", 2072, 1, 12),  // The earthquake.
        ("2015-09-20", 2072, 6, 3),  // The constitution of today.
        ("2017-11-26", 2074, 8, 10),  // Elections, first phase.
        ("2022-11-20", 2079, 8, 4),  // Elections.
        ("2025-04-14", 2082, 1, 1),  // New year.
    ])
    func `is the one that is written down`(gregorian: String, year: Int, month: Int, day: Int) throws {
        let noon = try #require(CivilTime(day: gregorian)?.instant(offset: CivilTime.nepalOffset)) + .hours(12)
        let found = try #require(BikramSambat(noon))
        #expect([found.year, found.month, found.day] == [year, month, day])
    }

    @Test func `begins at midnight in Nepal, and is written year first`() throws {
        let midnight = try #require(Instant(iso8601: "2026-04-13T18:15:00Z"))
        #expect(BikramSambat(midnight)?.text == "2083-01-01")
        #expect(BikramSambat(midnight - .milliseconds(1))?.text == "2082-12-30")
    }

    @Test func `has a year of 365 or 366 days, months of 29 to 32, and new year in the middle of April`() throws {
        let table = BikramSambat.monthLengths
        #expect(table.count == 91 && table.allSatisfy { $0.count == 12 })
        #expect(table.joined().allSatisfy { (29...32).contains($0) })
        var start = try #require(Instant(iso8601: "1943-04-13T18:15:00Z"))
        for (index, months) in table.enumerated() {
            let length = months.reduce(0, +)
            #expect((365...366).contains(length), "\(2000 + index)")
            let local = CivilTime(start, offset: CivilTime.nepalOffset)
            #expect(local.month == 4 && (13...15).contains(local.day), "\(2000 + index)")
            start = start + .hours(Double(length) * 24)
        }
        // 33,238 days: 91 years of the sun, 365.2587 days each as the calendar's makers count them, are 33,238.5.
        #expect(table.joined().reduce(0, +) == 33_238)
        #expect(BikramSambat(start - .hours(1))?.text == "2090-12-30")
        #expect(BikramSambat(start) == nil)
        #expect(BikramSambat(Instant(milliseconds: .min)) == nil && BikramSambat(Instant(milliseconds: .max)) == nil)
    }

    @Test func `is written with two digits for the month and the day, in every month`() throws {
        let newYear = try #require(Instant(iso8601: "2025-04-14T06:00:00Z"))
        let texts = (0..<365).compactMap { BikramSambat(newYear + .days(Double($0)))?.text }
        #expect(texts.count == 365 && texts.allSatisfy { $0.count == 10 })
        #expect(Set(texts.map { $0.dropFirst(5).prefix(2) }).count == 12 && texts == texts.sorted())
    }

    @Test func `follows the day before it`() throws {
        var at = try #require(Instant(iso8601: "1943-04-14T00:00:00Z"))
        var before = try #require(BikramSambat(at))
        #expect(before.text == "2000-01-01")
        for _ in 1..<33_238 {
            at = at + .hours(24)
            let next = try #require(BikramSambat(at))
            let isNextDay = next.day == before.day + 1 && next.month == before.month && next.year == before.year
            let isNextMonth = next.day == 1 && (next.month, next.year) == (before.month + 1, before.year)
            let isNextYear = next.day == 1 && next.month == 1 && next.year == before.year + 1
            #expect(isNextDay || isNextMonth || isNextYear, "\(before.text), then \(next.text)")
            before = next
        }
    }
}
