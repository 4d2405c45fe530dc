import Foundation
import Testing

@testable import Enforcement

@Suite("Photos over a link that is paid by the megabyte", .timeLimit(.minutes(5)))
struct PhotoAllowanceTests {
    /// As a clock in Nepal shows it.
    private func local(_ month: Int, _ day: Int, _ hour: Int, _ minute: Int = 0) throws -> Instant {
        try #require(
            CivilTime(year: 2026, month: month, day: day, hour: hour, minute: minute).instant(
                offset: CivilTime.nepalOffset))
    }

    @Test func `go always where nothing is said`() throws {
        #expect(PhotoAllowance().wait(used: DataUse(sent: 1 << 50), at: try local(11, 1, 0)) == nil)
        #expect(PhotoAllowance().share(at: try local(11, 1, 0)) == nil)
    }

    @Test func `have each day's part of the month`() throws {
        let allowance = PhotoAllowance(megabytesAMonth: 300)
        #expect(allowance.share(at: try local(11, 1, 0)) == 10_000_000)
        #expect(allowance.share(at: try local(11, 15, 23, 59)) == 150_000_000)
        #expect(allowance.share(at: try local(11, 30, 12)) == 300_000_000)
        #expect(allowance.share(at: try local(12, 31, 23, 59)) == 300_000_000)
        #expect(PhotoAllowance(megabytesAMonth: 28).share(at: try local(2, 14, 1)) == 14_000_000)
        let noon = try local(11, 15, 12)
        #expect(allowance.wait(used: DataUse(sent: 100_000_000, received: 49_999_999), at: noon) == nil)
        #expect(allowance.wait(used: DataUse(sent: 100_000_000, received: 50_000_000), at: noon) == .data)
    }

    @Test func `wait for their hours`() throws {
        let allowance = PhotoAllowance(megabytesAMonth: 300, hours: HoursOfDay("22:00-05:00"))
        #expect(allowance.wait(used: DataUse(), at: try local(11, 15, 21, 59)) == .hours)
        #expect(allowance.wait(used: DataUse(), at: try local(11, 15, 22)) == nil)
        #expect(allowance.wait(used: DataUse(sent: 150_000_000), at: try local(11, 15, 22)) == .data)
    }

    @Test func `are counted in the month of Nepal's clock`() throws {
        #expect(DataUse.month(of: try local(11, 30, 23, 59)) == "2026-11")
        #expect(DataUse.month(of: try local(12, 1, 0)) == "2026-12")
    }
}
