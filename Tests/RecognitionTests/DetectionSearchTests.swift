import Enforcement
import Testing

@testable import Recognition

@Suite("The search for rows at a place that the network shows", .timeLimit(.minutes(10)))
struct DetectionSearchTests {
    /// Six glyphs at (200, 120), 30 px high, and five at (200, 320).
    private let road: GrayImage = {
        var drawing = Drawing(width: 640, height: 480)
        drawing.glyphs(6, x: 200, y: 120, height: 30)
        drawing.glyphs(5, x: 200, y: 320, height: 30)
        return drawing.image
    }()

    private let plate = Box(x: 190, y: 108, width: 160, height: 54)

    @Test func `gives the row on the place, in pixels of the whole picture, and says whose it is`() throws {
        var search = DetectionSearch()
        let best = try #require(search.candidates(in: plate, of: road).first)
        #expect(best.rows.count == 1 && best.rows[0].glyphs.count == 6)
        #expect(abs(best.rows[0].box.x - 200) <= 3 && abs(best.rows[0].box.y - 120) <= 3)
        #expect(best.place == plate && best.rows[0].sides == 190..<350)
    }

    @Test func `gives no row that lies beside the place`() {
        var search = DetectionSearch()
        #expect(search.candidates(in: Box(x: 190, y: 40, width: 160, height: 60), of: road).isEmpty)
        #expect(search.candidates(in: Box(x: 630, y: 470, width: 8, height: 6), of: road).isEmpty)
        #expect(search.candidates(in: Box(x: 0, y: 0, width: 3, height: 2), of: road).isEmpty)
    }

    @Test func `looks as far around a place as it is told`() {
        var search = DetectionSearch()
        let near = Box(x: 190, y: 170, width: 160, height: 40)
        #expect(search.rows(around: near, reaching: 0.1, of: road).isEmpty)
        let found = search.rows(around: near, reaching: 2, of: road)
        #expect(found.contains { $0.rows.contains { $0.glyphs.count == 6 } })
        #expect(!found.contains { $0.rows.contains { $0.glyphs.count == 5 } })
    }

    @Test func `counts the glyphs whose middles stand on the place alone`() throws {
        let glyphs = (0..<6).map { Box(x: 200 + 24 * $0, y: 120, width: 16, height: 30) }
        let row = GlyphChain(glyphs: glyphs, polarity: .darkOnLight)
        #expect(row.glyphs(on: Box(x: 215, y: 100, width: 85, height: 60)) == 1..<4)
        #expect(row.glyphs(on: nil) == 0..<6)
        #expect(row.glyphs(on: Box(x: 600, y: 100, width: 20, height: 60)) == 0..<6)
    }
}

@Suite("What of a picture is worth reading", .timeLimit(.minutes(10)))
struct WorthReadingTests {
    private func candidate(x: Int, score: Double) -> PlateCandidate {
        let glyphs = (0..<6).map { Box(x: x + 24 * $0, y: 100, width: 16, height: 30) }
        return PlateCandidate(rows: [GlyphChain(glyphs: glyphs, polarity: .darkOnLight, score: score)], score: score)
    }

    @Test func `first what lies on a place that the network shows, then what looks like a plate`() throws {
        let recognizer = try PlateRecognizer(models: Places.models)
        let (sign, grass, plate) = (
            candidate(x: 300, score: 0.9), candidate(x: 600, score: 0.2), candidate(x: 0, score: 0.1)
        )
        let detection = PlateDetection(box: Box(x: 0, y: 90, width: 160, height: 60), score: 0.6)
        let faint = PlateDetection(box: detection.box, score: 0.26)
        #expect(recognizer.worthReading([sign, grass, plate], [detection], 1).map(\.score) == [0.1, 0.9])
        // Where the network shows nothing to be read, every row has its turn.
        #expect(recognizer.worthReading([sign, grass, plate], [faint], 1).map(\.score) == [0.9, 0.2, 0.1])
    }

    @Test func `a Devanagari row is given up after one bad reading, or two middling ones`() throws {
        func reading(_ sureness: Double) -> RowReading {
            RowReading(
                characters: [
                    .init(
                        alternatives: CharacterAlternatives([.init(symbol: "१", probability: sureness)]), left: 0,
                        right: 10)
                ], glyphs: 1)
        }
        let patience = try #require(Places.parameters.scripts.devanagari.patience).painted
        #expect(patience.allowsMore(after: []))
        #expect(!patience.allowsMore(after: [reading(0.5)]))
        #expect(patience.allowsMore(after: [reading(0.7)]))
        #expect(!patience.allowsMore(after: [reading(0.7), reading(0.72)]))
        #expect(patience.allowsMore(after: [reading(0.7), reading(0.9)]))
        #expect(patience.allowsMore(after: [reading(0.7), reading(0.9), reading(0.1)]))
    }
}
