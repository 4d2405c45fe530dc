import Enforcement
import Foundation
import Plates
import Testing

@testable import Recognition

@Suite("The gaps between a plate's glyphs", .timeLimit(.minutes(5)))
struct GlyphGapsTests {
    private static let height = Double(RowCrop.glyphHeight)

    /// Glyphs of half their height, with these gaps before them, in heights.
    private func row(_ gaps: [Double]) -> RowReading {
        var left = 0.0
        let characters = gaps.map { gap in
            left += gap * Self.height
            defer { left += Self.height / 2 }
            return RowReading.Character(
                alternatives: CharacterAlternatives(scaled: ["7": 1]), left: left, right: left + Self.height / 2)
        }
        return RowReading(characters: characters, glyphs: gaps.count)
    }

    @Test(arguments: [
        ([0, 0.1, 0.1, 0.1, 0.1], false), ([0, 0.1, 1.1, 0.1, 0.1], false), ([0, 0.1, 1.4, 0.1, 0.1], true),
        ([0, 0.1, 0.1, 0.3, 0.1], false), ([0, 0.1, 0.1, 0.7, 0.1], true), ([0, 0.7, 0.1, 0.1, 0.1], true),
    ])
    func `have room for another one where it is missing, and not where a space or an emblem is`(
        gaps: [Double], isMissing: Bool
    ) {
        #expect(GlyphGaps([row(gaps)]).haveRoomForAnother(in: Plate(canonical: "KA 777")) == isMissing)
    }

    @Test func `are those of a row: the next row begins far to the left`() {
        let plate = Plate(canonical: "KA 7777")
        #expect(!GlyphGaps([row([3, 0.1]), row([0, 0.1, 0.1, 0.1])]).haveRoomForAnother(in: plate))
        #expect(GlyphGaps([row([3, 0.1]), row([0, 0.1, 0.7, 0.1])]).haveRoomForAnother(in: plate))
    }

    @Test func `say nothing of groups where not every glyph is one of the plate's`() {
        #expect(!GlyphGaps([row([0, 0.7, 0.1, 0.1, 0.1])]).haveRoomForAnother(in: Plate(canonical: "KA 7777")))
    }

    /// The plate's ground is painted over one glyph after another. What is left of a group that lost a glyph in its middle is never sure.
    @Test func `make a plate doubtful that lost a glyph`() throws {
        let plate = Box(x: 550, y: 446, width: 180, height: 58)
        let truth = Array("KLT4829")
        let shorter = Set([1, 4, 5].map { hidden in String(truth[..<hidden] + truth[(hidden + 1)...]) })
        let picture = try Data(contentsOf: Places.stills.appendingPathComponent("clean_brazil_car.jpg"))
        let recognizer = try PlateRecognizer(models: Places.models)
        var seen: [String: Double] = [:]
        for step in [5, 16, 20] {
            var (canvas, _) = try PixelCanvas.decode(picture)
            let ground = Self.ground(of: canvas, plate)
            let hidden = Double(plate.x) + Double(plate.width * step) / 28
            canvas.change { x, y, red, green, blue in
                let isHidden = Double(x) >= hidden && Double(x) < hidden + 0.12 * Double(plate.width)
                let isInside = y > plate.y + plate.height / 8 && y < plate.bottom - plate.height / 8
                if isHidden, isInside { (red, green, blue) = ground }
            }
            let jpeg = try #require(canvas.jpeg())
            for reading in try recognizer.recognize(jpeg).readings {
                seen[reading.plate.compact] = max(seen[reading.plate.compact] ?? 0, reading.confidence)
            }
        }
        let found = seen.filter { shorter.contains($0.key) }
        #expect(found.count >= 2, "\(seen)")
        #expect(found.allSatisfy { $0.value < 0.8 }, "\(seen)")
    }

    /// The commonest colour of a plate's middle.
    private static func ground(of canvas: PixelCanvas, _ plate: Box) -> (Float, Float, Float) {
        var counts: [[Int]: Int] = [:]
        for y in plate.y + plate.height / 4..<plate.bottom - plate.height / 4 {
            for x in plate.x..<plate.right {
                let at = 3 * (y * canvas.width + x)
                counts[(0..<3).map { Int(canvas.values[at + $0]) / 16 }, default: 0] += 1
            }
        }
        let commonest = counts.max { $0.value < $1.value }?.key.map { Float(16 * $0 + 8) } ?? [128, 128, 128]
        return (commonest[0], commonest[1], commonest[2])
    }
}
