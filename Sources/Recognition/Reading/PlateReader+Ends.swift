import Enforcement

extension PlateReader {
    /// The ways of telling glyphs from the ground that part them from a frame. Two of them must see the same at an end, …
    private static let partingWays: [Binarisation] = [.dark, .parted, .local]

    /// … each at least this surely, …
    private static let sureEnd = 0.8

    /// … and it must stand this near to the others, in pixels of the crop.
    private static let nearEnd = 48.0

    /// Looks for a glyph at either end that the frame swallowed, where what was read fits no tight format. Taken when the plate
    /// fits one with it and is likelier then: a piece of the frame seldom makes a plate.
    func withEnds(
        _ found: Hypothesis, _ candidate: PlateCandidate, _ image: GrayImage, glyphs: Int, colour: PlateColour?
    ) -> Hypothesis {
        guard candidate.rows.count == 1, let row = candidate.rows.first, found.characters.count >= 4,
            found.results.first?.format.isTight == false,
            let known = rows[RowKey(box: row.box, script: .latin)], known.characters.count == found.characters.count
        else { return found }
        let ends = ends(of: row, in: image, beside: known)
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
        of row: GlyphChain, in image: GrayImage, beside known: RowReading
    ) -> (left: CharacterAlternatives?, right: CharacterAlternatives?) {
        guard let first = known.characters.first, let last = known.characters.last else { return (nil, nil) }
        let crop = extractor.crop(of: row, in: image)
        var before: [CharacterAlternatives] = []
        var after: [CharacterAlternatives] = []
        for way in Self.partingWays where linesLeft[.latin, default: 0] > 0 {
            guard let line = extractor.line(of: crop, binarisation: way, script: .latin) else { continue }
            linesLeft[.latin, default: 0] -= 1
            let seen = RowReading(latin.read(line), of: line).characters
            if let end = seen.last(where: { $0.right <= first.left + 3 }), first.left - end.right < Self.nearEnd,
                isGlyph(end)
            {
                before.append(end.alternatives)
            }
            if let end = seen.first(where: { $0.left >= last.right - 3 }), end.left - last.right < Self.nearEnd,
                isGlyph(end)
            {
                after.append(end.alternatives)
            }
        }
        return (agreed(before), agreed(after))
    }

    private func agreed(_ seen: [CharacterAlternatives]) -> CharacterAlternatives? {
        seen.first { one in seen.count { $0.best == one.best } > 1 }
    }

    /// Bars are pieces of the frame as often as they are a 1 or an I.
    private func isGlyph(_ character: RowReading.Character) -> Bool {
        character.alternatives.likeliest >= Self.sureEnd && !["1", "I"].contains(character.alternatives.best)
    }
}
