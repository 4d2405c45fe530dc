import Foundation
import TestKit
import Testing

@testable import Enforcement

@Suite("The box, by the cases that the server is held to as well", .timeLimit(.minutes(5)))
struct ContractTests {
    private func segment(_ numbers: Contract.Segment) throws -> Segment {
        Segment(
            name: "contract", distanceKm: numbers.distance_km, maxSpeedKmh: numbers.max_speed_kmh,
            minSpeedKmh: numbers.min_speed_kmh, toleranceKmh: numbers.tolerance_kmh,
            tolerancePercent: numbers.tolerance_percent,
            typeSpeeds: TypeSpeeds(told: numbers.type_speeds_kmh ?? [:]),
            hourLimits: try HourLimits(json: numbers.hours))
    }

    @Test func `pairs the passages of a vehicle alike, whatever order they come in`() throws {
        let judging = try Contract.judging()
        #expect(judging.walks.count >= 20)
        for example in judging.walks {
            let segment = try segment(#require(judging.segments[example.segment]))
            let kept = (example.kept ?? []).flatMap { pair in [(pair[0], pair[1]), (pair[1], pair[0])] }
            let partners = Dictionary(uniqueKeysWithValues: kept)
            func id(_ number: Int) -> UUID? {
                example.passages.first { $0.id == number }.flatMap { UUID(uuidString: $0.clientID) }
            }
            for order in example.orders {
                let steps = try order.filter { example.withdrawn?.contains($0.id) != true }.map { passage in
                    let partner = partners[passage.id].flatMap(id)
                    return PairWalk.Step(try matchable(passage), partner: partner, isKept: partner != nil)
                }
                // A box looks up one plate at a time, and none with gaps.
                let whole = Dictionary(grouping: steps.filter { !$0.passage.plate.isPartial }) { $0.passage.plate }
                let pairs = whole.values.flatMap { PairWalk(window: .hours(24)).pairs(among: $0) }
                func number(_ passage: MatchablePassage) -> Int { Int(passage.clientID.uuidString.suffix(12)) ?? 0 }
                #expect(
                    Set(pairs.map { [number($0.entry), number($0.exit)] }).union(example.kept ?? [])
                        == Set(example.pairs),
                    "\(example.name)")
                let found = pairs.compactMap { pair in
                    Violation(pair, on: segment, id: UUID()).map {
                        Contract.Finding(entry: number(pair.entry), kind: $0.kind.rawValue)
                    }
                }
                #expect(
                    Set(found) == Set(example.violations).filter { !example.keptPassages.contains($0.entry) },
                    "\(example.name)")
            }
        }
    }

    private func matchable(_ passage: Contract.Passage) throws -> MatchablePassage {
        MatchablePassage(
            clientID: try #require(UUID(uuidString: passage.clientID)), plate: Plate(canonical: passage.plate),
            vehicleType: try #require(VehicleType(rawValue: passage.type)), checkpostCode: passage.post,
            recordedAt: try #require(Instant(iso8601: passage.at)),
            clockState: try #require(ClockState(rawValue: passage.clock)), isOfText: passage.isOfText,
            travel: try passage.travel.map { try #require(Travel(rawValue: $0)) })
    }

    @Test func `judges passages alike`() throws {
        let judging = try Contract.judging()
        #expect(judging.cases.count >= 30)
        for example in judging.cases {
            let numbers = try #require(judging.segments[example.segment])
            let segment = try segment(numbers)
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
            segment: try segment(numbers))
        for example in overstays.cases {
            let now = try #require(Instant(iso8601: example.now))
            let entry = MatchablePassage(
                clientID: UUID(), plate: Plate(canonical: example.plate), vehicleType: .car, checkpostCode: "J-A",
                recordedAt: try #require(Instant(iso8601: example.at)),
                clockState: try #require(ClockState(rawValue: example.clock)),
                travel: try example.travel.map { try #require(Travel(rawValue: $0)) })
            let other = OtherPost(
                knownUpTo: example.known.flatMap(Instant.init(iso8601:)),
                reviews: try example.as_of.map {
                    // A time ahead of ours proves nothing: the box takes it so as it arrives.
                    OtherPost.Reviews(
                        asOf: min(try #require(Instant(iso8601: $0)), now),
                        waiting: try example.waiting.map {
                            WaitingSighting(
                                seenAt: try #require(Instant(iso8601: $0.at)), plate: Plate(canonical: $0.plate),
                                unwatchedFrom: $0.unwatched_from.flatMap(Instant.init(iso8601:)))
                        })
                })
            let alert = watch.alerts(
                entries: [.init(passage: entry, hasPossibleMatch: false)], other: other, now: now
            ).first
            let doubts = alert.map { alert in
                OverstayWatch.doubts(
                    alert.plate, enteredAt: alert.entryTime, travel: entry.travel, expectedBy: alert.expectedExitBy,
                    other: other, now: now
                ).map { doubt in
                    switch doubt {
                    case .waitsForReview(let at): at.iso8601
                    case .unwatched(let start, let end): "\(start.iso8601) to \(end.iso8601)"
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
