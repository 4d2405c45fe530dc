import Testing

@testable import Enforcement

@Suite("What is shown of a plate in its picture", .timeLimit(.minutes(1)))
struct PlatePlaceViewTests {
    @Test func `shows a little of what is around it, and nothing beyond the picture`() throws {
        let place = PlatePlace(Box(x: 612, y: 340, width: 96, height: 28), width: 1920, height: 1080)
        #expect(place?.view == Box(x: 592, y: 329, width: 136, height: 50))
        let corner = PlatePlace(Box(x: -3, y: 1060, width: 60, height: 40), width: 1920, height: 1080)
        #expect(corner?.view == Box(x: 0, y: 1046, width: 71, height: 34))
    }
}
