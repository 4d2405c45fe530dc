import Plates
import Testing

@testable import Recognition

@Suite("The gaps between a plate's glyphs", .timeLimit(.minutes(1)))
struct GlyphGapsTests {
    private func row(_ edges: [(Double, Double)]) -> RowReading {
        RowReading(
            characters: edges.map { .init(alternatives: CharacterAlternatives(scaled: ["7": 1]), left: $0, right: $1) },
            glyphs: edges.count)
    }

    @Test(arguments: [(0.1, 0.1, false), (0.6, 1.1, false), (0.8, 0.1, true), (0.1, 1.4, true)])
    func `have room for another one where it is missing, and not where a space or an emblem is`(
        within: Double, between: Double, isHidden: Bool
    ) {
        let height = Double(RowCrop.glyphHeight)
        let gaps = [0, 0.1, between, 0.1, within].map { $0 * height }
        let lefts = gaps.indices.map { gaps[...$0].reduce(0, +) + Double($0) * 0.55 * height }
        let plate = GlyphGaps([row(lefts.map { ($0, $0 + 0.55 * height) })])
        #expect(plate.haveRoomForAnother(in: Plate(canonical: "KA 777")) == isHidden)
        // Not every glyph is one of the plate's: then any gap may part two groups.
        #expect(plate.haveRoomForAnother(in: Plate(canonical: "KA 7777")) == (between > 1.25))
    }
}
