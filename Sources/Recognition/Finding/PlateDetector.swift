import Enforcement
import Foundation

/// A place of a picture that the network takes for a plate.
package struct PlateDetection: Sendable, Equatable {
    /// The whole plate, in pixels of the stored picture.
    package var box: Box

    /// How likely it is one, 0…1.
    package var score: Double
}

/// Finds plates with a small network that looks at the whole picture at once. It belongs to one thread at a time.
///
/// The network says for every cell of 8 x 8 pixels how likely a plate's middle lies there, and where the plate's sides are.
package final class PlateDetector {
    package static let fileName = "plate-finder.weights"

    /// A cell has 2 to the power of this many pixels a side.
    static let cellLevel = 3

    /// The network may halve the picture this often; sides are multiples of 16.
    static let deepestLevel = 4

    /// The answer for a cell: how likely a plate's middle is there, and its four sides.
    static let purpose = NetworkFile.Purpose(
        magic: Data("CPFINDER".utf8), channels: 3, columns: cellLevel, rows: cellLevel, deepest: deepestLevel,
        answers: 5,
        hasMore: false)

    /// A picture without a sure place is looked at closer with this many times the pixels, where it has them: what is small becomes visible.
    private static let closerLook = 2

    /// A strip that is so many times as long as it is wide shows no plate, and would need large maps.
    private static let thinnest = 20

    /// At most this many plates of a picture are given: more than a road has room for.
    package static let maximumDetections = 12

    /// Of two detections that share more than this of their area the likelier one is given.
    private static let overlap = 0.4

    /// A place is given with this part of its size more: a frame and bolts belong to a plate, and its sides are rough.
    private static let margin = (x: 0.05, y: 0.1)

    /// A cell's answer for a side is the logarithm of its length in cells. Beyond these it is nonsense, and would overflow.
    private static let sides = -4.0...5.0

    /// A place that is smaller in either direction, in stored pixels, is none.
    private static let leastSide = 4

    private let network: ConvolutionalNetwork
    private let limits: ReaderParameters.Finding
    private var picture = DetectorPicture()

    /// - Parameter data: what `models/plate-finder.weights` holds.
    package init(_ data: Data, _ limits: ReaderParameters.Finding) throws(NetworkError) {
        self.limits = limits
        network = ConvolutionalNetwork(try NetworkFile(data, for: Self.purpose))
    }

    /// - Returns: the likeliest first.
    package func find(in decoded: ImageDecoder.Decoded) -> [PlateDetection] {
        find(in: decoded, ColourLevels(decoded.colours, reduction: decoded.reduction))
    }

    /// - Parameter levels: the decoded picture, and what was made of it already.
    func find(in decoded: ImageDecoder.Decoded, _ levels: ColourLevels) -> [PlateDetection] {
        look(decoded, levels, pixels: DetectorPicture.pixels)
    }

    /// Finds plates in a gray picture, in its pixels.
    func find(in image: GrayImage) -> [PlateDetection] {
        look(width: image.width, height: image.height) { $0.take(image) }
    }

    /// Looks closer where the first look found nothing surely: what is small becomes visible.
    ///
    /// - Parameter first: what the first look found.
    /// - Returns: what both found, the likeliest first; nil where a closer look isn't worth while.
    func findCloser(in decoded: ImageDecoder.Decoded, _ levels: ColourLevels, than first: [PlateDetection])
        -> [PlateDetection]?
    {
        guard first.first?.score ?? 0 < limits.sureScore,
            decoded.width * decoded.height >= Self.closerLook * DetectorPicture.pixels
        else { return nil }
        let closer = look(decoded, levels, pixels: Self.closerLook * DetectorPicture.pixels)
        // The large maps are wanted for few pictures: between them others have the memory.
        network.forgetMaps()
        picture = DetectorPicture()
        return suppressed(first + closer)
    }

    private func look(_ decoded: ImageDecoder.Decoded, _ levels: ColourLevels, pixels: Int) -> [PlateDetection] {
        look(width: decoded.width, height: decoded.height) { $0.take(levels, pixels: pixels) }
    }

    private func look(width: Int, height: Int, taking: (inout DetectorPicture) -> Void) -> [PlateDetection] {
        guard max(width, height) <= Self.thinnest * min(width, height) else { return [] }
        taking(&picture)
        return suppressed(detections(network.run(picture.map), width: width, height: height))
    }

    /// Non-maximum suppression: of those that show one plate the likeliest stays.
    private func suppressed(_ detections: [PlateDetection]) -> [PlateDetection] {
        var kept: [PlateDetection] = []
        for detection in detections.sorted(by: { $0.score > $1.score }) where kept.count < Self.maximumDetections {
            if !kept.contains(where: { $0.box.overlap(detection.box) > Self.overlap }) { kept.append(detection) }
        }
        return kept
    }

    /// The cells that are likelier than those around them.
    private func detections(_ answer: FeatureMap, width: Int, height: Int) -> [PlateDetection] {
        let least = Float(log(limits.leastScore / (1 - limits.leastScore)))
        var found: [PlateDetection] = []
        for y in 0..<answer.height {
            for x in 0..<answer.width {
                let heat = answer[x, y][0]
                guard heat >= least else { continue }
                var isPeak = true
                for near in max(0, y - 1)...min(answer.height - 1, y + 1) {
                    for beside in max(0, x - 1)...min(answer.width - 1, x + 1) where answer[beside, near][0] > heat {
                        isPeak = false
                    }
                }
                guard isPeak, let box = box(answer[x, y], x, y, width, height) else { continue }
                found.append(PlateDetection(box: box, score: Double(1 / (1 + exp(-heat)))))
            }
        }
        return found
    }

    private func box(
        _ answer: UnsafeMutablePointer<Float>, _ x: Int, _ y: Int, _ width: Int, _ height: Int
    ) -> Box? {
        let cell = Double(1 << Self.cellLevel)
        var sides = (1...4).map {
            cell * exp(max(Self.sides.lowerBound, min(Self.sides.upperBound, Double(answer[$0]))))
        }
        let wider = (sides[0] + sides[2]) * Self.margin.x
        let higher = (sides[1] + sides[3]) * Self.margin.y
        sides = [sides[0] + wider, sides[1] + higher, sides[2] + wider, sides[3] + higher]
        let middle = Point((Double(x) + 0.5) * cell, (Double(y) + 0.5) * cell)
        let left = max(0, Int(((middle.x - sides[0]) * picture.scaleX).rounded()))
        let top = max(0, Int(((middle.y - sides[1]) * picture.scaleY).rounded()))
        let right = min(width, Int(((middle.x + sides[2]) * picture.scaleX).rounded()))
        let bottom = min(height, Int(((middle.y + sides[3]) * picture.scaleY).rounded()))
        guard right - left >= Self.leastSide, bottom - top >= Self.leastSide else { return nil }
        return Box(x: left, y: top, width: right - left, height: bottom - top)
    }
}
