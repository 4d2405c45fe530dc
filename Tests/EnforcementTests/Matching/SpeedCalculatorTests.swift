import Foundation
import Testing

@testable import Enforcement

@Suite("A speed calculator", .timeLimit(.minutes(5)))
struct SpeedCalculatorTests {
    @Test(arguments: [
        (Int64(4_050_000), SpeedCalculator.Verdict.lawful), (4_049_999, .speeding), (16_200_000, .lawful),
        (16_200_001, .overstay), (8_000_000, .lawful), (1, .speeding), (0, .speeding), (-1, .speeding),
        (.max, .overstay), (.min, .speeding),
    ])
    func `takes a time exactly on a threshold for lawful`(milliseconds: Int64, verdict: SpeedCalculator.Verdict) {
        #expect(SpeedCalculator.check(travelTime: .milliseconds(milliseconds), on: banke) == verdict)
    }

    @Test(arguments: [
        (Double(7.03), 33.33, 11.11), (0.01, 999.99, 0.01), (9999.99, 999.99, 0.01), (12.34, 56.78, 9.87),
    ])
    func `agrees with the segment's own limits, to the millisecond`(distance: Double, max: Double, min: Double) {
        let segment = Segment(name: "s", distanceKm: distance, maxSpeedKmh: max, minSpeedKmh: min)
        let oneMillisecond = Int64(1)
        let shortest = segment.shortestTravelTime.milliseconds
        let longest = segment.longestTravelTime.milliseconds
        #expect(SpeedCalculator.check(travelTime: .milliseconds(shortest), on: segment) == .lawful)
        #expect(SpeedCalculator.check(travelTime: .milliseconds(shortest - oneMillisecond), on: segment) == .speeding)
        #expect(SpeedCalculator.check(travelTime: .milliseconds(longest), on: segment) == .lawful)
        #expect(SpeedCalculator.check(travelTime: .milliseconds(longest + oneMillisecond), on: segment) == .overstay)
    }

    /// 45 km at 40 and 10 km/h: with 3 km/h the thresholds are 43 and 7, with 3 % they would be 41.2 and 9.7.
    @Test(arguments: [
        (3.0, 0.0, Int64(3_767_441), SpeedCalculator.Verdict.speeding), (3, 0, 3_767_442, .lawful),
        (3, 0, 23_142_857, .lawful), (3, 0, 23_142_858, .overstay), (3, 3, 3_767_441, .speeding),
        (3, 3, 3_767_442, .lawful), (0, 3, 3_932_038, .speeding), (0, 3, 3_932_039, .lawful),
        (0, 0, 4_049_999, .speeding),
        (0, 25, 3_239_999, .speeding), (0, 25, 3_240_000, .lawful), (0, 25, 21_600_000, .lawful),
        (0, 25, 21_600_001, .overstay), (0, 3, 0, .speeding), (3, 3, .max, .overstay),
    ])
    func `lets the larger tolerance count`(
        kmh: Double, percent: Double, milliseconds: Int64, verdict: SpeedCalculator.Verdict
    ) {
        var segment = banke
        (segment.toleranceKmh, segment.tolerancePercent) = (kmh, percent)
        #expect(SpeedCalculator.check(travelTime: .milliseconds(milliseconds), on: segment) == verdict)
        #expect((milliseconds < segment.shortestTravelTime.milliseconds) == (verdict == .speeding))
        #expect((milliseconds > segment.longestTravelTime.milliseconds) == (verdict == .overstay))
    }

    @Test func `gives the average speed, and none for no time at all`() {
        #expect(SpeedCalculator.speedKmh(travelTime: .milliseconds(4_050_000), on: banke) == 40)
        #expect(SpeedCalculator.speedKmh(travelTime: .milliseconds(0), on: banke) == nil)
    }

    @Test(arguments: [(Int64(900_000), false), (899_999, true), (0, true), (16_200_001, false)])
    func `finds a speed that no vehicle reaches implausible`(milliseconds: Int64, isImplausible: Bool) {
        #expect(SpeedCalculator.isImplausible(travelTime: .milliseconds(milliseconds), on: banke) == isImplausible)
    }
}

@Suite("A segment", .timeLimit(.minutes(5)))
struct SegmentTests {
    @Test func `gives its shortest and longest lawful times`() {
        #expect(banke.shortestTravelTime == .milliseconds(4_050_000))
        #expect(banke.longestTravelTime == .milliseconds(16_200_000))
    }

    @Test(arguments: [
        (Double(0), 40, 10), (-1, 40, 10), (10_000, 40, 10), (45, 10, 10), (45, 10, 40), (45, 40, 0), (45, 1000, 10),
        (.nan, 40, 10), (45, .nan, 10), (45, 40, .nan), (.infinity, 40, 10), (45, .infinity, 10),
    ])
    func `names what is wrong with limits that make no segment`(distance: Double, max: Double, min: Double) {
        #expect(Segment.problem(distanceKm: distance, maxSpeedKmh: max, minSpeedKmh: min) != nil)
    }

    @Test(arguments: [
        (Double(-0.01), 0.0), (10, 0), (9.999, 0), (.nan, 0), (0, -1), (0, 100), (0, .nan), (.infinity, 0),
    ])
    func `names a tolerance that leaves no lowest speed`(kmh: Double, percent: Double) {
        #expect(
            Segment.problem(
                distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10, toleranceKmh: kmh, tolerancePercent: percent) != nil)
    }

    @Test func `has no tolerance where none is written`() throws {
        let text = #"{"name": "s", "distanceKm": 45, "maxSpeedKmh": 40, "minSpeedKmh": 10}"#
        let segment = try JSONDecoder().decode(Segment.self, from: Data(text.utf8))
        #expect(segment.tolerance == Tolerance(kmh: 0, percent: 0))
        #expect(segment.shortestTravelTime == banke.shortestTravelTime)
    }

    @Test(arguments: [(0.01, 0.02, 0.01), (9999.99, 999.99, 0.01), (45, 40, 10)])
    func `takes all that the server's tables hold`(distance: Double, max: Double, min: Double) {
        #expect(Segment.problem(distanceKm: distance, maxSpeedKmh: max, minSpeedKmh: min) == nil)
    }
}
