/// Tells which pixels are clearly darker or lighter than their surroundings.
///
/// A stroke is darker (or lighter) than the mean of a window about twice its glyph's height. The means come from an
/// integral image, so the cost doesn't depend on the window.
struct LocalContrast {
    static let dark: UInt8 = 1
    static let light: UInt8 = 2

    /// Half the side of the window, in pixels.
    var radius: Int

    /// How far from the mean a pixel must be: this many gray levels …
    var minimumDifference: Int

    /// … and this part of the mean, in 1/256.
    var relativeDifference: Int

    private var integral: [UInt32] = []

    init(radius: Int, minimumDifference: Int = 9, relativeDifference: Int = 16) {
        self.radius = radius
        self.minimumDifference = minimumDifference
        self.relativeDifference = relativeDifference
    }

    /// Fills `map` with `dark`, `light` or 0 for every pixel of the picture.
    mutating func classify(_ image: GrayImage, into map: inout [UInt8]) {
        let width = image.width
        let height = image.height
        let stride = width + 1
        // 25 million pixels of 255 need 33 bits: sums wrap around, and their differences still come out right.
        if integral.count < stride * (height + 1) {
            integral = [UInt32](repeating: 0, count: stride * (height + 1))
        }
        if map.count != width * height { map = [UInt8](repeating: 0, count: width * height) }
        // Taken out for the loops: `self` may not be touched while its array is.
        var sums = integral
        integral = []
        defer { integral = sums }
        sums.withUnsafeMutableBufferPointer { integral in
            image.pixels.withUnsafeBufferPointer { pixels in
                map.withUnsafeMutableBufferPointer { map in
                    for x in 0..<stride { integral[x] = 0 }
                    for y in 0..<height {
                        var sum: UInt32 = 0
                        let row = (y + 1) * stride
                        integral[row] = 0
                        for x in 0..<width {
                            sum &+= UInt32(pixels[y * width + x])
                            integral[row + x + 1] = integral[row - stride + x + 1] &+ sum
                        }
                    }
                    for y in 0..<height {
                        compareRow(y, width, height, pixels, integral, map)
                    }
                }
            }
        }
    }

    @inline(__always)
    private func compareRow(
        _ y: Int, _ width: Int, _ height: Int, _ pixels: UnsafeBufferPointer<UInt8>,
        _ integral: UnsafeMutableBufferPointer<UInt32>, _ map: UnsafeMutableBufferPointer<UInt8>
    ) {
        let stride = width + 1
        let top = max(0, y - radius) * stride
        let bottom = min(height, y + radius + 1) * stride
        let rows = UInt32((bottom - top) / stride)
        for x in 0..<width {
            let left = max(0, x - radius)
            let right = min(width, x + radius + 1)
            let sum =
                integral[bottom + right] &- integral[bottom + left] &- integral[top + right] &+ integral[top + left]
            let area = Int32(rows &* UInt32(right - left))
            // Compared as value * area against sum: no division for each pixel.
            let difference = Int64(Int32(pixels[y * width + x])) * Int64(area) - Int64(sum)
            let margin = Int64(minimumDifference) * Int64(area) + (Int64(relativeDifference) * Int64(sum)) >> 8
            map[y * width + x] = difference < -margin ? Self.dark : difference > margin ? Self.light : 0
        }
    }
}
