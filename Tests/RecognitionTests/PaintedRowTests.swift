import Enforcement
import Foundation
import Testing

@testable import Recognition

@Suite("The rows of a painted plate", .timeLimit(.minutes(10)))
struct PaintedRowTests {
    /// Six glyphs 40 px high, which is 30 px in the row's crop.
    private static let chain = GlyphChain(
        glyphs: (0..<6).map { Box(x: 60 + 30 * $0, y: 30, width: 20, height: 40) }, polarity: .darkOnLight)

    private func drawing() -> Drawing {
        var drawing = Drawing(width: 420, height: 110, ground: 220)
        drawing.glyphs(6, x: 60, y: 30, height: 40)
        return drawing
    }

    /// How many glyphs a line of the row has.
    private func count(
        _ drawing: Drawing, _ script: PlateFormat.Script = .devanagari, place: Box? = nil
    ) -> Int {
        var extractor = LineExtractor()
        var plate = PlateCandidate(rows: [Self.chain], score: 1)
        plate.place = place
        let crop = extractor.crops(of: plate, in: drawing.image)[0]
        return extractor.line(of: crop, binarisation: .global, Places.parameters.scripts[script].row)?.glyphs.count ?? 0
    }

    @Test func `keeps a small zero beside the others, which in a Latin row is none`() {
        var drawing = drawing()
        drawing.fill(x: 246, y: 42, width: 14, height: 20, 30)
        drawing.fill(x: 249, y: 46, width: 8, height: 12, 220)
        #expect(count(drawing) == 7)
        #expect(count(drawing, .latin) == 6)
    }

    @Test func `takes no screw far from the others for a zero`() {
        var drawing = drawing()
        drawing.fill(x: 280, y: 42, width: 14, height: 18, 30)
        #expect(count(drawing) == 6)
    }

    @Test func `takes no upright side of a border for a glyph`() {
        var drawing = drawing()
        drawing.fill(x: 252, y: 28, width: 6, height: 44, 30)
        #expect(count(drawing) == 6)
    }

    @Test func `leaves out what stands beside the plate`() {
        var drawing = drawing()
        drawing.glyphs(1, x: 256, y: 30, height: 40)
        #expect(count(drawing) == 7)
        #expect(count(drawing, place: Box(x: 50, y: 20, width: 200, height: 60)) == 6)
    }

    @Test func `cuts a glyph loose from the border that it touches`() {
        var drawing = drawing()
        // A border of two pixels all round, which the third glyph touches with its foot.
        drawing.fill(x: 30, y: 74, width: 250, height: 2, 30)
        drawing.fill(x: 30, y: 24, width: 250, height: 2, 30)
        drawing.fill(x: 30, y: 24, width: 2, height: 52, 30)
        drawing.fill(x: 278, y: 24, width: 2, height: 52, 30)
        drawing.fill(x: 124, y: 68, width: 8, height: 7, 30)
        #expect(count(drawing) == 6)
    }

    @Test func `a region as filled as a shadow is no border`() {
        var map = [UInt8](repeating: LocalContrast.dark, count: 60 * 20)
        var labeler = ComponentLabeler()
        ThinLines.cut(from: &map, width: 60, height: 20, widest: 30, side: 3, labeler: &labeler)
        #expect(map.allSatisfy { $0 == LocalContrast.dark })
    }

    @Test func `signs above some letters don't tilt a row`() throws {
        var drawing = Drawing(width: 400, height: 200, ground: 230)
        drawing.fill(x: 90, y: 40, width: 220, height: 120, 60)
        // A tall letter, two lower ones: they stand on one line, their middles don't.
        drawing.fill(x: 120, y: 60, width: 30, height: 50, 230)
        drawing.fill(x: 190, y: 78, width: 26, height: 32, 230)
        drawing.fill(x: 250, y: 78, width: 26, height: 32, 230)
        var finder = RegionRowFinder()
        let found = finder.candidates(
            in: Box(x: 90, y: 40, width: 220, height: 120), of: drawing.image, polarity: .lightOnDark)
        let row = try #require(found.first?.rows.first)
        #expect(row.glyphs.count == 3)
        #expect(abs(row.slope) < 0.02)
    }

    @Test func `white writing tells a painted plate though its ground is hardly seen`() throws {
        let sample = Places.stills.appendingPathComponent("clean_zonal_me_truck.jpg")
        let map = try #require(Grounds(try ImageDecoder.decode(try Data(contentsOf: sample))).map)
        #expect(map.isPainted(Box(x: 520, y: 514, width: 240, height: 124)))
        #expect(!map.isPainted(Box(x: 0, y: 600, width: 240, height: 100)))
    }

    @Test func `a doubtful plate is looked at without a row or a glyph that may not belong to it`() {
        func row(_ text: String) -> RowReading {
            RowReading(
                characters: text.enumerated().map { index, character in
                    .init(
                        alternatives: CharacterAlternatives([.init(symbol: String(character), probability: 0.8)]),
                        left: Double(20 * index), right: Double(20 * index + 15))
                }, glyphs: text.count)
        }
        let parts = PlateReader.parts(of: [row("७"), row("क१प५"), row("४७३")], Places.parameters.plate)
        let texts = parts.map { $0.rows.map(\.text).joined(separator: " ") }
        #expect(texts == ["क१प५ ४७३", "७ क१प५", "७ क१प ४७३", "७ १प५ ४७३", "७ क१प५ ४७", "७ क१प५ ७३"])
        #expect(parts.allSatisfy { $0.chance < 1 })
    }

    @Test func `pieces of a glyph that stand one above the other are read as one glyph`() {
        let line = LineImage(
            image: GrayImage(width: 120, height: 40, filledWith: 255),
            glyphs: [
                Box(x: 40, y: 22, width: 18, height: 12), Box(x: 8, y: 5, width: 20, height: 30),
                Box(x: 42, y: 5, width: 20, height: 14), Box(x: 70, y: 5, width: 20, height: 30),
            ], offset: 0)
        #expect(PlateReader.glyphPlaces(line) == [8..<28, 40..<62, 70..<90])
    }

    @Test func `a row whose glyphs were all told apart is the one to be read glyph by glyph`() {
        func row(_ count: Int, glyphs: Int) -> RowReading {
            RowReading(
                characters: (0..<count).map { index in
                    .init(
                        alternatives: CharacterAlternatives([.init(symbol: "१", probability: 0.8)]),
                        left: Double(20 * index), right: Double(20 * index + 15))
                }, glyphs: glyphs)
        }
        #expect(row(4, glyphs: 4).worth(expected: 4) > row(4, glyphs: 5).worth(expected: 4))
        #expect(row(4, glyphs: 4).worth(expected: 4) > row(3, glyphs: 3).worth(expected: 4))
    }
}
