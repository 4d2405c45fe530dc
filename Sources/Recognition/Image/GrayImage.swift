import Enforcement

/// An 8-bit gray picture, row by row without padding, 0 black and 255 white.
package struct GrayImage: Sendable, Equatable {
    package let width: Int
    package let height: Int

    /// `width * height` values.
    package var pixels: [UInt8]

    /// - Precondition: both sides are above zero and `pixels` has `width * height` values.
    package init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(width > 0 && height > 0 && pixels.count == width * height, "pixels don't fill the picture")
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    package init(width: Int, height: Int, filledWith value: UInt8) {
        self.init(width: width, height: height, pixels: [UInt8](repeating: value, count: width * height))
    }

    /// The picture with black and white exchanged.
    package var inverted: GrayImage {
        GrayImage(width: width, height: height, pixels: pixels.map { 255 - $0 })
    }

    /// Whether a plate's ground is darker than its writing: most of a plate is ground.
    var hasDarkGround: Bool {
        let values = pixels.sorted()
        let middle = Int(values[values.count / 2])
        // A twentieth at either end is left out: screws, dirt and glare.
        return middle - Int(values[values.count / 20]) < Int(values[values.count * 19 / 20]) - middle
    }

    /// A part of the picture.
    ///
    /// - Precondition: the box lies inside and isn't empty.
    func cropped(to box: Box) -> GrayImage {
        let part = [UInt8](unsafeUninitializedCapacity: box.area) { target, count in
            for y in 0..<box.height {
                let start = (box.y + y) * width + box.x
                for x in 0..<box.width { target[y * box.width + x] = pixels[start + x] }
            }
            count = box.area
        }
        return GrayImage(width: box.width, height: box.height, pixels: part)
    }

    /// The picture at half the size, every pixel the mean of four. Nil when a side would vanish.
    package func halved() -> GrayImage? {
        let newWidth = width / 2
        let newHeight = height / 2
        guard newWidth > 0, newHeight > 0 else { return nil }
        let result = [UInt8](unsafeUninitializedCapacity: newWidth * newHeight) { target, count in
            pixels.withUnsafeBufferPointer { source in
                for y in 0..<newHeight {
                    let upper = 2 * y * width
                    let lower = upper + width
                    for x in 0..<newWidth {
                        let sum =
                            UInt16(source[upper + 2 * x]) + UInt16(source[upper + 2 * x + 1])
                            + UInt16(source[lower + 2 * x]) + UInt16(source[lower + 2 * x + 1])
                        target[y * newWidth + x] = UInt8(truncatingIfNeeded: (sum + 2) >> 2)
                    }
                }
            }
            count = newWidth * newHeight
        }
        return GrayImage(width: newWidth, height: newHeight, pixels: result)
    }

    /// The picture divided by 1 or 2 along each side, every pixel the mean of those that it stands for. Nil when a side would vanish.
    func reduced(_ factorX: Int, _ factorY: Int) -> GrayImage? {
        if factorX == 1, factorY == 1 { return self }
        if factorX == 2, factorY == 2 { return halved() }
        let newWidth = width / factorX
        let newHeight = height / factorY
        guard newWidth > 0, newHeight > 0 else { return nil }
        let other = factorX == 2 ? 1 : width
        let reduced = [UInt8](unsafeUninitializedCapacity: newWidth * newHeight) { target, count in
            for y in 0..<newHeight {
                for x in 0..<newWidth {
                    let at = y * factorY * width + x * factorX
                    target[y * newWidth + x] = UInt8((UInt16(pixels[at]) + UInt16(pixels[at + other]) + 1) / 2)
                }
            }
            count = newWidth * newHeight
        }
        return GrayImage(width: newWidth, height: newHeight, pixels: reduced)
    }

    /// Samples a parallelogram of this picture into a picture of the given size, with bilinear interpolation.
    ///
    /// The pixel (x, y) of the result is taken from `origin + x * right + y * down`. Outside of this picture the nearest
    /// edge goes on. When the steps are longer than a pixel, the mean of several samples is taken, so that strokes don't
    /// break.
    package func sampled(
        width newWidth: Int, height newHeight: Int, origin: Point, right: Point, down: Point
    ) -> GrayImage {
        // Sixteen samples a pixel are enough: more change no stroke, and cost as much each.
        let steps = max(1, min(4, Int(max(right.length, down.length).rounded(.up))))
        let share = 1 / Double(steps)
        let result = [UInt8](unsafeUninitializedCapacity: newWidth * newHeight) { target, count in
            pixels.withUnsafeBufferPointer { source in
                for y in 0..<newHeight {
                    for x in 0..<newWidth {
                        var sum = 0.0
                        for subY in 0..<steps {
                            let v = Double(y) + (Double(subY) + 0.5) * share - 0.5
                            for subX in 0..<steps {
                                let u = Double(x) + (Double(subX) + 0.5) * share - 0.5
                                sum += bilinear(
                                    source, origin.x + u * right.x + v * down.x, origin.y + u * right.y + v * down.y)
                            }
                        }
                        target[y * newWidth + x] = UInt8(min(255, sum * share * share + 0.5))
                    }
                }
            }
            count = newWidth * newHeight
        }
        return GrayImage(width: newWidth, height: newHeight, pixels: result)
    }

    @inline(__always)
    private func bilinear(_ source: UnsafeBufferPointer<UInt8>, _ x: Double, _ y: Double) -> Double {
        let clampedX = max(0, min(Double(width - 1), x))
        let clampedY = max(0, min(Double(height - 1), y))
        let left = Int(clampedX)
        let top = Int(clampedY)
        let fractionX = clampedX - Double(left)
        let fractionY = clampedY - Double(top)
        let next = left + 1 < width ? 1 : 0
        let row = top * width + left
        let below = top + 1 < height ? row + width : row
        let upper = Double(source[row]) * (1 - fractionX) + Double(source[row + next]) * fractionX
        let lower = Double(source[below]) * (1 - fractionX) + Double(source[below + next]) * fractionX
        return upper * (1 - fractionY) + lower * fractionY
    }
}

/// A point or a step in a picture, in pixels, y downwards.
package struct Point: Sendable, Equatable {
    package var x: Double
    package var y: Double

    package init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    package var length: Double { (x * x + y * y).squareRoot() }

    package static func + (left: Point, right: Point) -> Point { Point(left.x + right.x, left.y + right.y) }
    package static func - (left: Point, right: Point) -> Point { Point(left.x - right.x, left.y - right.y) }
    package static func * (left: Point, factor: Double) -> Point { Point(left.x * factor, left.y * factor) }
}
