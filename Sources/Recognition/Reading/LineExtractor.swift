import Enforcement
import Plates

/// One row of a plate as Tesseract is given it: dark glyphs about 30 px high on pure white, about 40 px high in all.
package struct LineImage: Sendable, Equatable {
    package var image: GrayImage

    /// The glyphs in the line's own pixels, left to right.
    package var glyphs: [Box]

    /// What to add to a place in the line to get the place in the crop.
    package var offset: Int

    /// How many times as wide as it is in the crop it is to be read.
    package var stretch = 1.0

    /// What is at least this part of a row's height is a glyph; what is lower may be one, or a piece of one.
    static let wholeHeight = 0.6

    func isWhole(_ glyph: Box) -> Bool { Double(glyph.height) >= Self.wholeHeight * Double(RowCrop.glyphHeight) }
}

/// Takes the glyphs out of a row's crop and leaves nothing else.
///
/// Everything that isn't an aligned glyph is whitened: frames, bolts, slogans and shadows mislead a line reader more
/// than blur does.
package struct LineExtractor {
    /// A row with more components than this is texture.
    private static let maximumGlyphs = 24

    /// The heights of what may be a glyph or a piece of one, in pixels of the crop: a third of a glyph, and one and two thirds.
    private static let heights = 10...50

    /// A region this wide, in glyph heights, is no glyph but a border with what touches it, …
    private static let border = 5

    /// … whose line is less than so many pixels thick, as strokes are not.
    private static let thickness = 3

    /// A glyph fills at least this part of its box; a scratch or a corner of the frame doesn't.
    private static let leastFill = 0.1

    /// A component narrower than this part of the usual height is a bar: a 1, an I, or a piece of the frame.
    private static let bar = 0.25

    /// What is low and farther from the others than this, in glyph heights, is a screw.
    private static let nearStray = 0.9

    /// What is low and farther from the others than this, in glyph heights, is a screw.
    private var labeler = ComponentLabeler()
    private var map: [UInt8] = []

    package init() {}

    /// - Returns: nil when nothing that looks like glyphs is left.
    package mutating func line(
        of chain: GlyphChain, in image: GrayImage, binarisation: Binarisation, _ profile: ScriptProfile.Row
    ) -> LineImage? {
        line(of: crop(of: chain, in: image), binarisation: binarisation, profile)
    }

    package mutating func crop(of chain: GlyphChain, in image: GrayImage) -> RowCrop {
        RowCrop.upright([chain], in: image, labeler: &labeler)[0]
    }

    /// The rows of one plate, whose strokes lean alike.
    mutating func crops(of plate: PlateCandidate, in image: GrayImage) -> [RowCrop] {
        RowCrop.upright(plate.rows, in: image, place: plate.place, labeler: &labeler)
    }

    /// - Parameter profile: how glyphs of the row's script stand in it.
    /// - Returns: nil when nothing that looks like glyphs is left.
    package mutating func line(
        of crop: RowCrop, binarisation: Binarisation, _ profile: ScriptProfile.Row
    ) -> LineImage? {
        binarisation.classify(crop.image, core: crop.core, into: &map)
        clearBeyond(reach(binarisation, crop, profile), crop.image)
        if profile.keepsToSides, let sides = crop.sides { clearBeyond(sides, crop.image) }
        if binarisation == .parted { partGlyphs(crop) }
        if !profile.keepsToSides {
            ThinLines.cut(
                from: &map, width: crop.image.width, height: crop.image.height,
                widest: Self.border * RowCrop.glyphHeight, side: Self.thickness, labeler: &labeler)
        }
        var glyphs = aligned(components(of: crop, profile), crop, profile)
        if profile.partsTouching, split(glyphs, crop.image) {
            glyphs = aligned(components(of: crop, profile), crop, profile)
        }
        // One glyph alone is no row.
        guard glyphs.count >= 2, glyphs.count <= Self.maximumGlyphs else { return nil }
        return render(glyphs, crop.image, binarisation.layout)
    }

    private mutating func components(of crop: RowCrop, _ profile: ScriptProfile.Row) -> [Component] {
        labeler.components(
            of: map, width: crop.image.width, height: crop.image.height, value: LocalContrast.dark,
            heights: Self.heights, maximumWidth: Int(profile.widest * Double(RowCrop.glyphHeight)))
    }

    private func reach(_ binarisation: Binarisation, _ crop: RowCrop, _ profile: ScriptProfile.Row) -> Int {
        if crop.sides != nil { return profile.reachSidedPx }
        return binarisation == .parted ? profile.reachPartedPx : profile.reachPx
    }

    private mutating func clearBeyond(_ reach: Int, _ image: GrayImage) {
        let top = (RowCrop.middle - reach) * image.width
        let bottom = (RowCrop.middle + reach) * image.width
        for index in 0..<top { map[index] = 0 }
        for index in bottom..<map.count { map[index] = 0 }
    }

    private mutating func clearBeyond(_ sides: Range<Int>, _ image: GrayImage) {
        for y in 0..<image.height {
            for x in 0..<sides.lowerBound { map[y * image.width + x] = 0 }
            for x in sides.upperBound..<image.width { map[y * image.width + x] = 0 }
        }
    }

    /// Clears a column on both sides of every glyph that the finder saw, where no other one stands.
    private mutating func partGlyphs(_ crop: RowCrop) {
        for (index, columns) in crop.columns.enumerated() {
            // The finder's columns are rounded outwards: the lower bound's neighbour may still be its soft edge.
            for x in [columns.lowerBound - 2, columns.upperBound + 1] where x >= 0 && x < crop.image.width {
                let isFree = crop.columns.enumerated().allSatisfy { $0.offset == index || !$0.element.contains(x) }
                guard isFree else { continue }
                for y in 0..<crop.image.height { map[y * crop.image.width + x] = 0 }
            }
        }
    }

    /// Cuts glyphs that are as wide as two where they have least ink: two that touch. Says whether it cut any.
    private mutating func split(_ glyphs: [Component], _ image: GrayImage) -> Bool {
        // Of two glyphs neither is the usual one.
        guard glyphs.count > 2 else { return false }
        let usual = Double(glyphs.map(\.box.width).sorted()[glyphs.count / 2])
        var hasCut = false
        for glyph in glyphs {
            let width = Double(glyph.box.width)
            // An M or a W is half as wide again as the others, and about as wide as it is high.
            guard width > 1.7 * usual, width > 0.75 * Double(glyph.box.height) else { continue }
            // Two that touch do so near the middle, and there less than three fifths of the height is ink: a stroke of one glyph is more.
            let middle = glyph.box.x + glyph.box.width * 35 / 100...glyph.box.x + glyph.box.width * 65 / 100
            func ink(_ x: Int) -> Int {
                (glyph.box.y..<glyph.box.bottom).count { map[$0 * image.width + x] == LocalContrast.dark }
            }
            guard let cut = middle.min(by: { ink($0) < ink($1) }), 5 * ink(cut) < 3 * glyph.box.height else { continue }
            for y in glyph.box.y..<glyph.box.bottom { map[y * image.width + cut] = 0 }
            hasCut = true
        }
        return hasCut
    }

    /// The components that stand in the row, left to right.
    private func aligned(_ components: [Component], _ crop: RowCrop, _ profile: ScriptProfile.Row) -> [Component] {
        let height = Double(RowCrop.glyphHeight)
        let inRow = components.filter { component in
            let box = component.box
            return Double(box.height) >= profile.lowest * height && Double(box.height) <= profile.highest * height
                && abs(box.centerY - Double(RowCrop.middle)) <= profile.offMiddle * height
                && Double(component.area) >= Self.leastFill * Double(box.area) && !isBlob(component, crop)
                && !(profile.keepsToSides ? isFrame(component, crop, profile) : isBorder(component, crop))
        }.sorted { $0.box.centerX < $1.box.centerX }
        guard !inRow.isEmpty else { return [] }
        let usual = Double(inRow.map(\.box.height).sorted()[inRow.count / 2])
        guard let alike = profile.even else {
            let onPlate = inRow.filter { crop.isOnPlate($0.box) }
            return withoutStrays(longestRun(onPlate, maximumGap: profile.widestGap * height))
        }
        let usualStroke = inRow.map(\.strokeWidth).sorted()[inRow.count / 2]
        let even = inRow.filter { component in
            let difference = abs(Double(component.box.height) - usual)
            // A bar of another height than the glyphs is a piece of the frame, not a 1.
            let isBar = Double(component.box.width) < Self.bar * usual
            // So is one that is much fatter than the strokes of the others.
            return difference <= (isBar ? alike.bar : alike.height) * usual
                && component.strokeWidth <= alike.stroke * usualStroke
        }
        return longestRun(even, maximumGap: profile.widestGap * usual)
    }

    /// Something dark beside the plate: as wide as a glyph, and solid. What the finder took for a glyph is one: a bold B or D
    /// whose counters have run full, or a painter's small zero.
    private func isBlob(_ component: Component, _ crop: RowCrop) -> Bool {
        let box = component.box
        guard !crop.columns.contains(where: { $0.contains(Int(box.centerX)) }) else { return false }
        // Half as wide as high, and fuller than a glyph with its counters: a 1 or an I is as full, and narrower.
        return box.width * 10 > box.height * 5 && Double(component.area) > 0.78 * Double(box.area)
    }

    /// What goes on above and below the row, or beyond one of the plate's sides.
    private func isFrame(_ component: Component, _ crop: RowCrop, _ profile: ScriptProfile.Row) -> Bool {
        guard let sides = crop.sides else { return false }
        let box = component.box
        return (box.y <= RowCrop.middle - profile.reachSidedPx && box.bottom >= RowCrop.middle + profile.reachSidedPx)
            || box.x <= sides.lowerBound || box.right >= sides.upperBound
    }

    /// The row without what is low and far from the others at its ends: screws.
    private func withoutStrays(_ row: [Component]) -> [Component] {
        let height = Double(RowCrop.glyphHeight)
        func isStray(_ end: Component, beside next: Component) -> Bool {
            let gap = max(next.box.x - end.box.right, end.box.x - next.box.right)
            return Double(end.box.height) < LineImage.wholeHeight * height && Double(gap) > Self.nearStray * height
        }
        var row = row[...]
        while row.count > 1, isStray(row[row.startIndex], beside: row[row.startIndex + 1]) { row.removeFirst() }
        while row.count > 1, isStray(row[row.endIndex - 1], beside: row[row.endIndex - 2]) { row.removeLast() }
        return Array(row)
    }

    /// An upright bar beyond the glyphs that the finder saw: no sign of Nepal's plates is one, but the sides of a border are. Within the row
    /// it may be the stem of a letter that a stencil cut off.
    private func isBorder(_ component: Component, _ crop: RowCrop) -> Bool {
        let box = component.box
        guard let first = crop.columns.first?.lowerBound, let last = crop.columns.last?.upperBound,
            box.right <= first || box.x >= last
        else { return false }
        // Narrower than three tenths of its height and mostly filled, as no glyph is that isn't a bar.
        return box.width * 10 < box.height * 3 && Double(component.area) > 0.5 * Double(box.area)
    }

    /// The part of a row without a wide gap that has most glyphs.
    private func longestRun(_ components: [Component], maximumGap: Double) -> [Component] {
        var best: ArraySlice<Component> = []
        var start = components.startIndex
        for index in components.indices {
            if index > start {
                let gap = components[index].box.x - components[index - 1].box.right
                if Double(gap) > maximumGap { start = index }
            }
            if index + 1 - start > best.count { best = components[start...index] }
        }
        return Array(best)
    }

    /// Paints the glyphs with their gray edges on white.
    private mutating func render(
        _ glyphs: [Component], _ crop: GrayImage, _ layout: (height: Int, margin: Int, stretch: Double)
    ) -> LineImage {
        let left = glyphs.map(\.box.x).reduce(Int.max, min) - layout.margin
        let right = glyphs.map(\.box.right).reduce(0, max) + layout.margin
        let top = RowCrop.middle - layout.height / 2
        var line = GrayImage(width: right - left, height: layout.height, filledWith: 255)
        let levels = inkAndGround(glyphs, crop)
        // Less than 12 gray levels of contrast are noise: they are not stretched further.
        let stretch = 255 / Double(max(12, levels.ground - levels.ink))
        for glyph in glyphs {
            labeler.forEachRun(of: glyph) { run in
                // One pixel around the run belongs to the glyph's soft edge.
                for y in Int(run.y) - 1...Int(run.y) + 1 {
                    for x in Int(run.left) - 1...Int(run.right) {
                        let lineY = y - top
                        let lineX = x - left
                        guard y >= 0, y < crop.height, x >= 0, x < crop.width, lineY >= 0, lineY < line.height,
                            lineX >= 0, lineX < line.width
                        else { continue }
                        let value = Double(Int(crop.pixels[y * crop.width + x]) - levels.ink) * stretch
                        line.pixels[lineY * line.width + lineX] = UInt8(max(0, min(255, value)))
                    }
                }
            }
        }
        let boxes = glyphs.map {
            Box(x: $0.box.x - left, y: $0.box.y - top, width: $0.box.width, height: $0.box.height)
        }
        return LineImage(image: line, glyphs: boxes, offset: left, stretch: layout.stretch)
    }

    /// The gray level of the strokes' middles and of the plate around them.
    private func inkAndGround(_ glyphs: [Component], _ crop: GrayImage) -> (ink: Int, ground: Int) {
        var ink = [Int](repeating: 0, count: 256)
        var ground = [Int](repeating: 0, count: 256)
        for glyph in glyphs {
            let box = glyph.box
            for y in max(0, box.y)..<min(crop.height, box.bottom) {
                for x in max(0, box.x)..<min(crop.width, box.right) {
                    let index = y * crop.width + x
                    if map[index] == LocalContrast.dark {
                        ink[Int(crop.pixels[index])] += 1
                    } else {
                        ground[Int(crop.pixels[index])] += 1
                    }
                }
            }
        }
        // Edges are half ink and half ground: the darker quarter of the ink is its strokes' middles, and more than half of the ground is plain.
        return (percentile(ink, 0.25), percentile(ground, 0.6))
    }

    private func percentile(_ histogram: [Int], _ share: Double) -> Int {
        let wanted = Int(Double(histogram.reduce(0, +)) * share)
        var sum = 0
        for (value, count) in histogram.enumerated() {
            sum += count
            if sum > wanted { return value }
        }
        return 255
    }
}
