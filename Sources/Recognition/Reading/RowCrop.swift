import Enforcement

/// One row of a plate cut out of a picture: straight, upright, its glyphs dark and about 30 px high.
package struct RowCrop: Sendable {
    /// The height that a row's glyphs are scaled to, in pixels.
    package static let glyphHeight = 30

    /// Room above and below tells glyphs from the plate's border.
    static let height = 66
    static let middle = height / 2

    /// In pixels: more than any plate needs, 12 glyphs with their gaps and margins.
    private static let maximumWidth = 900

    /// How far the crop goes beyond the chain at both ends, in glyph heights: two glyphs that the finder missed fit in.
    private static let margin = 1.9

    /// Strokes that lean less than this (as a slope) are left alone.
    private static let upright = 0.07

    package let image: GrayImage

    /// The columns between the chain's ends.
    let core: Range<Int>

    /// Where the crop's left upper corner is in the picture, and what one pixel to the right and downwards is.
    let origin: Point
    let right: Point
    let down: Point

    /// The finder's glyphs, in columns of the crop.
    let columns: [ClosedRange<Int>]

    /// The columns between the plate's sides; nil where they aren't known.
    let sides: Range<Int>?

    /// Where the plate is known to be, in the picture; nil where it isn't.
    let place: Box?

    /// Whether the middle of a box in the crop lies on the plate; true where its place isn't known.
    func isOnPlate(_ box: Box) -> Bool {
        guard let place else { return true }
        let point = origin + right * box.centerX + down * box.centerY
        return point.x >= Double(place.x) && point.x <= Double(place.right) && point.y >= Double(place.y)
            && point.y <= Double(place.bottom)
    }

    /// - Parameters:
    ///   - lean: how many pixels a stroke moves to the right for every pixel downwards, the row being level.
    ///   - place: of the plate, where it is known: the crop then reaches from side to side.
    package init(_ chain: GlyphChain, in picture: GrayImage, lean: Double = 0, place: Box? = nil) {
        self.place = place
        let scale = chain.glyphHeight / Double(Self.glyphHeight)
        let norm = (1 + chain.slope * chain.slope).squareRoot()
        right = Point(1 / norm, chain.slope / norm) * scale
        down = Point(-chain.slope / norm, 1 / norm) * scale + right * lean
        let left = Double(chain.glyphs[0].x) - Self.margin * chain.glyphHeight
        let start = min(left, place.map { Double($0.x) } ?? left)
        let rightmost = Double(chain.glyphs[chain.glyphs.count - 1].right) + Self.margin * chain.glyphHeight
        let end = max(rightmost, place.map { Double($0.right) } ?? rightmost)
        let width = min(Self.maximumWidth, max(8, Int((end - start) * norm / scale)))
        let edge = Int((Double(chain.glyphs[0].x) - start) * norm / scale)
        let rest = Int((end - Double(chain.glyphs[chain.glyphs.count - 1].right)) * norm / scale)
        // At least a third of the crop, whatever the finder saw.
        core = min(edge, width / 3)..<max(width - rest, width - width / 3)
        origin = Point(start, chain.middle(atX: start)) - down * Double(Self.middle)
        let begin = origin
        let across = right
        let downwards = down
        columns = chain.glyphs.map { glyph in
            // The middle of the glyph in the crop: origin + x * right + y * down, solved for x.
            let place = Point(glyph.centerX, glyph.centerY) - begin
            let determinant = across.x * downwards.y - across.y * downwards.x
            let x = (place.x * downwards.y - place.y * downwards.x) / determinant
            let half = Double(glyph.width) / scale / 2
            return Int((x - half).rounded(.down))...Int((x + half).rounded(.up))
        }
        sides = chain.sides.map { sides in
            func column(_ x: Int) -> Int { max(0, min(width, Int((Double(x) - start) * norm / scale))) }
            return column(sides.lowerBound)..<max(column(sides.lowerBound), column(sides.upperBound))
        }
        let crop = picture.sampled(width: width, height: Self.height, origin: origin, right: right, down: down)
        image = chain.polarity == .darkOnLight ? crop : crop.inverted
    }

    /// The crops of rows of one plate with their strokes upright: seen from the side, or set in italics, they lean.
    static func upright(
        _ rows: [GlyphChain], in picture: GrayImage, place: Box? = nil, labeler: inout ComponentLabeler
    ) -> [RowCrop] {
        let crops = rows.map { RowCrop($0, in: picture, place: place) }
        var sums = [Double](repeating: 0, count: leans.count)
        for crop in crops {
            // A short row says as much of the lean as a long one does for its ink.
            for (index, sharpness) in crop.sharpness(&labeler).enumerated() { sums[index] += sharpness }
        }
        guard let best = sums.indices.max(by: { sums[$0] < sums[$1] }), sums[best] > 0, abs(leans[best]) >= upright
        else { return crops }
        return rows.map { RowCrop($0, in: picture, lean: leans[best], place: place) }
    }

    /// The slopes that are tried: to 26 degrees. One step moves a glyph's foot against its head by 2.4 px, less than a stroke's width.
    private static let leans = (-6...6).map { Double($0) * 0.08 }

    /// How much the strokes pile up in the columns at each lean.
    private func sharpness(_ labeler: inout ComponentLabeler) -> [Double] {
        var map: [UInt8] = []
        Binarisation.local.classify(image, core: core, into: &map)
        let glyphs = labeler.components(
            of: map, width: image.width, height: image.height, value: LocalContrast.dark, heights: Self.whole,
            maximumWidth: Self.glyphHeight * 3 / 2)
        var runs: [ComponentLabeler.Run] = []
        for glyph in glyphs where abs(glyph.box.centerY - Double(Self.middle)) < Self.offMiddle {
            labeler.forEachRun(of: glyph) { runs.append($0) }
        }
        return Self.leans.map { sharpness(runs, $0) * ($0 == 0 ? Self.bonusOfUpright : 1) }
    }

    /// The heights of whole glyphs, and how far their middles are from the row's, in pixels: what is higher or off is a frame or a sign.
    private static let whole = 18...42
    private static let offMiddle = 10.0

    /// Upright is likelier than a slight lean, by a twenty-fifth of the sharpness: less is noise.
    private static let bonusOfUpright = 1.04

    /// The sum of the squares of the inked pixels in every column, the rows shifted against the lean.
    private func sharpness(_ runs: [ComponentLabeler.Run], _ lean: Double) -> Double {
        let reach = Self.height
        var edges = [Int](repeating: 0, count: image.width + 2 * reach + 1)
        for run in runs {
            let shift = Int((lean * Double(Int(run.y) - Self.middle)).rounded()) - reach
            edges[Int(run.left) - shift] += 1
            edges[Int(run.right) - shift] -= 1
        }
        var depth = 0
        var sum = 0
        for edge in edges {
            depth += edge
            sum += depth * depth
        }
        return Double(sum)
    }
}
