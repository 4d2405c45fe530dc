import Enforcement

/// Links glyph-like components into rows.
///
/// A pair of neighbours of like height starts a row; the row grows to both sides with the nearest component that
/// continues its line. Works in the pixels of the picture that the components were found in.
struct ChainBuilder {
    /// Glyphs of one row differ in height by this factor at most: the bounding boxes of tilted ones differ most.
    static let heightRatio = 1.3

    /// The middles of neighbours are at most this many glyph heights apart: the gap for a seal or a hyphen fits in.
    static let maximumStep = 2.1

    /// The steepest row, as a slope: 30 degrees.
    static let maximumSlope = 0.577

    /// How far a glyph's middle may be from the row's line, in glyph heights.
    static let lineTolerance = 0.17

    /// Nearer middles than this, in heights of the lower box, are the two sides of one glyph.
    private static let minimumStep = 0.15

    /// Boxes that share more of their area together than this are inside each other: the two sides of one glyph's outline.
    private static let sameGlyph = 0.2

    /// How much farther from the line a glyph's middle may be for each pixel of its step: two glyphs give a rough line, more a better one.
    private static let tolerancePerStep = (ofTwo: 0.12, ofMore: 0.04)

    /// No plate's row has more glyphs; the longest have 12.
    private static let maximumGlyphs = 24

    /// A picture with more components than this is texture; the largest are looked at.
    static let maximumComponents = 6000

    /// A picture with more beginnings of rows than this, at all scales together, is a page of text, a grid or texture; the rest of
    /// it is not looked at. Photos of roads stay below 2,000.
    static let maximumGrowths = 2500

    /// How many rows may still be begun.
    private(set) var growthsLeft = maximumGrowths

    /// - Parameter components: in any order.
    /// - Returns: rows of at least `minimumGlyphs`, each as indices into the returned components, left to right.
    mutating func chains(of components: [Component], minimumGlyphs: Int) -> (glyphs: [Component], rows: [[Int]]) {
        var glyphs = components
        if glyphs.count > Self.maximumComponents {
            glyphs = Array(glyphs.sorted { $0.box.height > $1.box.height }.prefix(Self.maximumComponents))
        }
        glyphs.sort { ($0.box.centerX, $0.box.y) < ($1.box.centerX, $1.box.y) }
        let grid = Grid(glyphs)
        var linked = Set<Pair>()
        var rows: [[Int]] = []
        for start in glyphs.indices {
            for next in grid.neighbours(of: start, in: glyphs) where isLink(glyphs[start].box, glyphs[next].box) {
                if linked.contains(Pair(left: start, right: next)) { continue }
                growthsLeft -= 1
                if growthsLeft < 0 { return (glyphs, rows) }
                let row = grow([start, next], glyphs, grid)
                for (left, right) in zip(row, row.dropFirst()) { linked.insert(Pair(left: left, right: right)) }
                if row.count >= minimumGlyphs { rows.append(row) }
            }
        }
        return (glyphs, rows)
    }

    private struct Pair: Hashable {
        let left: Int
        let right: Int
    }

    /// Whether two boxes can stand side by side in a row, `left` first.
    private func isLink(_ left: Box, _ right: Box) -> Bool {
        let tall = Double(max(left.height, right.height))
        let low = Double(min(left.height, right.height))
        let step = right.centerX - left.centerX
        guard tall <= low * Self.heightRatio, step > Self.minimumStep * low, step <= Self.maximumStep * tall else {
            return false
        }
        let rise = abs(right.centerY - left.centerY)
        return rise <= Self.maximumSlope * step && left.overlap(right) < Self.sameGlyph
    }

    private func grow(_ seed: [Int], _ glyphs: [Component], _ grid: Grid) -> [Int] {
        var row = seed
        var growing = true
        while growing, row.count < Self.maximumGlyphs {
            growing = false
            if let next = continuation(of: row, toTheRight: true, glyphs, grid) {
                row.append(next)
                growing = true
            }
            if let next = continuation(of: row, toTheRight: false, glyphs, grid) {
                row.insert(next, at: 0)
                growing = true
            }
        }
        return row
    }

    /// The nearest component that continues the row on one side.
    private func continuation(of row: [Int], toTheRight: Bool, _ glyphs: [Component], _ grid: Grid) -> Int? {
        let boxes = row.map { glyphs[$0].box }
        let chain = GlyphChain(glyphs: boxes, polarity: .darkOnLight)
        let end = toTheRight ? row[row.count - 1] : row[0]
        var best: Int?
        var bestStep = Double.infinity
        for candidate in grid.around(end, in: glyphs) where !row.contains(candidate) {
            let box = glyphs[candidate].box
            let isLinked = toTheRight ? isLink(glyphs[end].box, box) : isLink(box, glyphs[end].box)
            guard isLinked else { continue }
            let height = Double(box.height)
            guard height <= chain.glyphHeight * Self.heightRatio, chain.glyphHeight <= height * Self.heightRatio
            else { continue }
            let step = abs(box.centerX - glyphs[end].box.centerX)
            let perStep = row.count < 3 ? Self.tolerancePerStep.ofTwo : Self.tolerancePerStep.ofMore
            let tolerance = Self.lineTolerance * chain.glyphHeight + perStep * step
            guard abs(box.centerY - chain.middle(atX: box.centerX)) <= tolerance else { continue }
            if step < bestStep {
                best = candidate
                bestStep = step
            }
        }
        return best
    }
}

/// Sorts components into square cells, so that a component's neighbours are found without looking at all.
private struct Grid {
    /// A cell's side in pixels: about the reach of the glyphs that one scale looks at.
    private static let side = 48.0
    private var cells: [Int64: [Int]] = [:]

    init(_ glyphs: [Component]) {
        for (index, glyph) in glyphs.enumerated() {
            cells[Self.key(Int(glyph.box.centerX / Self.side), Int(glyph.box.centerY / Self.side)), default: []]
                .append(index)
        }
    }

    private static func key(_ column: Int, _ row: Int) -> Int64 { Int64(row) << 32 | Int64(column) }

    /// The components within the reach of a link, to both sides.
    func around(_ index: Int, in glyphs: [Component]) -> [Int] {
        let box = glyphs[index].box
        let reach = ChainBuilder.maximumStep * ChainBuilder.heightRatio * Double(box.height)
        let rise = reach * ChainBuilder.maximumSlope
        let columns = cell(box.centerX - reach)...cell(box.centerX + reach)
        let rows = cell(box.centerY - rise)...cell(box.centerY + rise)
        var found: [Int] = []
        for row in rows {
            for column in columns {
                if let members = cells[Self.key(column, row)] { found += members }
            }
        }
        return found
    }

    /// The components to the right, which the order of the components puts behind it.
    func neighbours(of index: Int, in glyphs: [Component]) -> [Int] {
        around(index, in: glyphs).filter { $0 > index }.sorted()
    }

    private func cell(_ coordinate: Double) -> Int { max(0, Int(coordinate / Self.side)) }
}
