import Foundation
import Testing

@testable import Enforcement

@Suite("A violation", .timeLimit(.minutes(5)))
struct ViolationTests {
    private let id = UUID()

    private func judged(
        _ ms: Int64, _ certainty: Match.Certainty = .exact, entry: ClockState = .synchronised,
        exit: ClockState = .synchronised
    ) -> Violation? {
        let match = Match(
            passage("BA1CHA1234", ms: 0, id: 1, clock: entry),
            passage("BA1CHA1234", at: "B", ms: ms, id: 2, clock: exit, type: .truck), certainty: certainty)
        return Violation(match, on: banke, id: id)
    }

    @Test(arguments: [
        (Int64(4_049_999), Violation.Kind?.some(.speeding)), (4_050_000, nil), (16_200_000, nil),
        (16_200_001, .overstay),
    ])
    func `is a match outside the limits`(ms: Int64, kind: Violation.Kind?) {
        #expect(judged(ms)?.kind == kind)
    }

    @Test func `is never made by plates that only look alike`() {
        #expect(judged(1000, .lookAlike) == nil)
    }

    @Test(arguments: ClockState.allCases, ClockState.allCases)
    func `is never made on an untrusted clock, at either end`(entry: ClockState, exit: ClockState) {
        #expect((judged(3_600_000, entry: entry, exit: exit) == nil) == (entry == .untrusted || exit == .untrusted))
    }

    @Test func `copies the distance and the limit that it was judged by`() throws {
        let speeding = try #require(judged(3_600_000))
        #expect(speeding.distanceKm == 45)
        #expect(speeding.speedLimitKmh == 40)
        #expect(speeding.calculatedSpeedKmh == 45)
        #expect(speeding.thresholdMinutes == 67.5)
        #expect(speeding.travelTime == .minutes(60))
        #expect(speeding.vehicleType == .car)
        #expect(speeding.state == .provisional)
        let overstay = try #require(judged(18_000_000))
        #expect(overstay.speedLimitKmh == 10)
        #expect(overstay.thresholdMinutes == 270)
    }

    @Test func `keeps the tolerance that it was judged with beside the lawful limit`() throws {
        var segment = banke
        (segment.toleranceKmh, segment.tolerancePercent) = (3, 2)
        func judge(_ ms: Int64) -> Violation? {
            let (entry, exit) = (passage("BA1CHA1234", ms: 0, id: 1), passage("BA1CHA1234", at: "B", ms: ms, id: 2))
            return Violation(Match(entry, exit, certainty: .exact), on: segment, id: id)
        }
        #expect(judge(4_049_999) == nil)
        let speeding = try #require(judge(3_600_000))
        #expect(speeding.tolerance == Tolerance(kmh: 3, percent: 2))
        #expect(speeding.speedLimitKmh == 40)
        #expect(speeding.thresholdSpeedKmh == 43)
        #expect(abs(speeding.thresholdMinutes - 45.0 / 43 * 60) < 1e-9)
        let overstay = try #require(judge(24_000_000))
        #expect(overstay.thresholdSpeedKmh == 7)
    }

    @Test func `has no speed when no time passed, and is marked implausible`() throws {
        let violation = try #require(judged(0))
        #expect(violation.kind == .speeding)
        #expect(violation.calculatedSpeedKmh == nil)
        #expect(violation.isImplausible)
    }
}
