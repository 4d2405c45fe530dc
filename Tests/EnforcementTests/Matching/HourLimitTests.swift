import Foundation
import Testing

@testable import Enforcement

@Suite("Limits by hours", .timeLimit(.minutes(5)))
struct HourLimitTests {
    private let night = HourLimits(typed: "22:00-05:00 30, 22:00-05:00 truck 25.5, 23:00-04:00 bus closed")

    private func segment(_ limits: HourLimits?) -> Segment {
        Segment(
            name: "hours", distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10, typeSpeeds: TypeSpeeds([.tanker: 20]),
            hourLimits: limits ?? HourLimits())
    }

    /// As a clock in Nepal shows it, on a day of November.
    private func local(_ hour: Int, _ minute: Int, day: Int = 26) throws -> Instant {
        let time = CivilTime(year: 2026, month: 11, day: day, hour: hour, minute: minute)
        return try #require(time.instant(offset: CivilTime.nepalOffset))
    }

    @Test(
        arguments: [
            ("", ""), ("22:00-05:00 30", "22:00-05:00 30 km/h"),
            (" 22:00-05:00   truck 25.5 ", "22:00-05:00 truck 25.5 km/h"),
            ("23:00-04:00 closed, 22:00-05:00 bus closed", "23:00-04:00 closed, 22:00-05:00 bus closed"),
            ("22:00-05:00", nil), ("22:00-22:00 30", nil), ("22:00-05:00 fast", nil), ("22:00-05:00 lorry 30", nil),
            ("22:00-05:00 truck bus 30", nil), ("closed", nil), ("22:00-05:00 nan", nil), ("22:00-05:00 30 truck", nil),
            ("22:00-24:00 30", nil), ("22:00-05:00 truck", nil),
        ] as [(String, String?)])
    func `are read as a person types them, or not at all`(typed: String, said: String?) {
        #expect(HourLimits(typed: typed)?.all.map(\.text).joined(separator: ", ") == said)
    }

    @Test func `come back from their JSON, without limits of types that are not known`() throws {
        let night = try #require(night)
        #expect(try HourLimits(json: night.json) == night)
        #expect(
            try HourLimits(typed: "23:00-04:00 bus closed, 22:00-05:00 30")?.json
                == #"[{"from":"23:00","type":"bus","until":"04:00"},{"from":"22:00","kmh":30,"until":"05:00"}]"#)
        let newer =
            #"[{"from": "22:00", "until": "05:00", "type": "hovercraft"}, {"from": "22:00", "until": "05:00", "kmh": 30}]"#
        #expect(try HourLimits(json: newer) == HourLimits(typed: "22:00-05:00 30"))
        for wrong in ["{}", #"[{"from": "22:00"}]"#, #"[{"from": "22:00", "until": "22:00"}]"#, "null", "[1]"] {
            #expect(throws: (any Error).self) { try HourLimits(json: wrong) }
        }
    }

    @Test(arguments: [(10.0, false), (10.01, true), (999.99, true), (1000, false)])
    func `lie above the lowest speed`(speed: Double, isFine: Bool) throws {
        let limit = HourLimit(try #require(HoursOfDay("22:00-05:00")), type: .bus, kmh: speed)
        let problem = Segment.problem(
            distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10, hourLimits: HourLimits([limit]))
        #expect((problem == nil) == isFine, "\(problem ?? "")")
        #expect(problem?.contains("22:00-05:00 bus") != false)
    }

    @Test func `are twenty at most`() throws {
        let limit = HourLimit(try #require(HoursOfDay("22:00-05:00")), kmh: 30)
        for count in [20, 21] {
            let limits = HourLimits(Array(repeating: limit, count: count))
            #expect(
                (Segment.problem(distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10, hourLimits: limits) == nil)
                    == (count == 20))
        }
    }

    @Test func `hold in their hours, for their vehicles, where they are the lowest`() throws {
        let segment = segment(night)
        func speeds(_ hour: Int, _ minute: Int) throws -> [Double] {
            let at = try local(hour, minute)
            return [.car, .truck, .tanker, .bus].map { segment.highestSpeedKmh(of: $0, at: at) }
        }
        #expect(try speeds(21, 59) == [40, 40, 20, 40])
        #expect(try speeds(22, 0) == [30, 25.5, 20, 30])
        #expect(try speeds(0, 0) == [30, 25.5, 20, 30])
        #expect(try speeds(4, 59) == [30, 25.5, 20, 30])
        #expect(try speeds(5, 0) == [40, 40, 20, 40])
    }

    @Test func `say when a vehicle can come out lawfully`() throws {
        let segment = segment(night)
        func minutes(_ hour: Int, _ minute: Int, _ type: VehicleType = .car) throws -> Double {
            let entry = try local(hour, minute)
            return (segment.earliestLawfulExit(of: type, from: entry) - entry).minutes
        }
        #expect(try minutes(12, 0) == 67.5)
        #expect(try minutes(23, 0) == 90)
        // The night ends on the way: as if it had been day all the way, but not before it ends.
        #expect(try minutes(4, 0) == 67.5)
        #expect(try minutes(3, 45) == 75)
        #expect(try minutes(3, 30) == 90)
        #expect(try minutes(3, 29) == 90)
        #expect(try minutes(3, 29, .truck) == 91)
        #expect(try minutes(12, 0, .tanker) == 135)
        // Whatever it says, a drive of that length is lawful, and one a moment shorter isn't.
        for minute in stride(from: 0, to: 24 * 60, by: 7) {
            let entry = try local(minute / 60, minute % 60)
            for type in [VehicleType.car, .truck, .tanker] {
                let exit = segment.earliestLawfulExit(of: type, from: entry)
                func verdict(_ exit: Instant) -> SpeedCalculator.Verdict {
                    SpeedCalculator.check(
                        travelTime: exit - entry, on: segment,
                        highest: segment.highestSpeedKmh(of: type, from: entry, until: exit))
                }
                #expect(verdict(exit) == .lawful, "\(minute) \(type)")
                #expect(verdict(exit - .milliseconds(1)) == .speeding, "\(minute) \(type)")
            }
        }
    }

    @Test func `close the road to their vehicles in their hours`() throws {
        let limits = try #require(night)
        #expect(limits.closing(to: .bus, at: try local(22, 59)) == nil)
        #expect(limits.closing(to: .bus, at: try local(23, 0))?.hours.text == "23:00-04:00")
        #expect(limits.closing(to: .bus, at: try local(4, 0)) == nil)
        #expect(limits.closing(to: .car, at: try local(23, 0)) == nil)
    }

    @Test func `stand in the line that says what vehicles are judged by, and travel with the segment`() throws {
        let segment = segment(night)
        #expect(
            segment.text
                == "45 km, at most 40 km/h (tanker 20 km/h, 22:00-05:00 30 km/h, 22:00-05:00 truck 25.5 km/h, "
                + "23:00-04:00 bus closed), at least 10 km/h, no tolerance")
        #expect(try JSONDecoder().decode(Segment.self, from: JSONEncoder().encode(segment)) == segment)
        let old = #"{"name": "x", "distanceKm": 45, "maxSpeedKmh": 40, "minSpeedKmh": 10}"#
        #expect(try JSONDecoder().decode(Segment.self, from: Data(old.utf8)).hourLimits.isEmpty)
    }
}
