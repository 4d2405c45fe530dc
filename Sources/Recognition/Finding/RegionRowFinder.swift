import Enforcement

/// Finds the rows of writing in a region that is known to be a painted plate.
///
/// The region is brought to one height and told into ink and ground in several ways. In each the rows are found from the
/// largest downwards: components of like height on one line, with room for the signs above and below that Devanagari has.
struct RegionRowFinder {
    /// The height that a region is brought to, in pixels: two rows have glyphs of about 60 px then, three of about 40.
    private static let height = 170

    /// The least width of a region that was brought to it, in pixels.
    private static let leastWidth = 24

    /// A smaller region, in pixels of the picture, has no writing that can be read.
    private static let leastRegion = (width: 16, height: 10)

    /// Wider regions are no plates.
    private static let maximumAspect = 8

    /// More components than this are texture; the largest are looked at.
    private static let maximumComponents = 40

    private static let maximumRows = 3

    /// The share of a plate's pixels that are darker than its ground: the ink and its edges, with what is dirty. What doesn't lie on the plate
    /// is given the gray level at this share.
    private static let groundShare = 0.7

    /// How ink is told from the ground around it: half the window in pixels, which is a glyph's height, and gray levels.
    private static let contrast = LocalContrast(radius: 40, minimumDifference: 14, relativeDifference: 0)

    /// A border's region is wider than three quarters of the plate, and its line thinner than so many pixels, as strokes are not.
    private static let borderThickness = 5

    /// Glyphs of all rows: fewer than 4 and more than 12 are less and less likely, below 2 and above 20 there is no plate.
    private static let glyphs = (none: 2.0, few: 4.0, many: 12.0, tooMany: 20.0)

    /// Parts say less than a finder's row does: at most this score, a little less for each further way of telling ink, and none below the
    /// least.
    private static let bestScore = 0.9
    private static let costOfWay = 0.01
    private static let leastScore = 0.05

    /// Rows that are parted by empty lines of the plate: how sure they are, and how even.
    private static let scoreOfBands = 0.75
    private static let evennessOfBand = 0.8

    /// The heights of a part, as parts of the plate's: a dot or a stroke, and all but the whole plate.
    private static let heights = 0.11...0.75

    /// A part is wider than a twentieth of its height, less than this many times as wide as high (a word), and fills this many
    /// hundredths of its box.
    private static let widestPart = 5
    private static let leastFilled = 12

    /// Parts of a row: of like height down to this share, the middles of two at least this far apart and on a slope of at most this
    /// (19 degrees); all within this distance of the line, and no wider gap. In glyph heights where it is no share.
    private static let likeness = 0.6
    private static let leastStep = 0.3
    private static let steepest = 0.35
    private static let offLine = 0.3
    private static let widestGap = 3.0

    /// More parts than this add nothing to a row's score; and how much uneven heights take from it.
    private static let enoughParts = 10
    private static let costOfUnevenness = 4.0

    private var labeler = ComponentLabeler()
    private var map: [UInt8] = []

    init() {}

    /// - Parameters:
    ///   - image: the picture that the region lies in.
    ///   - polarity: of the writing.
    ///   - byBands: whether rows are told by the empty lines between them, which lie level, and not by their parts.
    ///   - isInside: whether a point of the picture lies on the plate: what doesn't is taken for ground.
    /// - Returns: what the rows may be, in pixels of `image`, the likeliest first.
    mutating func candidates(
        in region: Box, of image: GrayImage, polarity: GlyphChain.Polarity, byBands: Bool = false,
        isInside: (_ x: Int, _ y: Int) -> Bool = { _, _ in true }
    ) -> [PlateCandidate] {
        guard region.width >= Self.leastRegion.width, region.height >= Self.leastRegion.height,
            region.width <= region.height * Self.maximumAspect
        else { return [] }
        let scale = Double(region.height) / Double(Self.height)
        let width = max(Self.leastWidth, Int(Double(region.width) / scale))
        let crop = image.sampled(
            width: width, height: Self.height, origin: Point(Double(region.x), Double(region.y)),
            right: Point(scale, 0), down: Point(0, scale))
        var ink = polarity == .lightOnDark ? crop.inverted : crop
        var outside: [Int] = []
        var histogram = [Int](repeating: 0, count: 256)
        for y in 0..<Self.height {
            for x in 0..<width {
                let index = y * width + x
                if isInside(region.x + Int(Double(x) * scale), region.y + Int(Double(y) * scale)) {
                    histogram[Int(ink.pixels[index])] += 1
                } else {
                    outside.append(index)
                }
            }
        }
        let ground = level(of: histogram, share: Self.groundShare)
        for index in outside { ink.pixels[index] = ground }
        var found: [PlateCandidate] = []
        var parted: [GlyphChain] = []
        for (index, threshold) in thresholds(ink).enumerated() {
            if let threshold {
                map = ink.pixels.map { Int($0) < threshold ? LocalContrast.dark : LocalContrast.light }
            } else {
                var contrast = Self.contrast
                contrast.classify(ink, into: &map)
            }
            ThinLines.cut(
                from: &map, width: width, height: Self.height, widest: width * 3 / 4,
                side: Self.borderThickness, labeler: &labeler)
            func inPicture(_ box: Box) -> Box {
                Box(
                    x: region.x + Int(Double(box.x) * scale), y: region.y + Int(Double(box.y) * scale),
                    width: max(1, Int(Double(box.width) * scale)), height: max(1, Int(Double(box.height) * scale)))
            }
            if byBands {
                let bands = PlateBands.rows(of: map, width: width, height: Self.height, &labeler)
                if bands.count > parted.count {
                    parted = bands.map {
                        GlyphChain(
                            glyphs: $0.map(inPicture), polarity: polarity, score: Self.evennessOfBand, slope: 0)
                    }
                }
                continue
            }
            guard let rows = rows(width: width) else { continue }
            let slope = commonSlope(of: rows)
            let chains = rows.map { row in
                GlyphChain(glyphs: row.parts.map(inPicture), polarity: polarity, score: row.evenness, slope: slope)
            }
            let glyphs = chains.reduce(0) { $0 + $1.glyphs.count }
            let plausible = band(
                Double(glyphs), Self.glyphs.none, Self.glyphs.few, Self.glyphs.many, Self.glyphs.tooMany)
            let score =
                Self.bestScore * plausible * (rows.map(\.evenness).min() ?? 0) - Self.costOfWay * Double(index)
            if score > Self.leastScore { found.append(PlateCandidate(rows: chains, score: score)) }
        }
        if !parted.isEmpty { found.append(PlateCandidate(rows: parted, score: Self.scoreOfBands)) }
        return found.sorted { $0.score > $1.score }
    }

    /// The gray level that the share of the pixels is at or below.
    private func level(of histogram: [Int], share: Double) -> UInt8 {
        let wanted = Int(Double(histogram.reduce(0, +)) * share)
        var sum = 0
        for (value, count) in histogram.enumerated() {
            sum += count
            if sum > wanted { return UInt8(value) }
        }
        return 255
    }

    /// Otsu's threshold and one a third of the way towards the darkest; nil for a local one.
    private func thresholds(_ ink: GrayImage) -> [Int?] {
        let level = Binarisation.otsu(ink, core: 0..<ink.width).threshold
        let darkest = Int(ink.pixels.min() ?? 0)
        return [level - (level - darkest) / 3, level, nil]
    }

    private struct Row {
        var parts: [Box]
        var tall: Double
        var slope: Double
        var score: Double
        var evenness: Double

        func middle(atX x: Double) -> Double {
            let meanX = parts.map(\.centerX).reduce(0, +) / Double(parts.count)
            let meanY = parts.map(\.centerY).reduce(0, +) / Double(parts.count)
            return meanY + (x - meanX) * slope
        }
    }

    /// The rows from top to bottom; nil when there is none.
    private mutating func rows(width: Int) -> [Row]? {
        let tall = Double(Self.height)
        let least = Int(Self.heights.lowerBound * tall)
        let components = labeler.components(
            of: map, width: width, height: Self.height, value: LocalContrast.dark,
            heights: least...Int(Self.heights.upperBound * tall),
            maximumWidth: width - 2)
        var parts = components.filter { component in
            let box = component.box
            return box.x > 0 && box.y > 0 && box.right < width && box.bottom < Self.height
                && box.width * 20 > box.height && box.width < Self.widestPart * box.height
                && component.area * 100 > Self.leastFilled * box.area
        }.sorted { $0.area > $1.area }.prefix(Self.maximumComponents).map(\.box)
        var rows: [Row] = []
        while rows.count < Self.maximumRows, let row = bestRow(of: parts) {
            if !rows.isEmpty, row.parts.count < 2 { break }
            rows.append(row)
            let top = row.parts.map(\.y).reduce(0, +) / row.parts.count
            let bottom = row.parts.map(\.bottom).reduce(0, +) / row.parts.count
            let middle = Double(top + bottom) / 2
            parts.removeAll { part in
                let level = part.centerY - row.middle(atX: part.centerX) + middle
                return row.parts.contains(part) || (level > Double(top) && level < Double(bottom))
            }
        }
        guard !rows.isEmpty else { return nil }
        let center = Double(width) / 2
        return rows.sorted { $0.middle(atX: center) < $1.middle(atX: center) }
    }

    /// The slope that the rows of a plate have in common: that of the lines on which their glyphs stand. Signs above a letter move
    /// its middle, so the middles of a short row would tell a slope that it hasn't.
    private func commonSlope(of rows: [Row]) -> Double? {
        var covariance = 0.0
        var variance = 0.0
        for row in rows {
            let meanX = row.parts.map(\.centerX).reduce(0, +) / Double(row.parts.count)
            let meanY = row.parts.map { Double($0.bottom) }.reduce(0, +) / Double(row.parts.count)
            for part in row.parts {
                covariance += (part.centerX - meanX) * (Double(part.bottom) - meanY)
                variance += (part.centerX - meanX) * (part.centerX - meanX)
            }
        }
        return variance > 0 ? covariance / variance : nil
    }

    private func bestRow(of parts: [Box]) -> Row? {
        var best: Row?
        for first in parts.indices {
            for second in parts.indices where second > first {
                guard let row = row(through: parts[first], parts[second], of: parts) else { continue }
                if row.score > best?.score ?? 0 { best = row }
            }
        }
        return best
    }

    /// The parts on the line through two of them.
    private func row(through one: Box, _ other: Box, of parts: [Box]) -> Row? {
        let ratio = Self.likeness
        let (left, right) = one.centerX < other.centerX ? (one, other) : (other, one)
        let height = Double(left.height + right.height) / 2
        let likeness = Double(min(left.height, right.height)) / Double(max(left.height, right.height))
        let step = right.centerX - left.centerX
        let rise = right.centerY - left.centerY
        guard likeness > ratio, step >= Self.leastStep * height, abs(rise) <= Self.steepest * step else { return nil }
        let slope = rise / step
        let inLine = parts.filter { part in
            let away = part.centerY - (left.centerY + slope * (part.centerX - left.centerX))
            let share = Double(part.height) / height
            return abs(away) < Self.offLine * height && share > ratio && share < 1 / ratio
        }.sorted { $0.x < $1.x }
        let run = together(inLine, maximumGap: Self.widestGap * height)
        guard run.count >= 2 else { return nil }
        let heights = run.map { Double($0.height) }.sorted()
        let tall = heights[heights.count / 2]
        let mean = heights.reduce(0, +) / Double(heights.count)
        let deviation = (heights.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(heights.count)).squareRoot()
        let evenness = 1 / (1 + Self.costOfUnevenness * deviation / tall)
        // The line through all is steadier than the one through the pair.
        let chain = GlyphChain(glyphs: run, polarity: .darkOnLight)
        return Row(
            parts: run, tall: tall, slope: run.count > 2 ? chain.slope : slope,
            score: Double(min(run.count, Self.enoughParts)) * tall * tall.squareRoot() * evenness, evenness: evenness)
    }

    /// The longest run without a wide gap, parts that lie inside of others left out.
    private func together(_ row: [Box], maximumGap: Double) -> [Box] {
        var flat: [Box] = []
        for part in row {
            if let last = flat.last, part.centerX < Double(last.right) {
                if part.area > last.area { flat[flat.count - 1] = part }
                continue
            }
            flat.append(part)
        }
        var best: [Box] = []
        var run: [Box] = []
        for part in flat {
            if let last = run.last, Double(part.x - last.right) > maximumGap { run = [] }
            run.append(part)
            if run.count > best.count { best = run }
        }
        return best
    }
}
