import Foundation
import Testing

@testable import Enforcement

@Suite("A segment at its bounds", .timeLimit(.minutes(5)))
struct SegmentBoundTests {
    private func isFine(
        _ distance: Double = 45, _ highest: Double = 40, _ lowest: Double = 10, kmh: Double = 0, percent: Double = 0
    ) -> Bool {
        Segment.problem(
            distanceKm: distance, maxSpeedKmh: highest, minSpeedKmh: lowest, toleranceKmh: kmh,
            tolerancePercent: percent)
            == nil
    }

    @Test func `has a distance, two speeds and a tolerance that the server's tables hold`() {
        #expect(isFine(0.01) && !isFine(0.009) && isFine(9999.99) && !isFine(10_000) && !isFine(.nan))
        #expect(isFine(45, 999.99) && !isFine(45, 1000) && isFine(45, 40, 0.01) && !isFine(45, 40, 0.009))
        #expect(isFine(45, 40, 39.99) && !isFine(45, 40, 40) && !isFine(45, 40, 41))
        #expect(isFine(kmh: 9.99) && !isFine(kmh: 10) && !isFine(kmh: 9.996) && isFine(kmh: 0) && !isFine(kmh: -0.01))
        #expect(isFine(percent: 99.99) && !isFine(percent: 100) && !isFine(percent: -0.01))
    }

    @Test func `counts in hundredths, at least one and not without end`() {
        #expect([0, 0.004, 0.01, 67.5, 1e9, -5].map(hundredths) == [1, 1, 1, 6750, 10_000_000, 1])
        #expect(hundredths(.nan) == 1)
        #expect(Tolerance(kmh: 1e9, percent: 0).millionths(above: 40) == 40_000_000 + 10_000_000_000)
        #expect(Tolerance(kmh: 1e9, percent: 0).millionths(below: 10) == 1)
        #expect(Tolerance(kmh: -1, percent: .nan).millionths(above: 40) == 40_000_000)
        #expect(Tolerance(kmh: 3, percent: 3).threshold(above: 40) == 43)
        #expect(Tolerance(kmh: 3, percent: 3).threshold(above: 115) == 118.45)
        #expect(Tolerance(kmh: 1, percent: 5).threshold(below: 10) == 9)
        #expect(Tolerance(kmh: 0.01, percent: 0).threshold(below: 10) == 9.99)
    }

    @Test func `is driven lawfully between its two times, to the millisecond`() {
        #expect(banke.shortestTravelTime == .seconds(4050) && banke.longestTravelTime == .seconds(16_200))
        var odd = banke
        odd.maxSpeedKmh = 37
        odd.minSpeedKmh = 7
        #expect(
            odd.shortestTravelTime == .milliseconds(4_378_379) && odd.longestTravelTime == .milliseconds(23_142_857))
        func verdict(_ milliseconds: Int64, _ segment: Segment) -> SpeedCalculator.Verdict {
            SpeedCalculator.check(travelTime: .milliseconds(milliseconds), on: segment)
        }
        #expect(verdict(4_378_378, odd) == .speeding && verdict(4_378_379, odd) == .lawful)
        #expect(verdict(23_142_857, odd) == .lawful && verdict(23_142_858, odd) == .overstay)
        #expect(verdict(-1, banke) == .speeding && verdict(0, banke) == .speeding && verdict(.max, banke) == .overstay)
        #expect(verdict(.min, banke) == .speeding)
    }

    @Test func `has a speed that a vehicle reaches, or a person looks first`() {
        func speed(_ milliseconds: Int64) -> Double? {
            SpeedCalculator.speedKmh(travelTime: .milliseconds(milliseconds), on: banke)
        }
        #expect(speed(900_000) == 180 && speed(0) == nil && speed(-1) == nil && speed(1) != nil)
        func isImplausible(_ milliseconds: Int64) -> Bool {
            SpeedCalculator.isImplausible(travelTime: .milliseconds(milliseconds), on: banke)
        }
        #expect(!isImplausible(900_000) && isImplausible(899_999) && isImplausible(0))
    }

    @Test func `is the passage right before or after, within the window to the millisecond`() {
        let day: Int64 = 86_400_000
        let matcher = PassageMatcher()
        let here = passage("BA1CHA1234", ms: 0, id: 1)
        func isMatched(_ ms: Int64, at post: String = "B", id: Int = 2) -> Bool {
            if case .matched = matcher.match(here, among: [passage("BA1CHA1234", at: post, ms: ms, id: id)]) {
                return true
            }
            return false
        }
        #expect(isMatched(day) && isMatched(-day) && !isMatched(day + 1) && !isMatched(-day - 1))
        #expect(!isMatched(5, at: "A") && !isMatched(5, id: 1))
        let alike = (2...9).map { passage("BA1CHA1235", at: "B", ms: Int64($0) * 1000, id: $0) }
        guard case .possible(let found) = matcher.match(here, among: alike.reversed()) else {
            Issue.record("nothing looks alike")
            return
        }
        #expect(found.map { $0.exit.recordedAt } == alike.prefix(5).map(\.recordedAt))
        // Equally near: the earlier one; at one time the one that comes next.
        let rivals = [
            passage("BA1CHA1234", at: "B", ms: 1000, id: 3), passage("BA1CHA1234", at: "B", ms: -1000, id: 4),
        ]
        #expect(matcher.match(here, among: rivals) == .matched(Match(here, rivals[1], certainty: .exact)))
        let twins = [passage("BA1CHA1234", at: "B", ms: 1000, id: 6), passage("BA1CHA1234", at: "B", ms: 1000, id: 5)]
        #expect(matcher.match(here, among: twins) == .matched(Match(here, twins[0], certainty: .exact)))
        let before = twins.map { passage("BA1CHA1234", at: "B", ms: -1000, id: $0 == twins[0] ? 6 : 5) }
        #expect(matcher.match(here, among: before) == .matched(Match(before[1], here, certainty: .exact)))
    }

    @Test func `shows who is inside, and who should be out`() {
        let now = Instant(milliseconds: 1_795_255_530_000)
        let shortest = banke.shortestTravelTime.milliseconds
        let longest = banke.longestTravelTime.milliseconds
        func inside(_ ms: [Int64], remote: [Int64] = []) -> InsideNow {
            InsideNow(
                own: ms.enumerated().map { passage("BA1CHA\(1000 + $0.offset)", ms: $0.element, id: $0.offset) },
                remote: remote.enumerated().map {
                    passage("BA1CHA\(1000 + $0.offset)", at: "B", ms: $0.element, id: 50 + $0.offset)
                },
                on: banke, mayBeOut: [], dismissed: [], now: now)
        }
        #expect(inside([-longest]).expected.count == 1 && inside([-longest]).overdue.isEmpty)
        #expect(inside([-longest - 1]).overdue.count == 1)
        #expect(inside([0]).expected.count == 1 && inside([1]).expected.isEmpty)
        // By what happens first to each: the earliest lawful exit, then the deadline.
        let order = inside([-shortest, -shortest + 1, -longest + 10]).expected.map { $0.entry.recordedAt - now }
        #expect(order.map(\.milliseconds) == [-shortest + 1, -longest + 10, -shortest])
        let late = inside([-longest - 5, -longest - 1]).overdue.map { ($0.entry.recordedAt - now).milliseconds }
        #expect(late == [-longest - 1, -longest - 5])
        // Seen at both posts: where it was seen last; at one time, here.
        #expect(inside([-10], remote: [-9]).expected.map(\.isFromHere) == [false])
        #expect(inside([-10], remote: [-10]).expected.map(\.isFromHere) == [true])
        #expect(InsideNow.window == .hours(24))
    }
}
