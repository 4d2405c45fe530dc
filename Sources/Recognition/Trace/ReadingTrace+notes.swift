import Enforcement
import Plates
import Foundation

/// What steps are said to be, in words and figures.
extension ReadingTrace {
    /// As many alternatives of a character are named, down to this probability.
    private static let namedAlternatives = 3
    private static let leastNamed = 0.02

    /// As many plates of a reading are named.
    private static let namedPlates = 4

    /// `बा 0.98  १ 0.71 ९ 0.24  प 0.99`
    static func words(_ characters: [CharacterAlternatives]) -> String {
        characters.map { character in
            character.alternatives.prefix(namedAlternatives)
                .filter { $0.probability >= leastNamed || $0.symbol == character.best }
                .map { "\($0.symbol) \(figure($0.probability))" }.joined(separator: " ")
        }.joined(separator: "  ")
    }

    static func words(_ glimpses: [SymbolGlimpse]) -> String {
        guard !glimpses.isEmpty else { return "nothing" }
        return words(
            glimpses.map { glimpse in
                CharacterAlternatives(glimpse.chances.map { .init(symbol: $0.symbol.text, probability: $0.chance) })
            })
    }

    static func words(_ row: RowReading) -> String {
        guard !row.characters.isEmpty else { return "nothing" }
        let glyphs = row.glyphs == row.characters.count ? "" : ", \(row.glyphs) glyphs"
        return "\(row.text) (sure \(figure(row.sureness))\(glyphs)): \(words(row.characters.map(\.alternatives)))"
    }

    package static func figure(_ value: Double) -> String { String(format: "%.2f", value) }

    /// A candidate's rows, and a picture with a frame around each of their glyphs.
    func noteRows(of candidate: PlateCandidate, in image: GrayImage, as script: PlateFormat.Script) {
        let rows = candidate.rows.map { row in
            "\(row.glyphs.count) glyphs \(Int(row.glyphHeight)) px high, "
                + "\(row.polarity == .darkOnLight ? "dark" : "light"), slope \(Self.figure(row.slope))"
        }.joined(separator: "; ")
        note(
            .rows, at: candidate.box, script.rawValue, "score \(Self.figure(candidate.score)): \(rows)",
            image.framed(candidate.rows.flatMap(\.glyphs), within: candidate.place ?? candidate.box))
        note(glyphHeight: candidate.rows.map(\.glyphHeight).max() ?? 0)
    }

    /// What a format made of the characters, or why none fits.
    func noteFormats(
        _ found: PlateReader.Hypothesis?, of characters: [CharacterAlternatives], on candidate: PlateCandidate,
        _ script: PlateFormat.Script, _ matcher: FormatMatcher
    ) {
        let read = characters.map(\.best).joined()
        guard let found else {
            let misfits = matcher.misfits(characters, script: script)
                .map { "\($0.format.name): \($0.reason)" }.joined(separator: "; ")
            return note(.formats, at: candidate.box, read, "fits no format. \(misfits)")
        }
        let plates = found.results.prefix(Self.namedPlates)
            .map { "\($0.plate.canonical) (\($0.format.name), \(Self.figure($0.score)))" }.joined(separator: ", ")
        note(.formats, at: candidate.box, read, "sure \(Self.figure(found.confidence)): \(plates)")
    }
}

extension GrayImage {
    /// What of the picture lies in a box; nil when nothing does.
    func clipped(to box: Box) -> GrayImage? {
        let inside = box.intersection(Box(x: 0, y: 0, width: width, height: height))
        return inside.area > 0 ? cropped(to: inside) : nil
    }

    /// The part of the picture around a place, with a bright frame in a dark one around each box.
    fileprivate func framed(_ boxes: [Box], within place: Box) -> GrayImage? {
        let all = boxes.reduce(place) { $0.union($1) }
            .grown(byX: place.height / 4, byY: place.height / 4, within: width, height)
            .intersection(Box(x: 0, y: 0, width: width, height: height))
        guard all.area > 0 else { return nil }
        var part = cropped(to: all)
        for box in boxes {
            let moved = Box(x: box.x - all.x, y: box.y - all.y, width: box.width, height: box.height)
            for (margin, level) in [(1, UInt8(255)), (2, UInt8(0))] { part.frame(moved, margin: margin, level) }
        }
        return part
    }

    private mutating func frame(_ box: Box, margin: Int, _ level: UInt8) {
        let (left, right) = (box.x - margin, box.right + margin - 1)
        let (top, bottom) = (box.y - margin, box.bottom + margin - 1)
        for x in max(0, left)...max(0, min(width - 1, right)) where x < width {
            for y in [top, bottom] where y >= 0 && y < height { pixels[y * width + x] = level }
        }
        for y in max(0, top)...max(0, min(height - 1, bottom)) where y < height {
            for x in [left, right] where x >= 0 && x < width { pixels[y * width + x] = level }
        }
    }
}
