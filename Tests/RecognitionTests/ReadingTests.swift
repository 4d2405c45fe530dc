import Enforcement
import Foundation
import Testing

@testable import Recognition

@Suite("Reading rows", .timeLimit(.minutes(10)))
struct ReadingTests {
    private let limits = Places.parameters.rows

    private func alternatives(_ list: [(String, Double)]) -> CharacterAlternatives {
        CharacterAlternatives(list.map { .init(symbol: $0.0, probability: $0.1) })
    }

    private func symbol(_ text: String, _ probability: Double, _ left: Double, _ right: Double)
        -> TesseractEngine.Symbol
    {
        TesseractEngine.Symbol(alternatives: alternatives([(text, probability)]), left: left, right: right)
    }

    private func line(_ glyphs: [Box]) -> LineImage {
        LineImage(image: GrayImage(width: 200, height: 40, filledWith: 255), glyphs: glyphs, offset: 0)
    }

    private func reading(_ characters: [(String, Double, Double)], glyphs: Int? = nil) -> RowReading {
        RowReading(
            characters: characters.map { symbol, probability, left in
                .init(alternatives: alternatives([(symbol, probability)]), left: left, right: left + 20)
            }, glyphs: glyphs ?? characters.count)
    }

    @Test func `takes two symbols on one glyph for one character in doubt`() {
        let glyphs = [Box(x: 8, y: 5, width: 22, height: 30), Box(x: 40, y: 5, width: 22, height: 30)]
        let reading = RowReading(
            [symbol("0", 0.5, 8, 16), symbol("O", 0.5, 8, 30), symbol("U", 0.9, 41, 60)], of: line(glyphs))
        #expect(reading.characters.count == 2)
        #expect(Set(reading.characters[0].alternatives.alternatives.map(\.symbol)) == ["0", "O"])
        #expect(reading.characters[1].alternatives.best == "U")
    }

    @Test func `keeps two symbols apart on a glyph that is wide enough for two`() {
        let glyphs = [
            Box(x: 8, y: 5, width: 16, height: 30), Box(x: 30, y: 5, width: 42, height: 30),
            Box(x: 80, y: 5, width: 16, height: 30),
        ]
        let reading = RowReading(
            [symbol("A", 0.9, 8, 24), symbol("B", 0.9, 30, 50), symbol("D", 0.9, 52, 72), symbol("C", 0.9, 80, 96)],
            of: line(glyphs))
        #expect(reading.text == "ABDC")
    }

    @Test func `a reading that lost glyphs can't outvote one that kept them`() {
        let whole = reading([("A", 0.9, 0), ("B", 0.9, 30), ("1", 0.9, 60), ("2", 0.9, 90)])
        let half = reading([("1", 0.95, 60), ("2", 0.95, 90)])
        #expect(RowReading.voted([half, whole, half], limits).text == "AB12")
    }

    @Test func `takes what stands beside the plate that the network shows for no part of it`() {
        let chain = GlyphChain(
            glyphs: (0..<8).map { Box(x: 100 + 30 * $0, y: 50, width: 20, height: 30) }, polarity: .darkOnLight)
        #expect(chain.glyphs(on: Box(x: 95, y: 40, width: 210, height: 50)) == 0..<7)
        #expect(chain.glyphs(on: Box(x: 125, y: 40, width: 250, height: 50)) == 1..<8)
        #expect(chain.glyphs(on: nil) == 0..<8, "no place is known")
        #expect(chain.glyphs(on: Box(x: 900, y: 40, width: 210, height: 50)) == 0..<8, "the place is another's")
    }

    @Test func `drops what just one reading saw and was not sure of`() {
        let seen = reading([("A", 0.9, 0), ("B", 0.9, 30), ("1", 0.9, 60), ("I", 0.6, 90)])
        let others = reading([("A", 0.9, 0), ("B", 0.9, 30), ("1", 0.9, 60)])
        #expect(RowReading.voted([seen, others, others], limits).text == "AB1")
    }

    @Test func `votes for the character that most weight is behind`() {
        let eight = reading([("8", 0.6, 0), ("1", 0.9, 30)])
        let bee = reading([("B", 0.95, 0), ("1", 0.95, 30)])
        #expect(RowReading.voted([eight, bee, bee], limits).text == "B1")
    }

    @Test func `gives symbols to glyphs in their order, though their places are rough`() {
        let glyphs = (0..<4).map { Box(x: 10 + 26 * $0, y: 5, width: 20, height: 30) }
        // The second and the third symbol both seem to stand on the second glyph.
        let reading = RowReading(
            [symbol("R", 0.9, 10, 30), symbol("8", 0.9, 36, 50), symbol("9", 0.9, 46, 58), symbol("1", 0.9, 88, 108)],
            of: line(glyphs))
        #expect(reading.text == "R891")
    }

    @Test func `what two looks read alike is not changed by a third`() {
        let alike = reading([("0", 0.9, 0), ("K", 0.9, 30), ("M", 0.9, 60), ("4", 0.9, 90)])
        let other = reading([("0", 0.9, 0), ("K", 0.9, 30), ("M", 0.9, 60), ("D", 0.95, 90), ("W", 0.95, 120)])
        #expect(RowReading.voted([alike, other, alike], limits).text == "0KM4")
    }

    @Test func `is not sure of a glyph as wide as two that was read as one`() {
        let glyphs = [
            Box(x: 0, y: 5, width: 14, height: 30), Box(x: 20, y: 5, width: 14, height: 30),
            Box(x: 40, y: 5, width: 14, height: 30), Box(x: 60, y: 5, width: 32, height: 30),
            Box(x: 98, y: 5, width: 14, height: 30), Box(x: 118, y: 5, width: 14, height: 30),
        ]
        func read(_ fourth: String) -> RowReading {
            let texts = ["R", "K", "3", fourth, "A", "S"]
            return RowReading(
                zip(texts, glyphs).map { symbol($0, 0.97, Double($1.x), Double($1.right)) }, of: line(glyphs))
        }
        #expect(!read("0").isSure(expected: 6, limits))
        #expect(read("M").isSure(expected: 6, limits))
    }

    @Test func `cuts two glyphs that touch apart`() {
        var drawing = Drawing(width: 400, height: 100, ground: 220)
        drawing.glyphs(6, x: 60, y: 30, height: 40)
        // A bar of one pixel joins the third and the fourth.
        drawing.fill(x: 60 + 2 * 30 + 18, y: 48, width: 14, height: 1, 30)
        let chain = GlyphChain(
            glyphs: (0..<6).map { Box(x: 60 + 30 * $0, y: 30, width: 20, height: 40) }, polarity: .darkOnLight)
        var extractor = LineExtractor()
        let line = extractor.line(
            of: chain, in: drawing.image, binarisation: .global, Places.parameters.scripts.latin.row)
        #expect(line?.glyphs.count == 6)
    }

    /// A line costs some ten milliseconds: a wall of writing must not stop the camera.
    @Test func `reads at most 22 lines of a picture, and as many of the next`() throws {
        var drawing = Drawing(width: 600, height: 2600)
        let chains = (0..<30).map { row in
            drawing.glyphs(6, x: 60, y: 40 + 80 * row, height: 30)
            return GlyphChain(
                glyphs: (0..<6).map { Box(x: 60 + 22 * $0, y: 40 + 80 * row, width: 15, height: 30) },
                polarity: .darkOnLight)
        }
        let reader = try PlateReader(models: Places.models, country: nil)
        for _ in 0..<2 {
            reader.startPicture()
            let before = try #require(reader.linesLeft[.latin])
            for chain in chains {
                _ = reader.read(PlateCandidate(rows: [chain], score: 0.05), in: drawing.image, isSecond: true)
            }
            #expect(before == 22)
            #expect(reader.linesLeft[.latin] == 0)
            #expect(reader.looked.count <= 22 && !reader.looked.isEmpty)
        }
    }

    @Test func `reads confidence as a probability`() {
        #expect(TesseractEngine.probability(confidence: 100) == 1)
        #expect(abs(TesseractEngine.probability(confidence: 75.7) - 0.5) < 0.01)
        #expect(TesseractEngine.probability(confidence: 0) == 0.01)
    }

    @Test func `cuts a tilted row straight and leaves its glyphs only`() throws {
        var drawing = Drawing(width: 500, height: 300)
        drawing.glyphs(6, x: 100, y: 100, height: 28, slope: 0.2)
        drawing.fill(x: 90, y: 60, width: 300, height: 6, 20)
        var finder = PlateFinder()
        let chain = try #require(finder.find(in: drawing.image).first).rows[0]
        var extractor = LineExtractor()
        let cut = extractor.line(
            of: chain, in: drawing.image, binarisation: .global, Places.parameters.scripts.latin.row)
        let line = try #require(cut)
        #expect(line.glyphs.count == 6)
        let tops = line.glyphs.map(\.y)
        #expect((tops.max() ?? 0) - (tops.min() ?? 0) <= 4)
    }

    @Test func `what lies beyond a plate's sides is no glyph, however like one it is`() throws {
        var drawing = Drawing(width: 500, height: 300)
        drawing.glyphs(6, x: 120, y: 100, height: 28)
        for x in [104, 250] { drawing.fill(x: x, y: 100, width: 8, height: 28, 30) }
        var chain = GlyphChain(
            glyphs: (0..<6).map { Box(x: 120 + 21 * $0, y: 100, width: 14, height: 28) }, polarity: .darkOnLight)
        var extractor = LineExtractor()
        let free = extractor.line(
            of: chain, in: drawing.image, binarisation: .global, Places.parameters.scripts.latin.row)
        #expect(try #require(free).glyphs.count == 8)
        chain.sides = 112..<248
        let sided = extractor.line(
            of: chain, in: drawing.image, binarisation: .global, Places.parameters.scripts.latin.row)
        #expect(try #require(sided).glyphs.count == 6)
    }

    @Test func `a frame that goes on above and below the row, or beyond a side, is no glyph`() throws {
        var drawing = Drawing(width: 500, height: 300)
        drawing.glyphs(6, x: 120, y: 100, height: 28)
        drawing.fill(x: 106, y: 80, width: 8, height: 68, 30)
        drawing.fill(x: 250, y: 98, width: 20, height: 30, 30)
        var chain = GlyphChain(
            glyphs: (0..<6).map { Box(x: 120 + 21 * $0, y: 100, width: 14, height: 28) }, polarity: .darkOnLight)
        chain.sides = 98..<262
        var extractor = LineExtractor()
        let line = extractor.line(
            of: chain, in: drawing.image, binarisation: .global, Places.parameters.scripts.latin.row)
        #expect(try #require(line).glyphs.count == 6)
    }

    @Test func `a format settles O against 0 and leaves what is sure`() {
        let sure = [("K", 0.95), ("O", 0.6), ("L", 0.9), ("4", 0.9), ("O", 0.5), ("2", 0.9), ("9", 0.9)]
        let result = FormatMatcher().match(sure.map { alternatives([$0]) }, script: .latin).first
        #expect(result?.plate.compact == "KOL4029")
        let mixed = [("S", 0.97), ("L", 0.97), ("7", 0.97), ("C", 0.97), ("6", 0.97), ("S", 0.97)]
        #expect(
            FormatMatcher().match(mixed.map { alternatives([$0]) }, script: .latin).first?.plate.compact == "SL7C6S")
    }
}

@Suite("A Tesseract engine", .timeLimit(.minutes(10)))
struct TesseractEngineTests {
    @Test func `names the model that is missing and where it looked`() {
        #expect(throws: ModelError.missing(name: "nothing", searched: ["/nowhere"])) {
            try TesseractEngine(model: "nothing", folder: "/nowhere")
        }
    }

    @Test func `refuses a damaged model`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("models-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("plate.traineddata")
        let model = try ModelFolder.folder(of: ModelFolder.fallbackModel, given: nil)
        let whole = try Data(contentsOf: URL(fileURLWithPath: "\(model)/\(ModelFolder.fallbackModel).traineddata"))
        for damaged in [Data(), Data("text".utf8), Data(repeating: 0xFF, count: 4000), whole.prefix(300)] {
            try damaged.write(to: path)
            #expect(throws: ModelError.unreadable(path: path.path)) {
                try TesseractEngine(model: "plate", folder: folder.path)
            }
        }
    }

    @Test func `writes a model back as it was read, but for the room in its table`() throws {
        let symbols = "4\nNULL 0 Common 0\n0 8 a\nY 5 b\nZ 5 c\n"
        var parts = [Data?](repeating: nil, count: 24)
        parts[17] = Data("network".utf8)
        parts[21] = Data(symbols.utf8)
        parts[22] = Data("codes".utf8)
        var file = try #require(ModelFile(ModelFile.container(parts)))
        #expect(file.data == ModelFile.container(parts))
        file.makeSafeForAlternatives()
        let table = try #require(ModelFile(file.data)?.symbolTable)
        #expect(table.hasPrefix("6\nNULL") && table.split(separator: "\n").count == 7)
        file.makeSafeForAlternatives()
    }
}
