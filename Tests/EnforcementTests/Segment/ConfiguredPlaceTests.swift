import Enforcement
import Testing

@Suite("Where a box is configured to stand", .timeLimit(.minutes(5)))
struct ConfiguredPlaceTests {
    private let place = ConfiguredPlace(code: "BNP-A", otherCode: "BNP-B", position: 0)

    private func road(_ posts: KeyValuePairs<String, Int>) -> [Checkpost] {
        posts.map { Checkpost(code: $0.key, name: $0.key, positionIndex: $0.value) }
    }

    @Test func `is no matter where the server has the same, or has no such post`() {
        #expect(place.contradiction(with: road(["BNP-A": 0, "BNP-B": 1])) == nil)
        #expect(place.contradiction(with: road(["BNP-C": 0])) == nil && place.contradiction(with: []) == nil)
    }

    @Test func `is told where the server has other posts at the road's other end`() {
        let others = place.contradiction(with: road(["BNP-D": 2, "BNP-A": 0, "BNP-C": 1]))
        #expect(others?.contains("has BNP-C and BNP-D, and not BNP-B") == true)
        #expect(place.contradiction(with: road(["BNP-A": 0]))?.contains("no other post yet") == true)
    }

    @Test func `is told where the server has the post at another position`() {
        #expect(place.contradiction(with: road(["BNP-A": 1, "BNP-B": 0]))?.contains("BNP-A at position 1") == true)
    }
}
