import Enforcement
import ParkAPI
import Testing

@Suite("Where a plate stands in its picture", .timeLimit(.minutes(1)))
struct PlatePlaceTests {
    private let place = PlatePlace(Box(x: 612, y: 340, width: 96, height: 28), width: 1920, height: 1080)

    @Test func `comes back as it was sent`() throws {
        let place = try #require(place)
        #expect(place.sent == "612 340 96 28 1920 1080")
        #expect(PlatePlace(sent: place.sent) == place)
    }

    @Test(arguments: [
        "", " ", "612 340 96 28", "612 340 96 28 1920 1080 1", "612  340 96 28 1920 1080", "a b c d e f",
        "612 340 0 28 1920 1080", "612 340 96 -28 1920 1080", "612 340 96 28 0 0", "5000 340 96 28 1920 1080",
        "9223372036854775807 1 9223372036854775807 1 9 9", "-9223372036854775808 1 9 9 99 99",
        "99999999999999999999 1 1 1 9 9", "1 1 1 1 999999999 9", String(repeating: "1 ", count: 40),
    ])
    func `is none where the words make no sense`(words: String) {
        #expect(PlatePlace(sent: words) == nil)
    }

    @Test func `is read from sixty bytes and not from more`() {
        let longest = "612 340 96 28 1920 "
        #expect(PlatePlace(sent: longest + String(repeating: "0", count: 37) + "1080") == place)
        #expect(PlatePlace(sent: longest + String(repeating: "0", count: 38) + "1080") == nil)
    }
}
