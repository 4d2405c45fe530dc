import Foundation

/// A gray picture to calculate with, row by row; outside of it the nearest edge goes on.
struct FloatImage: Sendable {
    let width: Int
    let height: Int
    var values: [Float]

    init(width: Int, height: Int, values: [Float]) {
        (self.width, self.height, self.values) = (width, height, values)
    }

    init(_ image: GrayImage) {
        self.init(width: image.width, height: image.height, values: image.pixels.map(Float.init))
    }

    var gray: GrayImage {
        GrayImage(
            width: width, height: height, pixels: values.map { UInt8(max(0, min(255, $0 + 0.5))) })
    }

    subscript(x: Int, y: Int) -> Float {
        values[max(0, min(height - 1, y)) * width + max(0, min(width - 1, x))]
    }

    /// Convolved with a Gaussian.
    ///
    /// - Parameter deviation: in pixels, above zero.
    func blurred(_ deviation: Double) -> FloatImage {
        let reach = max(1, Int((3 * deviation).rounded(.up)))
        var kernel = (-reach...reach).map { Float(exp(-Double($0 * $0) / (2 * deviation * deviation))) }
        let sum = kernel.reduce(0, +)
        kernel = kernel.map { $0 / sum }
        var across = self
        var down = self
        for y in 0..<height {
            for x in 0..<width {
                across.values[y * width + x] = kernel.indices.reduce(0) { $0 + kernel[$1] * self[x + $1 - reach, y] }
            }
        }
        for y in 0..<height {
            for x in 0..<width {
                down.values[y * width + x] = kernel.indices.reduce(0) { $0 + kernel[$1] * across[x, y + $1 - reach] }
            }
        }
        return down
    }

    /// The value between pixels, bilinear.
    func value(_ at: Point) -> Float {
        let left = Int(at.x.rounded(.down))
        let top = Int(at.y.rounded(.down))
        let (x, y) = (Float(at.x) - Float(left), Float(at.y) - Float(top))
        let upper = self[left, top] * (1 - x) + self[left + 1, top] * x
        let lower = self[left, top + 1] * (1 - x) + self[left + 1, top + 1] * x
        return upper * (1 - y) + lower * y
    }

    /// The value between pixels on the cubic of Catmull and Rom, which keeps edges sharper than a line does.
    func sharpValue(_ at: Point) -> Float {
        let left = Int(at.x.rounded(.down))
        let top = Int(at.y.rounded(.down))
        let across = Self.weights(Float(at.x) - Float(left))
        let down = Self.weights(Float(at.y) - Float(top))
        var sum: Float = 0
        for row in 0..<4 {
            var line: Float = 0
            for column in 0..<4 { line += across[column] * self[left + column - 1, top + row - 1] }
            sum += down[row] * line
        }
        return sum
    }

    private static func weights(_ part: Float) -> SIMD4<Float> {
        let square = part * part
        let cube = square * part
        return SIMD4(
            -0.5 * cube + square - 0.5 * part, 1.5 * cube - 2.5 * square + 1,
            -1.5 * cube + 2 * square + 0.5 * part, 0.5 * cube - 0.5 * square)
    }
}
