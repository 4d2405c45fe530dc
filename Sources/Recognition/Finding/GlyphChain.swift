import Enforcement

/// Glyphs of like height on one line: a row of a plate, or something that looks like one.
package struct GlyphChain: Sendable, Equatable {
    package enum Polarity: Sendable, Equatable {
        case darkOnLight
        case lightOnDark
    }

    /// From left to right, in pixels of the whole picture.
    package var glyphs: [Box]

    package var polarity: Polarity

    /// How much it looks like a row of a plate, 0…1.
    package var score: Double

    /// Where the plate's left and right sides are, in pixels of the whole picture; nil where they aren't known.
    var sides: Range<Int>?

    /// The middle of the row goes through `origin` in the direction (1, slope).
    package private(set) var origin: Point
    package private(set) var slope: Double

    /// The median height of the glyphs.
    package private(set) var glyphHeight: Double

    /// - Parameter known: the row's slope where more is known of it than its glyphs' middles tell.
    /// - Precondition: there is a glyph.
    package init(glyphs: [Box], polarity: Polarity, score: Double = 0, slope known: Double? = nil) {
        precondition(!glyphs.isEmpty, "a chain has glyphs")
        self.glyphs = glyphs
        self.polarity = polarity
        self.score = score
        glyphHeight = Double(glyphs.map(\.height).sorted()[glyphs.count / 2])
        let meanX = glyphs.map(\.centerX).reduce(0, +) / Double(glyphs.count)
        let meanY = glyphs.map(\.centerY).reduce(0, +) / Double(glyphs.count)
        var covariance = 0.0
        var variance = 0.0
        for glyph in glyphs {
            covariance += (glyph.centerX - meanX) * (glyph.centerY - meanY)
            variance += (glyph.centerX - meanX) * (glyph.centerX - meanX)
        }
        slope = known ?? (variance > 0 ? covariance / variance : 0)
        origin = Point(meanX, meanY)
    }

    package var box: Box {
        glyphs.dropFirst().reduce(glyphs[0]) { $0.union($1) }
    }

    /// Where the middle of the row is at `x`.
    package func middle(atX x: Double) -> Double {
        origin.y + (x - origin.x) * slope
    }

    /// The mean distance of the glyphs' middles from the row's, in glyph heights.
    package var unevenness: Double {
        glyphs.map { abs($0.centerY - middle(atX: $0.centerX)) }.reduce(0, +) / Double(glyphs.count) / glyphHeight
    }
}
