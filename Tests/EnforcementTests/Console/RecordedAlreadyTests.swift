import Foundation
import Testing

@testable import Enforcement

@Suite("A vehicle that a ranger wants recorded", .timeLimit(.minutes(5)))
struct RecordedAlreadyTests {
    private let pressed = Instant(milliseconds: 1_795_255_530_000)

    private func recorded(_ plate: String, seconds: Double) -> Passage {
        Passage(
            clientID: UUID(), plate: Plate(canonical: plate), plateRaw: plate, vehicleType: .car,
            checkpostCode: "BNP-A",
            recordedAt: pressed + .seconds(seconds), clockState: .synchronised, origin: .camera)
    }

    private func found(_ read: String, _ passages: [Passage]) -> String? {
        RecordedAlready.passage(ofVehicle: Plate(canonical: read), at: [pressed], among: passages)?.plate.canonical
    }

    @Test(arguments: ["BA 1 PA 1234", "BA1PA1234", "8A 1 PA 1234", "BA 1 PA 12?4", ""])
    func `has its passage already when the camera recorded it a second ago`(read: String) {
        #expect(found(read, [recorded("BA 1 PA 1234", seconds: -1)]) == "BA 1 PA 1234")
    }

    @Test func `has none when the camera recorded another one`() {
        #expect(found("BA 1 PA 9999", [recorded("BA 1 PA 1234", seconds: -1)]) == nil)
    }

    @Test(arguments: [(-31, false), (-30, true), (0, true), (30, true), (31, false)] as [(Double, Bool)])
    func `has none when the camera recorded it long before or after`(seconds: Double, isFound: Bool) {
        #expect((found("", [recorded("BA 1 PA 1234", seconds: seconds)]) != nil) == isFound)
    }

    @Test func `has the nearest of several`() {
        let passages = [recorded("BA 1 PA 1", seconds: -9), recorded("BA 1 PA 2", seconds: 3)]
        #expect(found("", passages) == "BA 1 PA 2")
        #expect(found("BA 1 PA 1", passages) == "BA 1 PA 1")
    }

    @Test func `is known by the picture's time, too`() {
        let picture = pressed - .minutes(4)
        let passage = recorded("BA 1 PA 1234", seconds: -241)
        #expect(
            RecordedAlready.passage(ofVehicle: passage.plate, at: [pressed, picture], among: [passage])?.clientID
                == passage.clientID)
    }
}
