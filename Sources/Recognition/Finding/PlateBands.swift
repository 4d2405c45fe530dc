import Enforcement

/// Finds the rows of an upright plate by the empty lines between them. Where painters fill a plate to the brim, glyphs of one row touch those
/// of the next, or the border, and only a line with little ink parts them.
enum PlateBands {
    /// Ink is counted between these parts of the width: a border's sides stand beyond.
    private static let counted = 0.08...0.92

    /// Where the lines between three rows lie, and the one between two, as parts of the height.
    private static let upper = 0.22...0.46
    private static let lower = 0.46...0.74
    private static let only = 0.28...0.58

    /// Two lines are at least this far apart: the height of a low row.
    private static let leastRow = 0.16

    /// A line has less than this part of the ink that lines have on average.
    private static let mostInk = 0.4

    /// A glyph has at least this part of its row's height and at most this many times its width; a word is wider.
    private static let lowest = 0.45
    private static let widest = 5.0

    /// Rows whose glyphs are not told apart reach over this part of the width.
    private static let filled = 0.06...0.94

    /// - Parameter map: `width * height` values; what is `LocalContrast.dark` is ink.
    /// - Returns: the glyphs of each row from left to right, the rows from top to bottom; none where no line is empty enough.
    static func rows(of map: [UInt8], width: Int, height: Int, _ labeler: inout ComponentLabeler) -> [[Box]] {
        let ink = ink(of: map, width: width, height: height)
        let cuts = cuts(ink)
        guard !cuts.isEmpty else { return [] }
        var parted = map
        for line in cuts { for index in line * width..<(line + 1) * width { parted[index] = 0 } }
        let components = labeler.components(
            of: parted, width: width, height: height, value: LocalContrast.dark, heights: 6...height,
            maximumWidth: width - 2
        ).map(\.box).filter { $0.x > 0 && $0.right < width && $0.y > 0 && $0.bottom < height }
        let edges = [height / 20] + cuts + [height - height / 20]
        return zip(edges, edges.dropFirst()).compactMap { top, bottom in
            row(between: top, bottom, components, ink, width: width)
        }
    }

    /// How much ink each line has, in the mean of three lines: a single empty one may be the gap in a letter.
    private static func ink(of map: [UInt8], width: Int, height: Int) -> [Int] {
        let columns = part(counted, of: width)
        let ink = (0..<height).map { y in columns.count { map[y * width + $0] == LocalContrast.dark } }
        return ink.indices.map { (ink[max(0, $0 - 1)] + ink[$0] + ink[min(height - 1, $0 + 1)]) / 3 }
    }

    /// The lines between the rows: two, one, or none.
    private static func cuts(_ ink: [Int]) -> [Int] {
        let height = ink.count
        let middle = height / 10..<height - height / 10
        let limit = mostInk * Double(middle.reduce(0) { $0 + ink[$1] }) / Double(max(1, middle.count))
        func emptiest(_ lines: Range<Int>) -> Int? {
            let least = lines.map { ink[$0] }.min() ?? 0
            let all = lines.filter { ink[$0] == least }
            // The middle of a gap.
            return all.isEmpty || Double(least) >= limit ? nil : all[all.count / 2]
        }
        if let first = emptiest(part(upper, of: height)) {
            let from = max(part(lower, of: height).lowerBound, first + Int(leastRow * Double(height)))
            let to = part(lower, of: height).upperBound
            // Between two lines stands a row, which has ink.
            if from < to, let second = emptiest(from..<to),
                (first...second).contains(where: { Double(ink[$0]) > 2 * limit })
            {
                return [first, second]
            }
        }
        return emptiest(part(only, of: height)).map { [$0] } ?? []
    }

    /// The glyphs of the row between two lines; where they are not told apart, one at each of its ends.
    private static func row(
        between top: Int, _ bottom: Int, _ components: [Box], _ ink: [Int], width: Int
    ) -> [Box]? {
        let most = ink[top..<bottom].max() ?? 0
        guard most > 0, let first = (top..<bottom).first(where: { 5 * ink[$0] > most }),
            let last = (top..<bottom).last(where: { 5 * ink[$0] > most }), last - first >= 8
        else { return nil }
        let high = Double(last + 1 - first)
        let glyphs = components.filter {
            $0.centerY > Double(first) && $0.centerY < Double(last) && Double($0.height) >= lowest * high
                && Double($0.height) <= 1.3 * high && Double($0.width) <= widest * high
                && Double($0.width) >= 0.1 * high
        }.sorted { $0.x < $1.x }
        let side = max(1, Int(high * 0.7))
        if let left = glyphs.first, let right = glyphs.last, glyphs.count > 1, 3 * (right.right - left.x) > width {
            return glyphs.map { Box(x: $0.x, y: first, width: $0.width, height: last + 1 - first) }
        }
        let reach = part(filled, of: width)
        return [reach.lowerBound, reach.upperBound - side].map {
            Box(x: $0, y: first, width: side, height: last + 1 - first)
        }
    }

    private static func part(_ share: ClosedRange<Double>, of length: Int) -> Range<Int> {
        let start = Int(share.lowerBound * Double(length))
        return start..<max(start + 1, Int(share.upperBound * Double(length)))
    }
}
