import Testing

@testable import Enforcement

@Suite("A replay against the vehicles that passed", .timeLimit(.minutes(1)))
struct TrackScoreTests {
    private static let start = Instant(milliseconds: 1_795_255_200_000)

    private func vehicle(_ plate: String?, _ from: Double, _ to: Double, post: String? = nil) -> TrueVehicle {
        TrueVehicle(
            post: post, plate: plate.flatMap(PlateNormalizer.normalize),
            span: Self.start + .seconds(from)...Self.start + .seconds(to))
    }

    private func seen(_ plate: String?, _ at: Double, recorded: Bool = true, post: String = "BNP-A") -> SeenVehicle {
        SeenVehicle(
            post: post, plate: plate.flatMap(PlateNormalizer.normalize), at: Self.start + .seconds(at),
            isRecorded: recorded)
    }

    private func ends(_ vehicles: [TrueVehicle], _ seen: [SeenVehicle]) -> [TrackScore.End] {
        TrackScore(vehicles, seen: seen).rows.map(\.end)
    }

    @Test func `tells right, wrong, waiting and missed apart`() {
        let vehicles = [
            vehicle("BA1PA1234", 0, 2), vehicle("BA2PA2222", 60, 62), vehicle("BA3PA3333", 120, 122),
            vehicle("BA4PA4444", 180, 182), vehicle("BA5PA5555", 240, 242),
        ]
        let wrong = Plate(canonical: "BA 2 PA 2227")
        let ends = ends(
            vehicles,
            [
                seen("BA1PA1234", 1), seen("BA2PA2227", 61), seen("BA3PA3333", 121, recorded: false),
                seen(nil, 181, recorded: false),
            ])
        #expect(ends[0] == .right && ends[3] == .waiting(nil) && ends[4] == .missed)
        guard case .wrong(let said) = ends[1], case .waiting(let asked) = ends[2] else {
            Issue.record("\(ends)")
            return
        }
        #expect(said.compact == wrong.compact && asked?.compact == "BA3PA3333")
    }

    @Test func `takes the plate that is most alike where two vehicles pass at once, whichever was seen first`() {
        let vehicles = [vehicle("BA1PA1234", 0, 4), vehicle("BA7KHA9876", 1, 5)]
        let ends = ends(vehicles, [seen("BA7KHA9876", 2), seen("BA1PA1239", 3)])
        #expect(ends[1] == .right)
        guard case .wrong = ends[0] else {
            Issue.record("\(ends)")
            return
        }
    }

    @Test func `counts a vehicle that was recorded twice once, and says so`() {
        let score = TrackScore(
            [vehicle("BA1PA1234", 0, 2)], seen: [seen("BA1PA1234", 0.5), seen("BA1PA1Z34", 1.5)])
        #expect(score.rows.map(\.end) == [.right] && score.counts.doubled == 1 && score.others.isEmpty)
    }

    @Test func `takes what doubles a vehicle for no other one that is there then`() {
        let vehicles = [vehicle("BA1PA1234", 0, 4), vehicle("BA7KHA9876", 3, 6), vehicle(nil, 2, 5)]
        let score = TrackScore(vehicles, seen: [seen("BA1PA1234", 1), seen("BA1PA1234", 4)])
        #expect(score.rows.map(\.end) == [.right, .missed, .unrecorded] && score.counts.doubled == 1)
    }

    @Test func `makes no second vehicle of a sighting that waits beside the passage`() {
        let score = TrackScore(
            [vehicle("BA1PA1234", 0, 2)], seen: [seen("BA1PA1Z34", 0.5, recorded: false), seen("BA1PA1234", 1.5)])
        #expect(score.counts.right == 1 && score.counts.doubled == 0 && score.counts.waiting == 0)
    }

    @Test func `takes a passage with another plate before a question with the right one`() {
        let score = TrackScore(
            [vehicle("BA1PA1234", 0, 2)], seen: [seen("BA1PA1234", 0.5, recorded: false), seen("BA9PA1234", 1.5)])
        #expect(score.counts.wrong == 1 && score.counts.waiting == 0)
    }

    @Test func `names what was recorded or asked where no vehicle passed, or at another post`() {
        let score = TrackScore(
            [vehicle("BA1PA1234", 0, 2, post: "BNP-A")],
            seen: [
                seen("BA1PA1234", 1, post: "BNP-B"), seen("BA1PA1234", 30), seen(nil, 40, recorded: false),
            ])
        #expect(score.counts.missed == 1 && score.counts.recordedOfNone == 2 && score.counts.waitingOfNone == 1)
    }

    @Test func `takes O for 0 and I for 1, as fonts do, and a moment before and after for the same passing`() {
        #expect(ends([vehicle("KLO123", 10, 12)], [seen("KL0I23", 13.5)]) == [.right])
        #expect(ends([vehicle("KLO123", 10, 12)], [seen("KLO123", 15)]) == [.missed])
    }

    @Test func `wants nothing recorded of a vehicle without a plate, and lets a ranger be asked`() {
        let vehicles = [vehicle(nil, 0, 2), vehicle(nil, 60, 62), vehicle(nil, 120, 122)]
        let score = TrackScore(vehicles, seen: [seen(nil, 61, recorded: false), seen("BA1PA1234", 121)])
        #expect(score.rows[0].end == .unrecorded && score.rows[1].end == .waiting(nil))
        #expect(score.counts.withoutPlate == 3 && score.counts.unrecorded == 2 && score.counts.vehicles == 0)
    }
}
