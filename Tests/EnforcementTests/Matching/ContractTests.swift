import Foundation
import TestKit
import Testing

@testable import Enforcement

@Suite("The box, by the cases that the server is held to as well", .timeLimit(.minutes(5)))
struct ContractTests {
    private func matchable(_ passage: Contract.Passage) throws -> MatchablePassage {
        MatchablePassage(
            clientID: try #require(UUID(uuidString: passage.clientID)), plate: Plate(canonical: passage.plate),
            vehicleType: try #require(VehicleType(rawValue: passage.type)), checkpostCode: passage.post,
            recordedAt: try #require(Instant(iso8601: passage.at)),
            clockState: try #require(ClockState(rawValue: passage.clock)))
    }

    @Test func `judges passages alike`() throws {
        let judging = try Contract.judging()
        #expect(judging.cases.count >= 30)
        for example in judging.cases {
            let numbers = try #require(judging.segments[example.segment])
            let segment = Segment(
                name: "contract", distanceKm: numbers.distance_km, maxSpeedKmh: numbers.max_speed_kmh,
                minSpeedKmh: numbers.min_speed_kmh, toleranceKmh: numbers.tolerance_kmh,
                tolerancePercent: numbers.tolerance_percent)
            let finding = PassageMatcher().match(
                try matchable(example.passage), among: try example.before.map(matchable))
            guard case .matched(let match) = finding else {
                #expect(example.match == nil, "\(example.name)")
                continue
            }
            let ids = [match.entry, match.exit].map { Int($0.clientID.uuidString.suffix(12)) }
            #expect(ids == example.match, "\(example.name)")
            let violation = Violation(match, on: segment, id: UUID()).map {
                Contract.Violation(
                    kind: $0.kind.rawValue, plate: $0.plate.compact, type: $0.vehicleType.rawValue,
                    limit: $0.speedLimitKmh, threshold: $0.thresholdMinutes, speed: $0.calculatedSpeedKmh)
            }
            #expect(violation == example.violation, "\(example.name)")
        }
    }

    @Test func `reads texts alike, and writes none that is refused`() throws {
        let texts = try Contract.texts()
        #expect(texts.cases.count >= 25)
        for example in texts.cases {
            let passage = try? SMSDecoder.decode(example.text)
            let reading = passage.map {
                Contract.Reading(
                    plate: $0.compactPlate, type: $0.vehicleType.rawValue, seconds: $0.recordedAt.epochSeconds)
            }
            #expect(reading == example.read, "\(example.name)")
            if let passage { #expect(throws: Never.self) { try SMSEncoder.encode(passage) } }
        }
    }
}
