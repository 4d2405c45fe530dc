import Enforcement
import Foundation
import Plates
import Testing

@testable import Recognition

@Suite("What was read of a part of a plate", .timeLimit(.minutes(5)))
struct PartOfPlateTests {
    /// A reading of a row of glyphs, 40 pixels wide each, that begins at `x`.
    private static func found(
        _ plate: String, _ confidence: Double, format: String, x: Int, glyphs: Int, rows: Int = 1
    ) -> PlateRecognizer.Found {
        let chain = GlyphChain(
            glyphs: (0..<glyphs).map { Box(x: x + 40 * $0, y: 100, width: 30, height: 50) }, polarity: .darkOnLight)
        let candidate = PlateCandidate(rows: Array(repeating: chain, count: rows), score: 0.9)
        let reading = PlateReading(
            plate: Plate(canonical: plate), raw: plate, confidence: confidence, box: candidate.box, format: format,
            candidates: [], characters: [])
        return .init(reading: reading, candidate: candidate, isCut: false)
    }

    private static func kept(_ found: [PlateRecognizer.Found]) throws -> [String] {
        try PlateRecognizer(models: Places.models).withoutHalves(found).map(\.plate.compact)
    }

    @Test func `yields to the longer row whose end or beginning it is, though it is surer`() throws {
        let whole = Self.found("KA 05 MG 1909", 0.61, format: "in", x: 100, glyphs: 10)
        let end = Self.found("5MGI 909", 0.8, format: "us 0AAA 000", x: 220, glyphs: 7)
        #expect(try Self.kept([end, whole]) == ["KA05MG1909"])
        let beginning = Self.found("KA05 MGI", 0.8, format: "us", x: 100, glyphs: 7)
        #expect(try Self.kept([whole, beginning]) == ["KA05MG1909"])
    }

    @Test func `stays where the longer one is far less sure, stands elsewhere, or says something else`() throws {
        let end = Self.found("5MGI 909", 0.8, format: "us 0AAA 000", x: 220, glyphs: 7)
        let unsure = Self.found("KA 05 MG 1909", 0.2, format: "in", x: 100, glyphs: 10)
        #expect(try Self.kept([end, unsure]).count == 2)
        let elsewhere = Self.found("KA 05 MG 1909", 0.61, format: "in", x: 900, glyphs: 10)
        #expect(try Self.kept([end, elsewhere]).count == 2)
        let other = Self.found("KA 05 MG 1908", 0.61, format: "in", x: 100, glyphs: 10)
        #expect(try Self.kept([end, other]).count == 2)
        // A bolt or a border that was taken for a glyph makes no longer plate.
        let bolt = Self.found("1 KA 05 MG 1909", 0.61, format: "in", x: 60, glyphs: 11)
        let plate = Self.found("KA 05 MG 1909", 0.7, format: "in", x: 100, glyphs: 10)
        #expect(try Self.kept([plate, bolt]).count == 2)
    }
}
