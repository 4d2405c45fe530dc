import Enforcement
import TestKit
import Testing

@testable import Recognition

@Suite("Finding rows of glyphs", .timeLimit(.minutes(10)))
struct FindingTests {
    @Test func `tells darker and lighter strokes from their ground in a shadow`() {
        var drawing = Drawing(width: 60, height: 40, ground: 40)
        drawing.fill(x: 20, y: 10, width: 4, height: 20, 15)
        drawing.fill(x: 40, y: 10, width: 4, height: 20, 70)
        var contrast = LocalContrast(radius: 8, minimumDifference: 9, relativeDifference: 16)
        var map: [UInt8] = []
        contrast.classify(drawing.image, into: &map)
        #expect(map[20 * 60 + 21] == LocalContrast.dark)
        #expect(map[20 * 60 + 41] == LocalContrast.light)
        #expect(map[20 * 60 + 3] == 0)
    }

    @Test func `takes the pixels that touch at a corner for one region`() {
        let map: [UInt8] = [
            1, 0, 0, 0, 1,
            0, 1, 0, 0, 1,
            0, 0, 1, 0, 1,
        ]
        var labeler = ComponentLabeler()
        let found = labeler.components(of: map, width: 5, height: 3, value: 1, heights: 1...9, maximumWidth: 9)
            .sorted { $0.box.x < $1.box.x }
        #expect(found.map(\.box) == [Box(x: 0, y: 0, width: 3, height: 3), Box(x: 4, y: 0, width: 1, height: 3)])
        #expect(found.map(\.area) == [3, 3])
    }

    @Test(arguments: [0.0, 0.2, -0.3, 0.5])
    func `finds a row on a slope`(slope: Double) throws {
        var drawing = Drawing(width: 500, height: 400)
        drawing.glyphs(7, x: 120, y: 180, height: 28, slope: slope)
        var finder = PlateFinder()
        let best = try #require(finder.find(in: drawing.image).first)
        #expect(best.rows[0].glyphs.count == 7)
        #expect(abs(best.rows[0].slope - slope) < 0.06)
        #expect(best.rows[0].polarity == .darkOnLight)
    }

    @Test func `finds light glyphs on a dark plate`() throws {
        var drawing = Drawing(width: 400, height: 300, ground: 40)
        drawing.glyphs(6, x: 100, y: 100, height: 30, ink: 220)
        var finder = PlateFinder()
        #expect(try #require(finder.find(in: drawing.image).first).rows[0].polarity == .lightOnDark)
    }

    @Test(arguments: [12, 20, 60, 120])
    func `finds glyphs of any size`(height: Int) throws {
        var drawing = Drawing(width: 900, height: 500)
        drawing.glyphs(6, x: 150, y: 150, height: height)
        var finder = PlateFinder()
        let best = try #require(finder.find(in: drawing.image).first)
        #expect(best.rows[0].glyphs.count == 6)
        #expect(abs(best.rows[0].glyphHeight - Double(height)) <= Double(height) * 0.15)
    }

    @Test func `takes two rows one above the other for a plate of two rows`() {
        var drawing = Drawing(width: 500, height: 400)
        drawing.glyphs(4, x: 150, y: 120, height: 30)
        drawing.glyphs(5, x: 140, y: 170, height: 30)
        var finder = PlateFinder()
        #expect(finder.find(in: drawing.image).contains { $0.rows.count == 2 })
    }

    @Test func `sees nothing on an empty road`() {
        var finder = PlateFinder()
        #expect(finder.find(in: GrayImage(width: 640, height: 480, filledWith: 120)).isEmpty)
        #expect(finder.find(in: GrayImage(width: 4, height: 4, filledWith: 120)).isEmpty)
    }

    /// What costs time is bounded, whatever the picture shows: components, beginnings of rows, candidates.
    @Test(arguments: ["noise", "dots", "checkerboard", "stripes"])
    func `bounds its work on hostile pictures`(kind: String) {
        var seed: UInt64 = 1
        let pixels = (0..<1280 * 720).map { index -> UInt8 in
            let (x, y) = (index % 1280, index / 1280)
            switch kind {
            case "noise":
                seed = seed &* 6_364_136_223_846_793_005 &+ 1
                return UInt8(seed >> 56)
            case "dots": return x % 9 < 5 && y % 12 < 9 ? 0 : 255
            case "checkerboard": return (x / 9 + y / 9) % 2 == 0 ? 0 : 255
            default: return x % 6 < 3 ? 0 : 255
            }
        }
        let image = GrayImage(width: 1280, height: 720, pixels: pixels)
        var finder = PlateFinder()
        #expect(finder.find(in: image).count <= finder.options.maximumCandidates)
        var contrast = LocalContrast(radius: 6, minimumDifference: 9, relativeDifference: 16)
        var map: [UInt8] = []
        contrast.classify(image, into: &map)
        var labeler = ComponentLabeler()
        let components = labeler.components(
            of: map, width: 1280, height: 720, value: LocalContrast.dark, heights: 8...40, maximumWidth: 60)
        #expect(labeler.runs.count <= ComponentLabeler.maximumRuns + 1280)
        var builder = ChainBuilder()
        let (glyphs, rows) = builder.chains(of: components, minimumGlyphs: 3)
        #expect(glyphs.count <= ChainBuilder.maximumComponents)
        #expect(rows.count <= ChainBuilder.maximumGrowths)
    }

    @Test(arguments: [1, 5, 12])
    func `gives as many candidates of a crowded picture as it may, and no more`(limit: Int) {
        var drawing = Drawing(width: 1600, height: 1200)
        for index in 0..<20 { drawing.glyphs(6, x: 60 + index % 4 * 380, y: 60 + index / 4 * 220, height: 30) }
        var finder = PlateFinder()
        #expect(finder.options.maximumCandidates == 12)
        finder.options.maximumCandidates = limit
        #expect(finder.find(in: drawing.image).count == limit)
    }

    @Test func `begins no more rows of a page of text than of all its scales together it may`() {
        var page = Drawing(width: 1600, height: 1200, ground: 250)
        for line in 0..<40 { page.glyphs(90, x: 10, y: 10 + 29 * line, height: 20) }
        var contrast = LocalContrast(radius: 12, minimumDifference: 9, relativeDifference: 16)
        var map: [UInt8] = []
        contrast.classify(page.image, into: &map)
        var labeler = ComponentLabeler()
        let components = labeler.components(
            of: map, width: 1600, height: 1200, value: LocalContrast.dark, heights: 8...40, maximumWidth: 60)
        var builder = ChainBuilder()
        #expect(!builder.chains(of: components, minimumGlyphs: 3).rows.isEmpty)
        for _ in 0..<20 where builder.growthsLeft > 0 { _ = builder.chains(of: components, minimumGlyphs: 3) }
        #expect(builder.chains(of: components, minimumGlyphs: 3).rows.isEmpty)
        var finder = PlateFinder()
        #expect(finder.find(in: page.image).count <= finder.options.maximumCandidates)
    }

    @Test(arguments: [Seed.drawn()])
    func `tells strokes from their ground as the mean of their surroundings says`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let image = GrayImage(
            width: 37, height: 29, pixels: (0..<37 * 29).map { _ in UInt8.random(in: 0...255, using: &generator) })
        var contrast = LocalContrast(radius: 6, minimumDifference: 9, relativeDifference: 16)
        var map: [UInt8] = []
        for _ in 0..<2 { contrast.classify(image, into: &map) }
        for y in 0..<29 {
            for x in 0..<37 {
                let rows = max(0, y - 6)..<min(29, y + 7)
                let columns = max(0, x - 6)..<min(37, x + 7)
                let sum = rows.reduce(0) { sum, row in columns.reduce(sum) { $0 + Int(image.pixels[row * 37 + $1]) } }
                let area = rows.count * columns.count
                let difference = Int(image.pixels[y * 37 + x]) * area - sum
                let margin = 9 * area + 16 * (sum >> 8)
                let expected = difference < -margin ? LocalContrast.dark : difference > margin ? LocalContrast.light : 0
                #expect(map[y * 37 + x] == expected)
            }
        }
    }
}
