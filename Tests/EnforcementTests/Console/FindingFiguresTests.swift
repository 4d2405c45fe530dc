import Foundation
import Testing

@testable import Enforcement

@Suite("The figures of a finding", .timeLimit(.minutes(5)))
struct FindingFiguresTests {
    private func figures(_ milliseconds: Int64) throws -> FindingFigures {
        let entry = passage("BA1CHA1234", ms: 0)
        var exit = passage("BA1CHA1234", ms: milliseconds)
        exit.checkpostCode = "BNP-B"
        return FindingFigures(try #require(Violation(Match(entry, exit, certainty: .exact), on: banke, id: UUID())))
    }

    @Test(arguments: [
        (4_048_000, "40.02", "40", "1 h 7 min 28 s", "1 h 7 min 30 s"),
        (4_049_999, "40.00001", "40", "1 h 7 min 29 s", "1 h 7 min 30 s"),
        (2_400_000, "67.5", "40", "40 min", "1 h 7 min 30 s"),
        (18_000_000, "9", "10", "5 h", "4 h 30 min"),
        (16_200_400, "9.9998", "10", "4 h 30 min 0.4 s", "4 h 30 min"),
        (100_000_000, "1.6", "10", "1 d 3 h 46 min 40 s", "4 h 30 min"),
    ])
    func `never say that what was measured is the limit`(
        milliseconds: Int64, speed: String, limit: String, took: String, lawful: String
    ) throws {
        let figures = try figures(milliseconds)
        #expect(figures.speed == speed)
        #expect(figures.limit == limit)
        #expect(figures.took == took)
        #expect(figures.lawful == lawful)
    }

    @Test func `say the limit with two decimals where no speed was measured`() throws {
        var exit = passage("BA1CHA1234", ms: 2_400_000)
        exit.checkpostCode = "BNP-B"
        let match = Match(passage("BA1CHA1234", ms: 0), exit, certainty: .exact)
        var violation = try #require(Violation(match, on: banke, id: UUID()))
        (violation.calculatedSpeedKmh, violation.speedLimitKmh) = (nil, 33.3333)
        let figures = FindingFigures(violation)
        #expect(figures.speed == nil && figures.limit == "33.33")
    }

    @Test(arguments: [
        (0.0, 0.0, Int64(2_400_000), nil), (3, 3, 2_400_000, "3"), (0.5, 3, 2_400_000, "1.2"),
        (3, 3, 100_000_000, "3"), (0.25, 0, 100_000_000, "0.25"), (0, 0.33, 2_400_000, "0.132"),
    ])
    func `say the tolerance that counted, in km/h`(kmh: Double, percent: Double, milliseconds: Int64, text: String?)
        throws
    {
        var segment = banke
        (segment.toleranceKmh, segment.tolerancePercent) = (kmh, percent)
        var exit = passage("BA1CHA1234", ms: milliseconds)
        exit.checkpostCode = "BNP-B"
        let match = Match(passage("BA1CHA1234", ms: 0), exit, certainty: .exact)
        #expect(FindingFigures(try #require(Violation(match, on: segment, id: UUID()))).tolerance == text)
    }

    /// 10 km at 70 km/h take 514,285.7 ms: a millisecond less is too fast, and the figures are apart by it.
    @Test func `name the first millisecond that is lawful`() throws {
        let road = Segment(name: "Bend", distanceKm: 10, maxSpeedKmh: 70, minSpeedKmh: 7)
        func times(_ milliseconds: Int64) throws -> [String] {
            var exit = passage("BA1CHA1234", ms: milliseconds)
            exit.checkpostCode = "BNP-B"
            let match = Match(passage("BA1CHA1234", ms: 0), exit, certainty: .exact)
            let figures = FindingFigures(try #require(Violation(match, on: road, id: UUID())))
            return [figures.took, figures.lawful]
        }
        #expect(try times(514_285) == ["8 min 34.285 s", "8 min 34.286 s"])
        // And 5,142,857.1 ms at 7 km/h: a millisecond more is too slow.
        #expect(try times(5_142_858) == ["1 h 25 min 42.858 s", "1 h 25 min 42.857 s"])
    }

    @Test func `have no speed where no time passed`() throws {
        let figures = try figures(0)
        #expect(figures.speed == nil && figures.limit == "40" && figures.took == "0 s")
    }

    /// One decimal of 40.04 is 40, and that is less than 40.01.
    @Test func `never say that what was too fast is below the limit`() throws {
        let road = Segment(name: "Odd", distanceKm: 10, maxSpeedKmh: 40.01, minSpeedKmh: 7.26)
        func told(_ milliseconds: Int64) throws -> [String?] {
            var exit = passage("BA1CHA1234", ms: milliseconds)
            exit.checkpostCode = "BNP-B"
            let match = Match(passage("BA1CHA1234", ms: 0), exit, certainty: .exact)
            let figures = FindingFigures(try #require(Violation(match, on: road, id: UUID())))
            return [figures.speed, figures.limit]
        }
        #expect(try told(899_100) == ["40.04", "40.01"])
        #expect(try told(4_964_147) == ["7.25", "7.26"])
    }

    @Test func `differ for every travel time that breaks a limit, a millisecond too`() throws {
        for milliseconds in [Int64(1), 999, 4_049_990, 4_049_998, 16_200_001, 16_200_999, 16_201_000, 86_400_000] {
            let figures = try figures(milliseconds)
            #expect(figures.speed != figures.limit && figures.took != figures.lawful, "\(figures)")
        }
    }

    /// The server keeps four decimals.
    @Test func `are as exact with a speed that the server has rounded, and take its word where it is another`() throws {
        var exit = passage("BA1CHA1234", ms: 4_049_999)
        exit.checkpostCode = "BNP-B"
        let match = Match(passage("BA1CHA1234", ms: 0), exit, certainty: .exact)
        var violation = try #require(Violation(match, on: banke, id: UUID()))
        violation.calculatedSpeedKmh = 40.0000
        #expect(FindingFigures(violation).speed == "40.00001")
        violation.calculatedSpeedKmh = 41.5
        #expect(FindingFigures(violation).speed == "41.5")
    }

    /// 20 cm in an hour: of figures that small the difference of 0.0001 km/h is no other number in binary.
    @Test func `are as exact where the rounding took all that it can`() {
        let id = UUID()
        let violation = Violation(
            id: id, kind: .speeding, entryClientID: id, exitClientID: id, plate: Plate(canonical: "A1"),
            vehicleType: .car,
            entryTime: .init(seconds: 0), exitTime: .init(seconds: 3600), distanceKm: 0.0002, speedLimitKmh: 0.000_15,
            calculatedSpeedKmh: 0.0001, isImplausible: false, state: .provisional)
        #expect(FindingFigures(violation).speed == "0.0002")
    }

    @Test func `are written in the units of a language`() {
        let units = FindingFigures.Units(day: "दिन", hour: "घ", minute: "मि", second: "से")
        #expect(FindingFigures.text(.seconds(3605), units: units) == "1 घ 0 मि 5 से")
        #expect(FindingFigures.number(40.10, decimals: 2) == "40.1")
        #expect(FindingFigures.number(100, decimals: 1) == "100")
    }
}
