import Foundation
import Testing

@testable import Enforcement

@Suite("A time at its bounds", .timeLimit(.minutes(5)))
struct InstantBoundsTests {
    private let first = Instant(milliseconds: .min)
    private let last = Instant(milliseconds: .max)

    @Test func `stays at the bound that a sum goes beyond`() {
        #expect(last + .milliseconds(1) == last)
        #expect(first - .milliseconds(1) == first)
        #expect(last - .milliseconds(.min) == last)
        #expect(first + .milliseconds(.min) == first)
        #expect(last - first == .milliseconds(.max))
        #expect(first - last == .milliseconds(.min))
    }

    @Test func `has a magnitude, however far back it runs`() {
        #expect(TimeSpan.milliseconds(.min).magnitude == .milliseconds(.max))
        #expect(TimeSpan.milliseconds(-5).magnitude == .milliseconds(5))
    }

    @Test(arguments: [
        (Double.nan, Int64(0)), (.infinity, .max), (-.infinity, .min), (1e300, .max), (0.0015, 2), (-1.5, -1500),
    ])
    func `makes whole milliseconds of any number of seconds`(seconds: Double, milliseconds: Int64) {
        #expect(Instant(seconds: seconds).milliseconds == milliseconds)
        #expect(TimeSpan.seconds(seconds).milliseconds == milliseconds)
    }

    @Test func `can be written, first and last`() {
        for instant in [first, last] {
            #expect(!instant.iso8601.isEmpty)
            #expect(!instant.nepalText.isEmpty)
        }
    }

    @Test func `is stored as its milliseconds`() throws {
        let data = try JSONEncoder().encode([last, Instant(milliseconds: -1)])
        #expect(String(decoding: data, as: UTF8.self) == "[9223372036854775807,-1]")
        #expect(try JSONDecoder().decode([Instant].self, from: data) == [last, Instant(milliseconds: -1)])
    }
}

@Suite("The state of a clock", .timeLimit(.minutes(5)))
struct ClockStateTests {
    @Test func `counts a replay as trusted`() {
        #expect(ClockState.allCases.filter(\.isTrusted) == [.synchronised, .simulated])
    }

    @Test(arguments: [
        (0, 15.0), (-3, 15), (.min, 15), (1, 30), (4, 240), (5, 300), (40, 300), (64, 300), (.max, 300),
    ])
    func `doubles a pause up to its bound, however often`(times: Int, seconds: Double) {
        #expect(TimeSpan.seconds(15).doubled(times, atMost: .minutes(5)) == .seconds(seconds))
    }

    @Test func `doubles nothing past what a number holds, and never beyond the bound at once`() {
        #expect(TimeSpan(milliseconds: .max).doubled(40, atMost: TimeSpan(milliseconds: .max)).milliseconds == .max)
        #expect(TimeSpan.minutes(10).doubled(0, atMost: .minutes(5)) == .minutes(5))
    }
}
