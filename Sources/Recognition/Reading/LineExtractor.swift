import Enforcement

/// One row of a plate as Tesseract is given it: dark glyphs about 30 px high on pure white, 40 px high in all.
package struct LineImage: Sendable, Equatable {
    package var image: GrayImage

    /// The glyphs in the line's own pixels, left to right.
    package var glyphs: [Box]
}

/// Cuts a row of glyphs out of a picture, straightens it and leaves nothing but the glyphs.
///
/// Everything that isn't an aligned glyph is whitened: frames, bolts, slogans and shadows mislead a line reader more
/// than blur does.
package struct LineExtractor {
    /// The height that a row's glyphs are scaled to, in pixels.
    package static let glyphHeight = 30

    /// The height of the line, margins included.
    package static let lineHeight = 40

    /// The widest line: more than any plate needs.
    private static let maximumWidth = 900

    /// The crop has room above and below, so that tall glyphs and borders are told apart.
    private static let cropHeight = 66
    private static let middle = cropHeight / 2

    private var labeler = ComponentLabeler()
    private var map: [UInt8] = []

    package init() {}

    /// - Returns: nil when nothing that looks like glyphs is left.
    package mutating func line(of chain: GlyphChain, in image: GrayImage, binarisation: Binarisation) -> LineImage? {
        let crop = crop(chain, image)
        binarisation.classify(crop, into: &map)
        let components = labeler.components(
            of: map, width: crop.width, height: crop.height, value: LocalContrast.dark, heights: 10...50,
            maximumWidth: Self.glyphHeight * 3 / 2)
        let glyphs = aligned(components)
        guard glyphs.count >= 2 else { return nil }
        return render(glyphs, crop)
    }

    /// The row with its surroundings, straightened, its glyphs dark and about 30 px high.
    private func crop(_ chain: GlyphChain, _ image: GrayImage) -> GrayImage {
        let scale = chain.glyphHeight / Double(Self.glyphHeight)
        let norm = (1 + chain.slope * chain.slope).squareRoot()
        let right = Point(1 / norm, chain.slope / norm) * scale
        let down = Point(-chain.slope / norm, 1 / norm) * scale
        let margin = 1.7 * chain.glyphHeight
        let start = Double(chain.glyphs[0].x) - margin
        let end = Double(chain.glyphs[chain.glyphs.count - 1].right) + margin
        let width = min(Self.maximumWidth, max(8, Int((end - start) * norm / scale)))
        let origin = Point(start, chain.middle(atX: start)) - down * Double(Self.middle)
        let crop = image.sampled(width: width, height: Self.cropHeight, origin: origin, right: right, down: down)
        return chain.polarity == .darkOnLight ? crop : crop.inverted
    }

    /// The components that stand in the row, left to right.
    private func aligned(_ components: [Component]) -> [Component] {
        let height = Double(Self.glyphHeight)
        let inRow = components.filter { component in
            let box = component.box
            return Double(box.height) >= 0.6 * height && Double(box.height) <= 1.4 * height
                && abs(box.centerY - Double(Self.middle)) <= 0.25 * height
                && Double(component.area) >= 0.1 * Double(box.area)
        }.sorted { $0.box.centerX < $1.box.centerX }
        guard !inRow.isEmpty else { return [] }
        let usual = Double(inRow.map(\.box.height).sorted()[inRow.count / 2])
        let even = inRow.filter { abs(Double($0.box.height) - usual) <= 0.22 * usual }
        return longestRun(even, maximumGap: 1.5 * usual)
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
    private mutating func render(_ glyphs: [Component], _ crop: GrayImage) -> LineImage {
        let sideMargin = 8
        let left = glyphs.map(\.box.x).reduce(Int.max, min) - sideMargin
        let right = glyphs.map(\.box.right).reduce(0, max) + sideMargin
        let top = Self.middle - Self.lineHeight / 2
        var line = GrayImage(width: right - left, height: Self.lineHeight, filledWith: 255)
        let levels = inkAndGround(glyphs, crop)
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
        return LineImage(image: line, glyphs: boxes)
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
