/// Cuts glyphs loose from a thin line that they touch: the border that painters draw around a plate.
///
/// A border is one region with all the glyphs that touch it, wider than any glyph and mostly empty inside. Of such a region only
/// what is as thick as a stroke stays: every pixel that a square of dark pixels covers (a morphological opening).
enum ThinLines {
    /// A region that fills less of its box than this is a border; a bumper or a shadow fills more.
    private static let mostFilled = 0.35

    /// - Parameters:
    ///   - map: `width * height` values; what is `LocalContrast.dark` is ink. What is cut becomes 0.
    ///   - widest: wider regions are no glyphs, in pixels.
    ///   - side: of the square, in pixels, odd: more than a border's thickness, less than a stroke's.
    static func cut(
        from map: inout [UInt8], width: Int, height: Int, widest: Int, side: Int, labeler: inout ComponentLabeler
    ) {
        let borders = labeler.components(
            of: map, width: width, height: height, value: LocalContrast.dark, heights: 3...height, maximumWidth: width
        ).filter { $0.box.width > widest && Double($0.area) < mostFilled * Double($0.box.area) }
        guard !borders.isEmpty else { return }
        let thick = opened(map, width: width, height: height, reach: side / 2)
        for border in borders {
            labeler.forEachRun(of: border) { run in
                let start = Int(run.y) * width
                for index in start + Int(run.left)..<start + Int(run.right) where !thick[index] { map[index] = 0 }
            }
        }
    }

    /// The pixels that a dark square of 2 * reach + 1 pixels covers.
    private static func opened(_ map: [UInt8], width: Int, height: Int, reach: Int) -> [Bool] {
        var thick = [Bool](repeating: false, count: map.count)
        guard width > 2 * reach, height > 2 * reach else { return thick }
        for y in reach..<height - reach {
            for x in reach..<width - reach where map[y * width + x] == LocalContrast.dark {
                let rows = y - reach...y + reach
                let isCovered = rows.allSatisfy { row in
                    map[row * width + x - reach...row * width + x + reach].allSatisfy { $0 == LocalContrast.dark }
                }
                guard isCovered else { continue }
                for row in rows {
                    for index in row * width + x - reach...row * width + x + reach { thick[index] = true }
                }
            }
        }
        return thick
    }
}
