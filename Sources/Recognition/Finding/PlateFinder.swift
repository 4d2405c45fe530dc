import Enforcement

/// Finds what may be plates in a picture.
///
/// Glyphs are found as connected regions darker or lighter than their surroundings, at several scales; those of like
/// height on one line are linked into rows; rows that stand one above the other make a plate of two or three rows.
package struct PlateFinder {
    package struct Options: Sendable {
        /// Glyphs lower than this, in pixels of the whole picture, aren't looked for.
        package var minimumGlyphHeight = 8

        /// At most this many candidates are given.
        package var maximumCandidates = 12

        package init() {}
    }

    package var options: Options
    private var labeler = ComponentLabeler()
    private var map: [UInt8] = []

    /// How glyphs are told from their ground: half the window in pixels, gray levels, and parts of the mean in 1/256. The wide
    /// window copes with broad strokes and with the dark; the narrow one parts small glyphs from each other and from the frame.
    private var contrasts = [
        LocalContrast(radius: 12, minimumDifference: 4, relativeDifference: 22),
        LocalContrast(radius: 6, minimumDifference: 6, relativeDifference: 28),
    ]

    package init(options: Options = Options()) {
        self.options = options
    }

    /// Glyph heights that one scale looks at, in its own pixels. The next scale has half the pixels, so they overlap.
    private static let glyphHeights = 8...40

    /// In pixels: more than a glyph of the greatest height may be wide.
    private static let widest = 60

    /// A picture or scale with a shorter side than this, in pixels, has no row of glyphs …
    private static let leastSide = 24

    /// … and a sixteenth of the size is the smallest that is looked at: glyphs of 640 px are found in it.
    private static let smallestScale = 16

    /// A row has at least so many glyphs: two stand together by chance everywhere.
    private static let leastGlyphs = 3

    /// Widths in glyph heights, and the part of its box that a glyph fills: an I is narrow and full, an M wide; less is a hollow frame
    /// or a scratch, and what is full and not narrow is a speck or a lamp.
    private static let widths = 0.1...1.35
    private static let leastFill = 0.14
    private static let mostFill = 0.92
    private static let narrow = 0.45

    /// Of two rows that share more than this part of the smaller one's box the better one is kept.
    private static let sameRow = 0.5

    /// At most so many rows are put together to plates: every two are compared.
    private static let maximumRows = 60

    /// - Returns: the likeliest first.
    package mutating func find(in image: GrayImage) -> [PlateCandidate] {
        var chains: [GlyphChain] = []
        var level = image
        var scale = 1
        var builder = ChainBuilder()
        while min(level.width, level.height) >= Self.leastSide, scale <= Self.smallestScale {
            for index in contrasts.indices {
                chains += findChains(in: level, scale: scale, contrast: index, &builder)
            }
            guard let half = level.halved() else { break }
            level = half
            scale *= 2
        }
        return PlateCandidate.ranked(from: strongest(chains), limit: options.maximumCandidates)
    }

    private mutating func findChains(
        in image: GrayImage, scale: Int, contrast: Int, _ builder: inout ChainBuilder
    ) -> [GlyphChain] {
        contrasts[contrast].classify(image, into: &map)
        var found: [GlyphChain] = []
        let lowest = max(Self.glyphHeights.lowerBound, options.minimumGlyphHeight / scale)
        for (value, polarity) in [
            (LocalContrast.dark, GlyphChain.Polarity.darkOnLight), (LocalContrast.light, .lightOnDark),
        ] {
            let components = labeler.components(
                of: map, width: image.width, height: image.height, value: value,
                heights: lowest...Self.glyphHeights.upperBound, maximumWidth: Self.widest
            ).filter(isGlyphLike)
            let (glyphs, rows) = builder.chains(of: components, minimumGlyphs: Self.leastGlyphs)
            let scorer = ChainScorer()
            for row in rows {
                let boxes = row.map { glyphs[$0].box }
                let score = scorer.score(boxes, image: image, map: map, value: value)
                guard score > ChainScorer.least else { continue }
                let scaled = boxes.map {
                    Box(x: $0.x * scale, y: $0.y * scale, width: $0.width * scale, height: $0.height * scale)
                }
                found.append(GlyphChain(glyphs: scaled, polarity: polarity, score: score))
            }
        }
        return found
    }

    /// Letters and digits are upright and not hollow frames or specks.
    private func isGlyphLike(_ component: Component) -> Bool {
        let width = Double(component.box.width)
        let height = Double(component.box.height)
        let fill = Double(component.area) / (width * height)
        return width <= Self.widths.upperBound * height && width >= Self.widths.lowerBound * height
            && fill >= Self.leastFill && (fill <= Self.mostFill || width < Self.narrow * height)
    }

    /// Drops rows that a better row already covers.
    private func strongest(_ chains: [GlyphChain]) -> [GlyphChain] {
        var kept: [GlyphChain] = []
        for chain in chains.sorted(by: { $0.score > $1.score }) {
            let box = chain.box
            let isCovered = kept.contains { other in
                let common = other.box.intersection(box).area
                return Double(common) > Self.sameRow * Double(min(box.area, other.box.area))
            }
            if !isCovered { kept.append(chain) }
            if kept.count >= Self.maximumRows { break }
        }
        return kept
    }
}
