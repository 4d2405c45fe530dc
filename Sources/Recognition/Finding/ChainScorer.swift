import Enforcement

/// Says how much a row of components looks like a row of a plate.
///
/// Each sign counts fully where rows of plates have it, and falls to nothing where they never do. The bounds were set by looking at the rows
/// of the photos that MODEL.md names: they describe shapes and no model, so they stand here.
struct ChainScorer {
    /// - Parameters:
    ///   - boxes: the components' boxes, in pixels of `image`, left to right.
    ///   - map: what `LocalContrast` said of `image`; `value` marks the glyphs.
    /// - Returns: 0…1.
    func score(_ boxes: [Box], image: GrayImage, map: [UInt8], value: UInt8) -> Double {
        let chain = GlyphChain(glyphs: boxes, polarity: .darkOnLight)
        let height = chain.glyphHeight
        let heights = boxes.map { Double($0.height) }
        let meanHeight = heights.reduce(0, +) / Double(heights.count)
        let spread = heights.map { abs($0 - meanHeight) }.reduce(0, +) / Double(heights.count) / meanHeight
        let aspect = boxes.map { Double($0.width) / Double($0.height) }.reduce(0, +) / Double(boxes.count)
        // Heights and middles off the line by 3 % of a glyph's height are blur, by 16 % no row. Glyphs are half as wide as high: an I less,
        // an M as wide. Below 5 px nothing can be read, from 14 px on height says no more.
        let shape =
            count(boxes.count) * falling(spread, from: 0.03, to: 0.16) * falling(chain.unevenness, from: 0.03, to: 0.16)
            * band(aspect, 0.3, 0.45, 0.75, 1.0) * regularity(boxes) * rising(height, from: 5, to: 14)
        // The pixels are looked at only where it matters: they can but lower the score.
        guard shape > Self.least else { return 0 }
        let contrast = contrast(boxes, image: image, map: map, value: value)
        // Gray levels: 12 are noise, 60 are clear even in shadow. Of the ground around the glyphs a twentieth is dirt, half is foliage.
        return shape * rising(contrast.difference, from: 12, to: 60) * falling(contrast.clutter, from: 0.05, to: 0.45)
    }

    /// A row that scores no more than this, of 1, is none: one sign is all but missing.
    static let least = 0.01

    /// Rows of plates have 4 to 10 glyphs, mostly 6 or 7.
    private func count(_ glyphs: Int) -> Double {
        switch glyphs {
        case ..<3: 0.15
        case 3: 0.35
        case 4: 0.6
        case 5: 0.85
        case 6...8: 1
        case 9...10: 0.9
        case 11...12: 0.5
        default: 0.2
        }
    }

    /// How alike the steps between neighbours are; one gap for a group or a seal is usual. From two steps little can be said (0.7), and
    /// uneven ones are no proof (0.4): groups have gaps. Steps differ by a tenth where letters do, by half where things stand by chance.
    private func regularity(_ boxes: [Box]) -> Double {
        let steps = zip(boxes, boxes.dropFirst()).map { $1.centerX - $0.centerX }.sorted()
        guard steps.count >= 3 else { return 0.7 }
        let middle = steps[steps.count / 2]
        let usual = steps.dropLast()
        let spread = usual.map { abs($0 - middle) }.reduce(0, +) / Double(usual.count) / max(middle, 1)
        return 0.4 + 0.6 * falling(spread, from: 0.1, to: 0.5)
    }

    /// The difference between glyphs and ground in gray levels, and how much of the ground isn't plain.
    private func contrast(
        _ boxes: [Box], image: GrayImage, map: [UInt8], value: UInt8
    ) -> (difference: Double, clutter: Double) {
        var glyph = 0
        var glyphCount = 0
        var ground = 0
        var groundCount = 0
        var other = 0
        for box in boxes {
            // A sixth of the height on each side reaches to the neighbours, an eighth above and below to the border, not over it.
            let area = box.grown(
                byX: max(1, box.height / 6), byY: max(1, box.height / 8), within: image.width, image.height)
            let columns = box.x..<box.right
            let rows = box.y..<box.bottom
            for y in area.y..<area.bottom {
                for x in area.x..<area.right {
                    let index = y * image.width + x
                    let inside = columns.contains(x) && rows.contains(y)
                    if map[index] == value {
                        if inside {
                            glyph += Int(image.pixels[index])
                            glyphCount += 1
                        } else {
                            other += 1
                        }
                    } else {
                        ground += Int(image.pixels[index])
                        groundCount += 1
                    }
                }
            }
        }
        guard glyphCount > 0, groundCount > 0 else { return (0, 1) }
        let difference = abs(Double(glyph) / Double(glyphCount) - Double(ground) / Double(groundCount))
        return (difference, Double(other) / Double(other + groundCount))
    }
}

/// 1 up to `low`, falling evenly to 0 at `high`.
func falling(_ value: Double, from low: Double, to high: Double) -> Double {
    max(0, min(1, (high - value) / (high - low)))
}

/// 0 up to `low`, rising evenly to 1 at `high`.
func rising(_ value: Double, from low: Double, to high: Double) -> Double {
    max(0, min(1, (value - low) / (high - low)))
}

/// 1 between the inner bounds, falling to 0 at the outer ones.
func band(_ value: Double, _ lowest: Double, _ low: Double, _ high: Double, _ highest: Double) -> Double {
    min(rising(value, from: lowest, to: low), falling(value, from: high, to: highest))
}
