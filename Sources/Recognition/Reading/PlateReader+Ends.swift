import Enforcement
import Plates

extension PlateReader {
    /// The ways of telling glyphs from the ground that part them from a frame. Two of them must see the same at an end, or one where the
    /// network shows that the plate has room for it, each as surely as the parameters say, …
    private static let partingWays: [Binarisation] = [.dark, .parted, .local]

    /// … and it must stand this near to the others, in pixels of the crop: the gap between two groups, a hyphen in it.
    private static let nearEnd = 48.0

    /// A glyph that overlaps with the last one by no more than this, in pixels of the crop, stands beside it: edges are soft.
    private static let softEdge = 3.0

    /// Fewer characters are no plate in one row, whatever is found at their ends.
    private static let leastCharacters = 4

    /// One way alone is believed of a glyph that stands as near as the next of a group does, in pixels of the crop.
    private static let nextGlyph = 12.0

    /// The glyphs of a plate's only row have at least this part of its height: those of two rows have a quarter.
    private static let onlyRow = 0.33

    /// So much of a glyph's share of the row must be left of a plate beyond its ends for a further glyph.
    private static let room = 0.5

    /// Looks for a glyph at either end that the frame swallowed, where what was read fits no tight format. Taken when the plate
    /// fits one with it and is likelier then: a piece of the frame seldom makes a plate.
    func withEnds(
        _ found: Hypothesis, _ candidate: PlateCandidate, _ image: GrayImage, glyphs: Int, colour: PlateColour?
    ) -> Hypothesis {
        guard candidate.rows.count == 1, let row = candidate.rows.first, found.characters.count >= Self.leastCharacters,
            found.results.first?.format.isTight == false,
            let known = rows[RowKey(row, latin)], known.characters.count == found.characters.count
        else { return found }
        let ends = ends(of: row, on: candidate.place, in: image, beside: known)
        var best = found
        for (left, right) in [(ends.left, nil), (nil, ends.right), (ends.left, ends.right)] {
            let added = [left, right].compactMap { $0 }.count
            guard added > 0 else { continue }
            let whole = [left].compactMap { $0 } + found.characters + [right].compactMap { $0 }
            guard let hypothesis = hypothesis(whole, glyphs: glyphs + added, candidate, .latin, colour),
                hypothesis.results.first?.format.isTight == true, hypothesis.confidence > best.confidence
            else { continue }
            best = hypothesis
        }
        return best
    }

    private func ends(
        of row: GlyphChain, on place: Box?, in image: GrayImage, beside known: RowReading
    ) -> (left: CharacterAlternatives?, right: CharacterAlternatives?) {
        guard let first = known.characters.first, let last = known.characters.last else { return (nil, nil) }
        let crop = extractor.crop(of: row, in: image)
        var before: [Witness] = []
        var after: [Witness] = []
        for way in Self.partingWays {
            guard let seen = look(at: row, crop, way)?.characters else { continue }
            if let end = seen.last(where: { $0.right <= first.left + Self.softEdge }) {
                before += witness(end, gap: first.left - end.right)
            }
            if let end = seen.first(where: { $0.left >= last.right - Self.softEdge }) {
                after += witness(end, gap: end.left - last.right)
            }
        }
        // A row that leaves room for another above or below is half of a plate, whose ends say nothing.
        let plate = place.flatMap { row.glyphHeight >= Self.onlyRow * Double($0.height) ? $0 : nil }
        let step = Double(row.box.width) / Double(max(1, known.characters.count))
        let left = plate.map { Double(row.box.x - $0.x) >= Self.room * step } ?? false
        let right = plate.map { Double($0.right - row.box.right) >= Self.room * step } ?? false
        return (agreed(before, hasRoom: left), agreed(after, hasRoom: right))
    }

    /// What the Latin model sees of a row in one way, read now where it wasn't yet.
    private func look(at row: GlyphChain, _ crop: RowCrop, _ way: Binarisation) -> RowReading? {
        if let known = looked[LookKey(row: RowKey(row, latin), way: way)] { return known }
        guard linesLeft[.latin, default: 0] > 0,
            let line = extractor.line(of: crop, binarisation: way, parameters.scripts.latin.row)
        else { return nil }
        linesLeft[.latin, default: 0] -= 1
        return RowReading(latin.read(line), of: line)
    }

    /// A glyph that one way saw at an end, and how far from the others, in pixels of the crop.
    private typealias Witness = (glyph: CharacterAlternatives, gap: Double)

    private func witness(_ end: RowReading.Character, gap: Double) -> [Witness] {
        gap < Self.nearEnd && isGlyph(end) ? [(end.alternatives, gap)] : []
    }

    private func agreed(_ seen: [Witness], hasRoom: Bool) -> CharacterAlternatives? {
        let agreed = seen.first { one in seen.count { $0.glyph.best == one.glyph.best } > 1 }
        if let agreed { return agreed.glyph }
        let close = seen.filter { $0.gap < Self.nextGlyph }
        return hasRoom && close.count == 1 ? close.first?.glyph : nil
    }

    /// Bars are pieces of the frame as often as they are a 1 or an I.
    private func isGlyph(_ character: RowReading.Character) -> Bool {
        character.alternatives.likeliest >= parameters.plate.sureEnd
            && !["1", "I"].contains(character.alternatives.best)
    }
}
