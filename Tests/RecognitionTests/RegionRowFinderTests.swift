import Enforcement
import Testing

@testable import Recognition

@Suite("A finder of the rows of a painted plate", .timeLimit(.minutes(10)))
struct RegionRowFinderTests {
    /// Light writing on a dark plate with a light border: three glyphs above, four larger ones below.
    private var drawing: Drawing {
        var drawing = Drawing(width: 400, height: 300, ground: 120)
        drawing.fill(x: 96, y: 76, width: 208, height: 138, 240)
        drawing.fill(x: 100, y: 80, width: 200, height: 130, 40)
        drawing.glyphs(3, x: 150, y: 95, height: 36, ink: 230)
        drawing.glyphs(4, x: 130, y: 145, height: 50, ink: 230)
        return drawing
    }

    @Test func `finds two rows of unlike height, the upper one first`() throws {
        var finder = RegionRowFinder()
        let plate = Box(x: 100, y: 80, width: 200, height: 130)
        let best = try #require(finder.candidates(in: plate, of: drawing.image, polarity: .lightOnDark).first)
        #expect(best.rows.map(\.glyphs.count) == [3, 4])
        #expect(abs(best.rows[0].box.y - 95) < 4)
        #expect(abs(best.rows[1].box.y - 145) < 4)
    }

    @Test func `takes what lies outside of the plate for ground`() throws {
        var finder = RegionRowFinder()
        let around = Box(x: 80, y: 60, width: 240, height: 170)
        let found = finder.candidates(in: around, of: drawing.image, polarity: .lightOnDark) { x, y in
            (100..<300).contains(x) && (80..<210).contains(y)
        }
        #expect(try #require(found.first).rows.map(\.glyphs.count) == [3, 4])
    }

    @Test func `finds nothing on a plain ground, and in regions that are no plates`() {
        var finder = RegionRowFinder()
        let plain = Drawing(width: 200, height: 100)
        #expect(
            finder.candidates(in: Box(x: 10, y: 10, width: 80, height: 40), of: plain.image, polarity: .darkOnLight)
                .isEmpty)
        #expect(
            finder.candidates(in: Box(x: 10, y: 10, width: 8, height: 4), of: drawing.image, polarity: .lightOnDark)
                .isEmpty)
        #expect(
            finder.candidates(in: Box(x: 0, y: 10, width: 390, height: 12), of: drawing.image, polarity: .lightOnDark)
                .isEmpty)
    }
}
