import Enforcement

/// Finds the row of writing that stands above one that was read: the province and the office in small writing over large digits.
///
/// What stands between the row and the plate's upper side is brought to a size that follows from the row, told into ink and ground, and
/// the lowest band of lines with ink is the row. So the size of its glyphs doesn't matter, nor whether they are told apart.
struct RowAboveFinder {
    /// The height that the glyphs of the row below are brought to, in pixels.
    private static let below = 48.0

    /// How far above the row below is looked, in its glyph heights: two rows and the gaps between them.
    private static let reach = 2.7

    /// A lower strip, in pixels of it, holds no row.
    private static let leastStrip = 14

    /// Wider strips are no plates.
    private static let maximumWidth = 900

    /// How ink is told from the ground around it: half the window in pixels and gray levels.
    private static let contrast = LocalContrast(radius: 24, minimumDifference: 10, relativeDifference: 12)

    /// A border's region is wider than this part of the strip, and its line is thinner than so many pixels.
    private static let border = 0.7
    private static let borderThickness = 5

    /// Writing stands between these parts of the strip's width; the border and its corners stand beyond.
    private static let columns = 0.06...0.94

    /// What is higher than this and narrower than a part of its height is a border's side, in glyph heights of the row below.
    private static let sideHeight = 0.8
    private static let sideWidth = 0.3

    /// Lines with less than this part of the fullest line's ink part two rows.
    private static let leastInk = 0.22

    /// A band's height, in glyph heights of the row below: less is a line or an ornament, more is two rows that touch.
    private static let heights = 0.2...1.25

    /// Two rows that touch are parted at the emptiest line between these parts of their height.
    private static let parted = 0.35...0.65

    /// A glyph has at least this part of its row's height.
    private static let leastGlyph = 0.45

    /// A wider gap ends the row, in its heights; and so far beside its ends nothing else stands.
    private static let widestGap = 2.2
    private static let beside = 0.4

    /// How much a row that was found so looks like a plate's.
    private static let score = 0.6

    private var labeler = ComponentLabeler()
    private var map: [UInt8] = []

    init() {}

    /// - Parameters:
    ///   - row: of which it is known that it was read.
    ///   - place: the plate, in pixels of `image`.
    /// - Returns: the row above it; nil where there is none.
    mutating func row(above row: GlyphChain, on place: Box, of image: GrayImage) -> GlyphChain? {
        let scale = row.glyphHeight / Self.below
        let norm = (1 + row.slope * row.slope).squareRoot()
        let right = Point(1 / norm, row.slope / norm) * scale
        let down = Point(-row.slope / norm, 1 / norm) * scale
        let foot = Point(Double(place.x), row.middle(atX: Double(place.x))) - down * (Self.below / 2)
        let middle = Double(place.width) / 2
        let room = (foot.y + middle * row.slope - Double(place.y)) / scale
        let height = Int(min(room, Self.reach * Self.below))
        let width = Int(Double(place.width) * norm / scale)
        guard height >= Self.leastStrip, width > height / 4, width <= Self.maximumWidth else { return nil }
        let origin = foot - down * Double(height)
        let sampled = image.sampled(width: width, height: height, origin: origin, right: right, down: down)
        let glyphs = inkOf(row.polarity == .lightOnDark ? sampled.inverted : sampled)
        guard let band = band(of: glyphs, width: width, height: height) else { return nil }
        let tall = Double(band.count)
        let own = together(
            glyphs.filter {
                $0.centerY > Double(band.lowerBound) && $0.centerY < Double(band.upperBound)
                    && Double($0.height) >= Self.leastGlyph * tall
            }.sorted { $0.x < $1.x }, gap: Self.widestGap * tall)
        guard let first = own.first, let last = own.last, last.right - first.x >= band.count else { return nil }
        let center = Double(band.lowerBound + band.upperBound) / 2
        let boxes = own.map { glyph in
            let middle = origin + right * glyph.centerX + down * center
            let (wide, high) = (Double(glyph.width) * scale / norm, tall * scale * norm)
            return Box(
                x: Int((middle.x - wide / 2).rounded()), y: Int((middle.y - high / 2).rounded()),
                width: max(1, Int(wide.rounded())), height: max(2, Int(high.rounded())))
        }
        var chain = GlyphChain(glyphs: boxes, polarity: row.polarity, score: Self.score, slope: row.slope)
        let beside = Int(Self.beside * tall * scale)
        chain.sides = chain.box.x - beside..<chain.box.right + beside
        return chain
    }

    /// The widest run of glyphs without a wide gap: screws stand farther away.
    private func together(_ glyphs: [Box], gap: Double) -> [Box] {
        var best: ArraySlice<Box> = []
        var start = glyphs.startIndex
        var reach = 0
        for index in glyphs.indices {
            if index > start, Double(glyphs[index].x - reach) > gap {
                start = index
                reach = 0
            }
            reach = max(reach, glyphs[index].right)
            let run = glyphs[start...index]
            if reach - glyphs[start].x > (best.map(\.right).max() ?? 0) - (best.first?.x ?? 0) { best = run }
        }
        return Array(best)
    }

    /// What may be writing in the strip; its ink stays in `map`, all else is cleared.
    private mutating func inkOf(_ strip: GrayImage) -> [Box] {
        let (width, height) = (strip.width, strip.height)
        var contrast = Self.contrast
        contrast.classify(strip, into: &map)
        ThinLines.cut(
            from: &map, width: width, height: height, widest: Int(Self.border * Double(width)),
            side: Self.borderThickness, labeler: &labeler)
        let all = labeler.components(
            of: map, width: width, height: height, value: LocalContrast.dark, heights: 3...height, maximumWidth: width)
        let columns = Self.columns.lowerBound * Double(width)...Self.columns.upperBound * Double(width)
        let writing = all.filter { component in
            let box = component.box
            let isSide =
                Double(box.height) > Self.sideHeight * Self.below
                && Double(box.width) < Self.sideWidth * Double(box.height)
            return columns.contains(box.centerX) && box.x > 0 && box.right < width && box.y > 0 && !isSide
        }
        map = [UInt8](repeating: 0, count: width * height)
        for component in writing {
            labeler.forEachRun(of: component) { run in
                let start = Int(run.y) * width
                for index in start + Int(run.left)..<start + Int(run.right) { map[index] = LocalContrast.dark }
            }
        }
        return writing.map(\.box)
    }

    /// The lowest lines with ink that are as high together as a row.
    private func band(of glyphs: [Box], width: Int, height: Int) -> Range<Int>? {
        guard !glyphs.isEmpty else { return nil }
        let ink = (0..<height).map { y in (0..<width).count { map[y * width + $0] == LocalContrast.dark } }
        let limit = Self.leastInk * Double(ink.max() ?? 0)
        var bottom = height
        while bottom > 0 {
            guard let foot = (0..<bottom).last(where: { Double(ink[$0]) >= limit }) else { return nil }
            let top = (0..<foot).last { Double(ink[$0]) < limit }.map { $0 + 1 } ?? 0
            let tall = Double(foot + 1 - top) / Self.below
            if tall > Self.heights.upperBound {
                let rows = Double(foot + 1 - top)
                let between = top + Int(Self.parted.lowerBound * rows)..<top + Int(Self.parted.upperBound * rows)
                guard let cut = between.min(by: { ink[$0] < ink[$1] }) else { return nil }
                return cut + 1..<foot + 1
            }
            if tall >= Self.heights.lowerBound { return top..<foot + 1 }
            bottom = top
        }
        return nil
    }
}
