import Enforcement

/// A region of a frame that may be a plate: one to three rows of glyphs.
package struct PlateCandidate: Sendable, Equatable {
    /// From top to bottom.
    package var rows: [GlyphChain]

    /// How much it looks like a plate, 0…1.
    package var score: Double

    /// Where the network shows the plate on which it stands, in the same pixels; nil where it was found without the network.
    package var place: Box?

    package init(rows: [GlyphChain], score: Double) {
        self.rows = rows
        self.score = score
    }

    /// The plate's box: the glyphs and a margin of a third of their height.
    package var box: Box {
        let glyphs = rows.dropFirst().reduce(rows[0].box) { $0.union($1.box) }
        let margin = Int(rows.map(\.glyphHeight).reduce(0, max) / 3)
        return Box(
            x: max(0, glyphs.x - margin), y: max(0, glyphs.y - margin), width: glyphs.width + 2 * margin,
            height: glyphs.height + 2 * margin)
    }

    /// Two rows score as the better one and the worse one, so much of each: one good row is seldom alone by chance.
    private static let shares = (better: 0.6, worse: 0.4)

    /// A plate of two rows has at most so many glyphs, provincial ones included; with more it is two plates or a sign: half its score.
    private static let mostGlyphs = 11
    private static let scoreOfMore = 0.5

    // Two rows of one plate: slopes that differ by less than this (8 degrees), …
    private static let sameSlope = 0.15
    /// … the lower one's glyphs this many times as high as the upper one's, which is often the smaller print, …
    private static let ratios = 0.6...2.2
    /// … middles this far apart, in mean glyph heights: room for the signs above and below, and no row between, …
    private static let steps = 0.9...1.9
    /// … above each other by this part of the narrower one, and …
    private static let leastShared = 0.5
    /// … the upper one less than this many times as wide as the lower one, which holds the number.
    private static let widestUpper = 2

    /// Every row alone, and every two that stand one above the other, the likeliest first.
    static func ranked(from chains: [GlyphChain], limit: Int) -> [PlateCandidate] {
        var found = chains.map { PlateCandidate(rows: [$0], score: $0.score) }
        for upper in chains {
            for lower in chains where areStacked(upper, lower) {
                let glyphs = upper.glyphs.count + lower.glyphs.count
                let score = max(upper.score, lower.score) * shares.better + min(upper.score, lower.score) * shares.worse
                found.append(
                    PlateCandidate(rows: [upper, lower], score: score * (glyphs <= mostGlyphs ? 1 : scoreOfMore)))
            }
        }
        return Array(found.sorted { $0.score > $1.score }.prefix(limit))
    }

    /// Whether `lower` is the next row of the same plate.
    private static func areStacked(_ upper: GlyphChain, _ lower: GlyphChain) -> Bool {
        guard upper.polarity == lower.polarity, abs(upper.slope - lower.slope) < sameSlope else { return false }
        let ratio = lower.glyphHeight / upper.glyphHeight
        guard ratio > ratios.lowerBound, ratio < ratios.upperBound else { return false }
        let upperBox = upper.box
        let lowerBox = lower.box
        let center = lowerBox.centerX
        let step = lower.middle(atX: center) - upper.middle(atX: center)
        let rows = (upper.glyphHeight + lower.glyphHeight) / 2
        let overlap = min(upperBox.right, lowerBox.right) - max(upperBox.x, lowerBox.x)
        return step > steps.lowerBound * rows && step < steps.upperBound * rows
            && Double(overlap) > leastShared * Double(min(upperBox.width, lowerBox.width))
            && upperBox.width < lowerBox.width * widestUpper
    }
}

extension PlateCandidate {
    /// Beside the outermost glyph a plate has its own border; a glyph that is cut off stands nearer, in glyph heights.
    private static let besideLast = 0.8

    /// Whether the plate, or a glyph beside its outermost ones, may go on beyond the picture's left or right edge.
    func touchesSide(ofWidth width: Int) -> Bool {
        // A place is rounded to whole pixels: one of them is still the edge.
        if let place, place.x <= 1 || place.right >= width - 1 { return true }
        return rows.contains { row in
            let reach = Self.besideLast * row.glyphHeight
            return Double(row.box.x) < reach || Double(row.box.right) > Double(width) - reach
        }
    }
}
