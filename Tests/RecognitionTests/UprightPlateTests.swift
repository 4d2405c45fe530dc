import Enforcement
import Foundation
import Testing

@testable import Recognition

@Suite("A plate that is turned in the picture", .timeLimit(.minutes(10)))
struct UprightPlateTests {
    /// Two rows of light glyphs, four above and four below, turned about the middle.
    private func turned(by slope: Double) -> GrayImage {
        var drawing = Drawing(width: 400, height: 300, ground: 60)
        for (y, height) in [(90, 40), (150, 60)] {
            for glyph in 0..<4 {
                let x = 100 + 52 * glyph
                drawing.fill(x: x, y: y, width: 34, height: height, 230)
                drawing.fill(x: x + 10, y: y + 10, width: 14, height: height - 20, 60)
            }
        }
        let norm = 1 / (1 + slope * slope).squareRoot()
        let middle = Point(200, 150)
        let right = Point(norm, -slope * norm)
        let down = Point(slope * norm, norm)
        return drawing.image.sampled(
            width: 400, height: 300, origin: middle - right * 200 - down * 150, right: right, down: down)
    }

    @Test(arguments: [-0.6, -0.3, -0.12, 0.15, 0.36, 0.57])
    func `is known by its rows`(slope: Double) throws {
        var turn = PlateTurn()
        let region = Box(x: 60, y: 40, width: 280, height: 220)
        let slopeFound = turn.slope(in: region, of: turned(by: slope), polarity: .lightOnDark)
        let found = try #require(slopeFound)
        #expect(abs(found - slope) <= 0.07, "found \(found)")
    }

    @Test func `is left alone where its rows lie level, or nothing tells`() {
        var turn = PlateTurn()
        let region = Box(x: 60, y: 40, width: 280, height: 220)
        #expect(turn.slope(in: region, of: turned(by: 0), polarity: .lightOnDark) == nil)
        let empty = GrayImage(width: 400, height: 300, filledWith: 90)
        #expect(turn.slope(in: region, of: empty, polarity: .lightOnDark) == nil)
    }

    @Test(arguments: [-0.3, 0.36])
    func `has its rows level when it is set upright`(slope: Double) {
        let image = turned(by: slope)
        let upright = UprightPlate(Box(x: 60, y: 40, width: 280, height: 220), of: image, slope: slope, shape: .usual)
        var turn = PlateTurn()
        #expect(turn.slope(in: upright.box, of: upright.image, polarity: .lightOnDark) == nil)
        // The middle of the image is the middle of the place.
        let middle = upright.inPicture(upright.image.width / 2, upright.image.height / 2)
        #expect(abs(middle.x - 200) < 2 && abs(middle.y - 150) < 2)
    }
}

@Suite("The rows of an upright plate", .timeLimit(.minutes(10)))
struct PlateBandTests {
    private let width = 300
    private let height = 170

    private func map(_ rows: [(y: Int, height: Int, count: Int)], joined: Bool = false) -> [UInt8] {
        var map = [UInt8](repeating: 0, count: width * height)
        for row in rows {
            for glyph in 0..<row.count {
                let x = 40 + glyph * 200 / row.count
                for y in row.y..<row.y + row.height {
                    // With a hollow, as glyphs have.
                    for column in x..<x + 30 where y < row.y + 8 || column < x + 8 || column > x + 22 {
                        map[y * width + column] = LocalContrast.dark
                    }
                }
            }
        }
        if joined {
            // The first glyphs of all rows touch each other.
            for y in 30..<150 { for x in 44..<48 { map[y * width + x] = LocalContrast.dark } }
        }
        return map
    }

    @Test(arguments: [false, true])
    func `are told by the empty lines between them, though glyphs touch across`(joined: Bool) {
        var labeler = ComponentLabeler()
        let three = [(y: 22, height: 26, count: 5), (y: 56, height: 36, count: 4), (y: 100, height: 52, count: 4)]
        let rows = PlateBands.rows(of: map(three, joined: joined), width: width, height: height, &labeler)
        #expect(rows.map(\.count) == [5, 4, 4])
        let tops = rows.compactMap { $0.first?.y }
        #expect(zip(tops, [22, 56, 100]).allSatisfy { abs($0 - $1) <= 8 }, "\(tops)")
    }

    @Test func `are two where one line is empty, and none where none is`() {
        var labeler = ComponentLabeler()
        let two = [(y: 24, height: 44, count: 4), (y: 86, height: 62, count: 4)]
        #expect(PlateBands.rows(of: map(two), width: width, height: height, &labeler).map(\.count) == [4, 4])
        let one = [(y: 40, height: 90, count: 4)]
        #expect(PlateBands.rows(of: map(one), width: width, height: height, &labeler).isEmpty)
    }
}

@Suite("A row that lost an end", .timeLimit(.minutes(5)))
struct LostEndTests {
    private func reading(_ places: [ClosedRange<Double>]) -> RowReading {
        RowReading(
            characters: places.map {
                RowReading.Character(
                    alternatives: CharacterAlternatives([.init(symbol: "१", probability: 0.9)]),
                    left: $0.lowerBound, right: $0.upperBound)
            }, glyphs: places.count)
    }

    @Test func `is one whose outermost glyph was seen and not read`() {
        let chain = GlyphChain(
            glyphs: (0..<4).map { Box(x: 60 + 40 * $0, y: 30, width: 30, height: 40) }, polarity: .darkOnLight)
        let crop = RowCrop(chain, in: GrayImage(width: 300, height: 100, filledWith: 200))
        let all = crop.columns.map { Double($0.lowerBound)...Double($0.upperBound) }
        #expect(!reading(all).missesEnd(of: crop, shown: chain.glyphs.indices))
        #expect(reading(Array(all.dropFirst())).missesEnd(of: crop, shown: chain.glyphs.indices))
        #expect(reading(Array(all.dropLast())).missesEnd(of: crop, shown: chain.glyphs.indices))
        // What stands beside the plate is no end of the row.
        #expect(!reading(Array(all.dropFirst())).missesEnd(of: crop, shown: 1..<4))
    }
}
