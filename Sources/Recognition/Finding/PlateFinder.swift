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

    /// How glyphs are told from their ground. The wide window copes with broad strokes and with the dark; the narrow one
    /// parts small glyphs from each other and from the frame.
    private var contrasts = [
        LocalContrast(radius: 12, minimumDifference: 4, relativeDifference: 22),
        LocalContrast(radius: 6, minimumDifference: 6, relativeDifference: 28),
    ]

    package init(options: Options = Options()) {
        self.options = options
    }

    /// Glyph heights that one scale looks at, in its own pixels. The next scale has half the pixels, so they overlap.
    private static let glyphHeights = 8...40

    /// - Returns: the likeliest first.
    package mutating func find(in image: GrayImage) -> [PlateCandidate] {
        var chains: [GlyphChain] = []
        var level = image
        var scale = 1
        var builder = ChainBuilder()
        while min(level.width, level.height) >= 24, scale <= 16 {
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
                heights: lowest...Self.glyphHeights.upperBound, maximumWidth: Self.glyphHeights.upperBound * 3 / 2
            ).filter(isGlyphLike)
            let (glyphs, rows) = builder.chains(of: components, minimumGlyphs: 3)
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
        return width <= 1.35 * height && width >= 0.1 * height && fill >= 0.14
            && (fill <= 0.92 || width < 0.45 * height)
    }

    /// Drops rows that a better row already covers.
    private func strongest(_ chains: [GlyphChain]) -> [GlyphChain] {
        var kept: [GlyphChain] = []
        for chain in chains.sorted(by: { $0.score > $1.score }) {
            let box = chain.box
            let isCovered = kept.contains { other in
                let common = other.box.intersection(box).area
                return Double(common) > 0.5 * Double(min(box.area, other.box.area))
            }
            if !isCovered { kept.append(chain) }
            if kept.count >= 60 { break }
        }
        return kept
    }
}
