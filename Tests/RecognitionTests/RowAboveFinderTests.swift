import Enforcement
import Testing

@testable import Recognition

@Suite("A finder of the row above one that was read", .timeLimit(.minutes(10)))
struct RowAboveFinderTests {
    private static let plate = Box(x: 100, y: 60, width: 240, height: 150)

    /// Light writing on a dark plate with a light border: four large digits below.
    private var drawing: Drawing {
        var drawing = Drawing(width: 440, height: 280, ground: 120)
        drawing.fill(x: 100, y: 60, width: 240, height: 150, 235)
        drawing.fill(x: 104, y: 64, width: 232, height: 142, 40)
        drawing.glyphs(4, x: 140, y: 138, height: 56, ink: 230)
        return drawing
    }

    private let number = GlyphChain(
        glyphs: (0..<4).map { Box(x: 140 + 42 * $0, y: 138, width: 28, height: 56) }, polarity: .lightOnDark, slope: 0)

    private func above(_ drawing: Drawing, row: GlyphChain? = nil, on plate: Box = plate) -> GlyphChain? {
        var finder = RowAboveFinder()
        return finder.row(above: row ?? number, on: plate, of: drawing.image)
    }

    @Test func `finds writing a quarter as high as the digits below it`() throws {
        var drawing = drawing
        drawing.glyphs(6, x: 160, y: 100, height: 14, ink: 230)
        let row = try #require(above(drawing))
        #expect(abs(row.box.y - 100) <= 3)
        #expect(abs(row.glyphHeight - 14) <= 4)
    }

    @Test func `finds a row whose glyphs all touch`() throws {
        var drawing = drawing
        drawing.glyphs(5, x: 160, y: 96, height: 24, ink: 230)
        drawing.fill(x: 160, y: 96, width: 90, height: 5, 230)
        let row = try #require(above(drawing))
        #expect(abs(row.box.y - 96) <= 3)
    }

    @Test func `finds the lower one of two rows first, and then the other`() throws {
        var drawing = drawing
        drawing.glyphs(4, x: 150, y: 102, height: 26, ink: 230)
        drawing.glyphs(6, x: 160, y: 74, height: 15, ink: 230)
        let lower = try #require(above(drawing))
        #expect(abs(lower.box.y - 102) <= 3)
        let upper = try #require(above(drawing, row: lower))
        #expect(abs(upper.box.y - 74) <= 3)
    }

    @Test func `keeps within the row's ends, apart from screws`() throws {
        var drawing = drawing
        drawing.glyphs(6, x: 170, y: 100, height: 14, ink: 230)
        drawing.fill(x: 320, y: 102, width: 10, height: 10, 230)
        let row = try #require(above(drawing))
        #expect(row.box.right < 310)
        #expect(try #require(row.sides).upperBound < 315)
    }

    @Test func `takes neither a border nor a line across the plate for a row`() {
        #expect(above(drawing) == nil)
        var drawing = drawing
        drawing.fill(x: 120, y: 110, width: 200, height: 3, 230)
        #expect(above(drawing) == nil)
    }

    @Test func `finds nothing where the row reaches the plate's upper side`() {
        #expect(above(drawing, on: Box(x: 100, y: 132, width: 240, height: 78)) == nil)
    }
}
