import Enforcement

extension PlateReader {
    /// So many glyphs cost as much as one of the lines that a picture may have read: Tesseract takes time by width.
    private static let glyphsPerLine = 2

    /// A row of more glyphs is read whole only: no row of a painted plate has more.
    private static let mostGlyphs = 8

    /// White on both sides of a glyph, in pixels, as the model's lessons had it.
    private static let margin = 8

    /// Reads a row's glyphs one by one: what stands beside a glyph can't mislead the model then. A row read whole shows more of
    /// the painter's style, so both have a voice.
    ///
    /// - Parameter share: how much they count beside the row read whole.
    /// - Returns: nil when the picture's lines are used up, or the row is too long.
    func readGlyphs(of line: LineImage, as model: ScriptModel, share: Double) -> RowReading? {
        let places = Self.glyphPlaces(line)
        let cost = (places.count + Self.glyphsPerLine - 1) / Self.glyphsPerLine
        guard (2...Self.mostGlyphs).contains(places.count), linesLeft[model.script, default: 0] >= cost else {
            return nil
        }
        linesLeft[model.script, default: 0] -= cost
        var characters: [RowReading.Character] = []
        for place in places {
            let symbols = model.read(Self.glyph(line, place))
            guard !symbols.isEmpty else { continue }
            characters.append(
                RowReading.Character(
                    alternatives: .mean(symbols.map { (1, $0.alternatives) }),
                    left: Double(place.lowerBound + line.offset),
                    right: Double(place.upperBound + line.offset)))
        }
        var reading = RowReading(characters: characters, glyphs: places.count)
        reading.share = share
        return reading
    }

    /// The columns of the glyphs: pieces that stand one above the other are one.
    static func glyphPlaces(_ line: LineImage) -> [Range<Int>] {
        var places: [Range<Int>] = []
        for glyph in line.glyphs.sorted(by: { $0.x < $1.x }) {
            if let last = places.last, min(last.upperBound, glyph.right) - glyph.x > min(last.count, glyph.width) / 2 {
                places[places.count - 1] = last.lowerBound..<max(last.upperBound, glyph.right)
            } else {
                places.append(glyph.x..<glyph.right)
            }
        }
        return places
    }

    /// One glyph alone on white.
    private static func glyph(_ line: LineImage, _ place: Range<Int>) -> GrayImage {
        var image = GrayImage(width: place.count + 2 * margin, height: line.image.height, filledWith: 255)
        let columns = max(0, place.lowerBound - 1)..<min(line.image.width, place.upperBound + 1)
        for y in 0..<line.image.height {
            for x in columns {
                image.pixels[y * image.width + x - place.lowerBound + margin] =
                    line.image.pixels[
                        y * line.image.width + x]
            }
        }
        return image
    }
}
