import Enforcement
import Foundation
import Plates
import Testing

@testable import Recognition

@Suite("A turned plate that is read whole", .timeLimit(.minutes(5)))
struct TurnedPlateTests {
    /// The picture that the self-test reads, turned about its plate.
    private static func picture(degrees: Double) throws -> Data {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../models/known-plate.jpg")
        let image = try ImageDecoder.decode(Data(contentsOf: path)).image
        let turn = degrees * .pi / 180
        let (right, down) = (Point(cos(turn), sin(turn)), Point(-sin(turn), cos(turn)))
        let plate = Point(467, 318)
        return try #require(
            image.sampled(
                width: image.width, height: image.height, origin: plate - right * plate.x - down * plate.y,
                right: right, down: down
            ).png)
    }

    @Test(arguments: [30.0, 35])
    func `is set upright first, and read as one that the rows don't confirm`(degrees: Double) throws {
        let recognizer = try PlateRecognizer()
        let read = try recognizer.recognize(Self.picture(degrees: degrees)).readings
        let best = try #require(read.first)
        #expect(best.plate.canonical == "B AC 5763")
        #expect(best.confidence <= recognizer.parameters.whole.alone)
    }
}

@Suite("A plate that rows and whole both name", .timeLimit(.minutes(5)))
struct SharedPlateTests {
    private static func reading(_ confidence: Double, _ candidates: [(String, share: Double)]) -> PlateReading {
        PlateReading(
            plate: Plate(canonical: candidates[0].0), raw: "", confidence: confidence,
            box: Box(x: 0, y: 0, width: 90, height: 30), format: "np-zonal",
            candidates: candidates.map { .init(plate: Plate(canonical: $0.0), confidence: confidence * $0.share) },
            characters: [])
    }

    @Test func `is likelier than what one of them alone takes for the likeliest`() throws {
        let rows = Self.reading(0.4, [("BA 1 CHA 1234", 1), ("BA 1 CHA 1284", 0.9)])
        let whole = Self.reading(0.2, [("BA 7 CHA 1284", 1), ("BA 1 CHA 1284", 0.9)])
        let shared = try #require(SharedPlate(rows, whole, sure: 0.8))
        #expect(shared.plate.canonical == "BA 1 CHA 1284")
        #expect(shared.confidence < 0.2, "neither took it for the likeliest")
        let other = Self.reading(0.2, [("BA 1 CHA 1284", 1)])
        #expect(SharedPlate(rows, other, sure: 0.8)?.plate.canonical == "BA 1 CHA 1284")
    }

    @Test func `is none where one is sure, both name others, or the likeliest is named too`() {
        let rows = Self.reading(0.4, [("BA 1 CHA 1234", 1), ("BA 1 CHA 1284", 0.9)])
        #expect(SharedPlate(rows, Self.reading(0.9, [("BA 1 CHA 1284", 1)]), sure: 0.8) == nil)
        #expect(SharedPlate(rows, Self.reading(0.2, [("BA 2 CHA 99", 1)]), sure: 0.8) == nil)
        let both = Self.reading(0.2, [("BA 1 CHA 1284", 1), ("BA 1 CHA 1234", 0.99)])
        #expect(SharedPlate(rows, both, sure: 0.8)?.plate.canonical != "BA 1 CHA 1284")
    }

    @Test func `is what a joined reading says, with the others behind it`() throws {
        let rows = Self.reading(0.4, [("BA 1 CHA 1234", 1), ("BA 1 CHA 1284", 0.9)])
        let whole = Self.reading(0.2, [("BA 7 CHA 1284", 1), ("BA 1 CHA 1284", 0.9)])
        let parameters = ReaderParameters.Whole(
            evidence: .init(intercept: 0, weakest: 0, chance: 0, lead: 0, fittingFormat: 0), alone: 0.55,
            leastAlone: 0.3, surePlace: 0.9, oddsOfSame: 4, oddsOfOther: 0.5, oddsOfOwnRows: 8)
        let joined = rows.joined(with: whole, parameters, sure: 0.8)
        #expect(joined.plate.canonical == "BA 1 CHA 1284" && joined.candidates.first?.plate == joined.plate)
        #expect(Set(joined.candidates.map(\.plate.canonical)).count == joined.candidates.count)
        #expect(joined.candidates.allSatisfy { $0.confidence <= joined.confidence })
    }
}
