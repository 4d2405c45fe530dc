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
