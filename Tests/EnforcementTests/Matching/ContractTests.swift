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

    @Test func `waits for the other post's reviews alike`() throws {
        let overstays = try Contract.overstays()
        #expect(overstays.cases.count >= 28)
        let numbers = overstays.segment
        let watch = OverstayWatch(
            segment: Segment(
                name: "contract", distanceKm: numbers.distance_km, maxSpeedKmh: numbers.max_speed_kmh,
                minSpeedKmh: numbers.min_speed_kmh, toleranceKmh: numbers.tolerance_kmh,
                tolerancePercent: numbers.tolerance_percent))
        for example in overstays.cases {
            let now = try #require(Instant(iso8601: example.now))
            let entry = MatchablePassage(
                clientID: UUID(), plate: Plate(canonical: example.plate), vehicleType: .car, checkpostCode: "J-A",
                recordedAt: try #require(Instant(iso8601: example.at)),
                clockState: try #require(ClockState(rawValue: example.clock)))
            let other = OtherPost(
                knownUpTo: example.known.flatMap(Instant.init(iso8601:)),
                reviews: try example.as_of.map {
                    // A time ahead of ours proves nothing: the box takes it so as it arrives.
                    OtherPost.Reviews(
                        asOf: min(try #require(Instant(iso8601: $0)), now),
                        waiting: try example.waiting.map {
                            WaitingSighting(
                                seenAt: try #require(Instant(iso8601: $0.at)), plate: Plate(canonical: $0.plate))
                        })
                })
            let alert = watch.alerts(
                entries: [.init(passage: entry, hasPossibleMatch: false)], other: other, now: now
            ).first
            let doubts = alert.map { alert in
                OverstayWatch.doubts(alert.plate, enteredAt: alert.entryTime, other: other, now: now).map { doubt in
                    switch doubt {
                    case .waitsForReview(let at): at.iso8601
                    case .reviewsUnknown: "reviews_unknown"
                    case .looksAlike: "looks_alike"
                    case .toldByText: "told_by_text"
                    }
                }
            }
            #expect(doubts == example.doubts, "\(example.name)")
            #expect((alert?.isDoubtful ?? false) == (example.doubts?.isEmpty == false), "\(example.name)")
        }
    }
}
