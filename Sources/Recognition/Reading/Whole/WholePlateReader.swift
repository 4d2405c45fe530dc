import Enforcement
import Foundation
import Plates

/// Reads a whole plate at once with a small network, without telling its rows and glyphs apart first. It belongs to one thread at a time.
///
/// The network looks at the plate's gray crop, stretched to one size, and says for every place of four strips which symbol lies there, or
/// none. The strips one after the other, from above, are one sequence: rows come in their order, however many there are.
package final class WholePlateReader {
    package static let fileName = "whole-plate.weights"

    /// The network's picture, in pixels.
    static let size = (width: 128, height: 64)

    /// The network's answer: places side by side, and strips.
    static let purpose = NetworkFile.Purpose(
        magic: Data("CPPLATES".utf8), channels: 1, columns: 2, rows: 4, deepest: 4, answers: nil, hasMore: true)

    /// The longest symbol, in bytes of UTF-8: a province's name.
    private static let longestSymbol = 64

    /// The picture's contrast is never stretched more than to this many gray values for one.
    private static let leastContrast: Float = 8

    /// In steps of the contrast.
    private static let farthest: Float = 3

    private let network: ConvolutionalNetwork
    private let symbols: [PlateSymbol]
    private let picture = FeatureMap()

    /// - Parameter data: what `models/whole-plate.weights` holds.
    package init(_ data: Data) throws(NetworkError) {
        let file = try NetworkFile(data, for: Self.purpose)
        var reader = LittleEndianReader(file.rest)
        let count = try reader.number()
        guard case .convolution(let last, _, _) = file.steps.last, (1..<last.output).contains(count) else {
            throw .damaged("it tells other symbols than it names")
        }
        var symbols: [PlateSymbol] = []
        for _ in 0..<count { symbols.append(PlateSymbol(try reader.text(atMost: Self.longestSymbol))) }
        guard reader.isAtEnd else { throw .damaged("it is longer than its symbols") }
        self.symbols = symbols
        network = ConvolutionalNetwork(file)
    }

    /// A look at a box that lies a little aside, in parts of its size.
    struct Look {
        var x: Double
        var y: Double
    }

    static let plain = Look(x: 0, y: 0)

    /// By one or two pixels of the network's picture each: what is read by chance changes, what is there stays.
    static let aside = [Look(x: 0.012, y: 0), Look(x: -0.012, y: 0), Look(x: 0, y: 0.03), Look(x: 0, y: -0.03)]

    /// What the network sees in a box of a picture, in one look or the mean of several.
    ///
    /// - Parameter box: the whole plate with a margin of about a twentieth, in pixels of the picture.
    func glimpses(of image: GrayImage, in box: Box, looks: [Look] = [plain]) -> [SymbolGlimpse] {
        var sums: [[Float]] = []
        for look in looks {
            take(crop(of: image, in: box, look))
            let answer = network.run(picture)
            var chances: [[Float]] = []
            for strip in 0..<answer.height {
                for column in 0..<answer.width { chances.append(softmax(answer[column, strip])) }
            }
            if looks.count > 1 { chances = chances.map { $0.map { log($0 + Self.leastChance) } } }
            sums = sums.isEmpty ? chances : zip(sums, chances).map { zip($0, $1).map { $0 + $1 } }
        }
        if looks.count > 1 {
            // The geometric mean: what one look rules out is ruled out.
            sums = sums.map { place in
                let means = place.map { exp($0 / Float(looks.count)) }
                let whole = means.reduce(0, +)
                return means.map { $0 / whole }
            }
        }
        return SymbolGlimpse.glimpses(sums, symbols)
    }

    /// No look is surer than this that something is not there.
    private static let leastChance: Float = 1e-6

    /// The network's picture of a plate.
    func crop(of image: GrayImage, in box: Box, _ look: Look = plain) -> GrayImage {
        let step = (
            x: Double(box.width) / Double(Self.size.width), y: Double(box.height) / Double(Self.size.height)
        )
        let corner = (
            x: Double(box.x) + look.x * Double(box.width), y: Double(box.y) + look.y * Double(box.height)
        )
        return image.sampled(
            width: Self.size.width, height: Self.size.height,
            origin: Point(corner.x + 0.5 * step.x - 0.5, corner.y + 0.5 * step.y - 0.5), right: Point(step.x, 0),
            down: Point(0, step.y))
    }

    private func take(_ crop: GrayImage) {
        let count = Float(crop.pixels.count)
        let mean = crop.pixels.reduce(Float(0)) { $0 + Float($1) } / count
        let spread = crop.pixels.reduce(Float(0)) { $0 + (Float($1) - mean) * (Float($1) - mean) } / count
        let contrast = max(Self.leastContrast, spread.squareRoot())
        picture.reshape(width: crop.width, height: crop.height, channels: 1)
        for y in 0..<crop.height {
            let row = picture[0, y]
            for x in 0..<crop.width {
                let value = (Float(crop.pixels[y * crop.width + x]) - mean) / contrast
                row[x] = max(-Self.farthest, min(Self.farthest, value))
            }
        }
    }

    /// The chances of no symbol and of each.
    private func softmax(_ values: UnsafeMutablePointer<Float>) -> [Float] {
        let all = UnsafeBufferPointer(start: values, count: symbols.count + 1)
        let greatest = all.max() ?? 0
        let powers = all.map { exp($0 - greatest) }
        let sum = powers.reduce(0, +)
        return powers.map { $0 / sum }
    }
}
