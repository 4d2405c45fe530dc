import Foundation
import Testing

@testable import Enforcement

@Suite("Limits of vehicle types", .timeLimit(.minutes(5)))
struct TypeSpeedTests {
    private let speeds = TypeSpeeds([.truck: 30, .motorcycle: 45.5])

    private func segment(_ speeds: TypeSpeeds) -> Segment {
        Segment(name: "types", distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10, typeSpeeds: speeds)
    }

    @Test func `are of their types alone`() {
        let segment = segment(speeds)
        let now = Instant(milliseconds: 0)
        #expect([.truck, .motorcycle, .car].map { segment.highestSpeedKmh(of: $0, at: now) } == [30, 45.5, 40])
        #expect(segment.earliestLawfulExit(of: .truck, from: now) - now == .minutes(90))
        #expect(segment.earliestLawfulExit(of: .car, from: now) - now == .minutes(67.5))
        #expect(segment.shortestTravelTime == .minutes(67.5))
    }

    @Test(
        arguments: [
            ("truck 30, bus 35.5", [.truck: 30, .bus: 35.5]), ("  auto_rickshaw   25 ", [.autoRickshaw: 25]), ("", [:]),
            ("truck", nil), ("truck 30 40", nil), ("lorry 30", nil), ("truck thirty", nil), ("truck 30, truck 40", nil),
            ("truck nan", nil), ("truck 30; bus 35", nil),
        ] as [(String, [VehicleType: Double]?)])
    func `are read as a person types them, or not at all`(typed: String, speeds: [VehicleType: Double]?) {
        #expect(TypeSpeeds(typed: typed)?.kmh == speeds)
    }

    @Test func `come back from their JSON, without types that are not known`() throws {
        #expect(try speeds.json == #"{"motorcycle":45.5,"truck":30}"#)
        #expect(try TypeSpeeds(json: speeds.json) == speeds)
        #expect(try TypeSpeeds(json: #"{"truck": 30, "hovercraft": 90}"#) == TypeSpeeds([.truck: 30]))
        for wrong in ["[]", #"{"truck": "30"}"#, "", "null"] {
            #expect(throws: (any Error).self) { try TypeSpeeds(json: wrong) }
        }
    }

    @Test(arguments: [(10.0, false), (10.01, true), (999.99, true), (1000, false), (.nan, false)])
    func `lie above the lowest speed`(speed: Double, isFine: Bool) {
        let problem = Segment.problem(
            distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10, typeSpeeds: TypeSpeeds([.bus: speed]))
        #expect((problem == nil) == isFine, "\(problem ?? "")")
        #expect(problem?.contains("bus") != false)
    }

    @Test func `stand in the line that says what vehicles are judged by`() {
        var segment = segment(speeds)
        #expect(
            segment.text
                == "45 km, at most 40 km/h (truck 30 km/h, motorcycle 45.5 km/h), at least 10 km/h, no tolerance")
        (segment.typeSpeeds, segment.toleranceKmh, segment.tolerancePercent) = (TypeSpeeds(), 3, 2.5)
        segment.distanceCertificate = "NBSM 1"
        #expect(
            segment.text
                == "45 km, at most 40 km/h, at least 10 km/h, tolerance 3 km/h or 2.5 %, certificate NBSM 1")
    }

    @Test func `travel with the segment, and a segment without them reads as before`() throws {
        var segment = segment(speeds)
        segment.distanceCertificate = "NBSM 2081-117"
        #expect(try JSONDecoder().decode(Segment.self, from: JSONEncoder().encode(segment)) == segment)
        let old = #"{"name": "x", "distanceKm": 45, "maxSpeedKmh": 40, "minSpeedKmh": 10}"#
        #expect(try JSONDecoder().decode(Segment.self, from: Data(old.utf8)).typeSpeeds == TypeSpeeds())
        let wrong = #"{"name": "x", "distanceKm": 45, "maxSpeedKmh": 40, "minSpeedKmh": 10, "typeSpeeds": {"bus": 9}}"#
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Segment.self, from: Data(wrong.utf8)) }
    }
}
