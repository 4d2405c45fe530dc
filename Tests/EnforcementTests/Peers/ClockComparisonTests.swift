import Enforcement
import TestKit
import Testing

@Suite("The clocks of two posts", .timeLimit(.minutes(1)))
struct ClockComparisonTests {
    private let now = Instant(milliseconds: 1_795_255_200_000)

    private func apart(ahead: Double, took: Double = 0.2, waited: Double = 0) -> Double? {
        ClockComparison(other: now + .seconds(ahead), now: now, took: .seconds(took), waited: .seconds(waited)).apart?
            .seconds
    }

    @Test func `are apart where there is no doubt, and by no more than that`() {
        #expect(apart(ahead: 0) == nil && apart(ahead: 10) == nil && apart(ahead: -10) == nil)
        #expect(apart(ahead: 3600) == -3600)
        #expect(apart(ahead: -3600, took: 2) == 3598)
        // A question that lay there for 20 s says no less for it.
        #expect(apart(ahead: -60, took: 20.5, waited: 20) == 59.5)
        #expect(apart(ahead: -60, took: 20.5, waited: 0) == 39.5)
    }

    @Test func `may agree where the answer was so long on its way`() {
        #expect(apart(ahead: -40, took: 45) == nil)
        // Also for one that says it waited longer than it can have.
        #expect(apart(ahead: 0, took: 1, waited: 1_000_000) == nil)
        #expect(apart(ahead: 0, took: 1, waited: -1_000_000) == nil)
    }

    /// However long the ways there and back, and wherever the time went, the true difference lies within the bounds.
    @Test(arguments: [Seed.drawn()])
    func `are never said to be farther apart than they are`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let ahead = Int64.random(in: -100_000...100_000, using: &random)
            let (there, lay, back) = (
                Int64.random(in: 0...60_000, using: &random), Int64.random(in: 0...20_000, using: &random),
                Int64.random(in: 0...60_000, using: &random)
            )
            let written = now + .milliseconds(there + lay + ahead)
            let found = ClockComparison(
                other: written, now: now + .milliseconds(there + lay + back), took: .milliseconds(there + lay + back),
                waited: .milliseconds(lay))
            #expect(found.least.milliseconds <= -ahead && -ahead <= found.most.milliseconds)
            if let apart = found.apart?.milliseconds {
                #expect(abs(apart) <= abs(ahead) && (apart > 0) == (ahead < 0) && abs(ahead) > 10_000)
            }
        }
    }
}

@Suite("What two posts say of their road", .timeLimit(.minutes(1)))
struct RoadTermsTests {
    private let own: RoadTerms

    init() throws {
        own = try RoadTerms(
            Segment(name: "Banke", distanceKm: 45, maxSpeedKmh: 40, minSpeedKmh: 10), position: 0)
    }

    @Test func `is alike at both ends, or is named`() {
        var other = own
        other.position = 1
        #expect(own.differences(from: other) == [])
        other.maxSpeedKmh = 50
        #expect(own.differences(from: other) == ["the highest speed is 40.00 km/h here and 50.00 km/h there"])
        other.maxSpeedKmh = 40
        (other.toleranceKmh, other.typeSpeeds) = (3, #"{"bus":30}"#)
        #expect(
            own.differences(from: other) == [
                "the tolerance is 0.00 km/h here and 3.00 km/h there", "the speeds of vehicle types differ",
            ])
        // A post of another version says less.
        (other.toleranceKmh, other.typeSpeeds, other.hourLimits) = (nil, nil, nil)
        #expect(own.differences(from: other) == [])
        other = own
        #expect(own.differences(from: other) == ["both posts say that they are at position 0"])
    }

    @Test(arguments: [Double.nan, .infinity, -1e300])
    func `is named nonsense where it can be no figure`(_ figure: Double) {
        var other = own
        (other.position, other.distanceKm) = (1, figure)
        #expect(own.differences(from: other) == ["the distance is 45.00 km here and nonsense there"])
    }
}
