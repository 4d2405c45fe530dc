import Testing

@testable import Plates

@Suite("A plate of Bhutan", .timeLimit(.minutes(5)))
struct BhutanTests {
    private func best(_ text: String, country: String?, colour: PlateColour? = nil) -> FormatMatcher.Result? {
        FormatMatcher(country: country).match(
            text.map { CharacterAlternatives([.init(symbol: String($0), probability: 0.95)]) }, script: .latin,
            colour: colour
        ).first
    }

    @Test(arguments: [nil, "bt", "in", "np"])
    func `is known wherever the post stands, with its region's 1 read as I`(country: String?) throws {
        let result = try #require(best("BPIA3649", country: country))
        #expect(result.plate.canonical == "BP 1 A 3649")
        #expect(result.format.name == "bt")
    }

    @Test(arguments: [("BP5A3649", "a fifth region"), ("BA1A3649", "another owner"), ("BP1A364", "a short number")])
    func `is nothing else`(text: String, why: Comment) {
        #expect(best(text, country: "bt")?.format.country?.code != "bt", why)
    }

    @Test func `is met in Bhutan and India every day, and in Nepal a ranger looks at it`() {
        for format in PlateFormat.bhutan {
            #expect(format.isUsual(in: "bt") && format.isUsual(in: "in"), "\(format.name)")
            #expect(!format.isUsual(in: "np"), "\(format.name)")
        }
        #expect(PlateFormat.india.isUsual(in: "bt"))
        #expect(!PlateFormat.nepalZonal.isUsual(in: "bt") && !PlateFormat.generalLatin.isUsual(in: "bt"))
    }

    @Test func `of a taxi is less likely on red`() throws {
        let yellow = try #require(best("BT2A0714", country: "bt", colour: .yellow))
        let red = try #require(best("BT2A0714", country: "bt", colour: .red))
        #expect(yellow.plate == red.plate && red.score < yellow.score)
    }

    /// They were there first, and are many more.
    @Test(arguments: [("RBP4096", "br AAA 0000"), ("BP32718", "eu AA 00000"), ("UP1A3649", "in")])
    func `takes nothing away from those of other countries`(text: String, format: String) {
        #expect(best(text, country: nil)?.format.name == format)
        #expect(best(text, country: "np")?.format.name == format)
    }
}
