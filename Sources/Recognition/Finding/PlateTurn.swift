import Enforcement
import Foundation

/// Finds how far a plate is turned in the picture, by its writing: rows that lie level leave the lines between them empty.
struct PlateTurn {
    /// The height that a region is brought to, in pixels: enough to tell rows apart.
    private static let height = 120

    private static let contrast = LocalContrast(radius: 24, minimumDifference: 14, relativeDifference: 0)

    /// Of what may be a glyph: its height as a part of the region's, and its width.
    private static let heights = (least: 0.06, most: 0.5)
    private static let widest = 0.5

    /// The slopes that are tried: to 39 degrees, 1.7 degrees apart.
    private static let slopes = (-27...27).map { Double($0) * 0.03 }

    /// Level is likelier than a little turned: another slope must be so much clearer.
    private static let bonusOfLevel = 1.08

    /// Rows that lean less than this are read as they are: their crops are turned anyway.
    private static let level = 0.05

    /// Fewer pixels of ink say nothing.
    private static let leastInk = 200

    /// A run of ink is taken to pieces of this many pixels.
    private static let piece = 3

    private var labeler = ComponentLabeler()
    private var map: [UInt8] = []

    /// The slope of the rows in a region, in pixels downwards for every pixel to the right; nil where they lie level, or nothing tells.
    mutating func slope(in region: Box, of image: GrayImage, polarity: GlyphChain.Polarity) -> Double? {
        let scale = Double(region.height) / Double(Self.height)
        let width = Int(Double(region.width) / scale)
        guard width >= Self.height / 3, width <= Self.height * 8 else { return nil }
        let crop = image.sampled(
            width: width, height: Self.height, origin: Point(Double(region.x), Double(region.y)),
            right: Point(scale, 0), down: Point(0, scale))
        var contrast = Self.contrast
        contrast.classify(crop, into: &map)
        let tall = Double(Self.height)
        let glyphs = labeler.components(
            of: map, width: width, height: Self.height,
            value: polarity == .darkOnLight ? LocalContrast.dark : LocalContrast.light,
            heights: Int(Self.heights.least * tall)...Int(Self.heights.most * tall),
            maximumWidth: Int(Self.widest * Double(width))
        ).filter { $0.box.x > 0 && $0.box.y > 0 && $0.box.right < width && $0.box.bottom < Self.height }
        var ink: [(x: Double, y: Double, weight: Double)] = []
        for glyph in glyphs {
            labeler.forEachRun(of: glyph) { run in
                for x in stride(from: Int(run.left), to: Int(run.right), by: Self.piece) {
                    let length = min(Self.piece, Int(run.right) - x)
                    ink.append((Double(x) + Double(length) / 2, Double(run.y), Double(length)))
                }
            }
        }
        guard ink.reduce(0, { $0 + $1.weight }) >= Double(Self.leastInk) else { return nil }
        let sharpness = Self.slopes.map { self.sharpness(ink, slope: $0, width: width) }
        guard let best = sharpness.indices.max(by: { sharpness[$0] < sharpness[$1] }),
            let level = Self.slopes.firstIndex(where: { abs($0) < 1e-9 }),
            abs(Self.slopes[best]) >= Self.level, sharpness[best] > Self.bonusOfLevel * sharpness[level]
        else { return nil }
        return Self.slopes[best]
    }

    /// How much the ink in neighbouring lines differs, the lines lying at a slope.
    private func sharpness(_ ink: [(x: Double, y: Double, weight: Double)], slope: Double, width: Int) -> Double {
        let norm = 1 / (1 + slope * slope).squareRoot()
        let reach = Int(Double(width) * abs(slope)) + 2
        var lines = [Double](repeating: 0, count: Self.height + 2 * reach + 4)
        for piece in ink {
            let y = (piece.y - piece.x * slope) * norm + Double(reach)
            let line = Int(y)
            guard lines.indices.contains(line), line + 1 < lines.count else { continue }
            let share = y - Double(line)
            lines[line] += piece.weight * (1 - share)
            lines[line + 1] += piece.weight * share
        }
        var sum = 0.0
        for line in 2..<lines.count {
            let difference = lines[line] - lines[line - 2]
            sum += difference * difference
        }
        return sum
    }
}
