/// Tells which pixels are clearly darker or lighter than their surroundings.
///
/// A stroke is darker (or lighter) than the mean of a window about twice its glyph's height. The means come from an
/// integral image, so the cost doesn't depend on the window.
struct LocalContrast {
    static let dark: UInt8 = 1
    static let light: UInt8 = 2

    /// Half the side of the window, in pixels; at most 100, so that the sums fit into 32 bits.
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

    private func compareRow(
        _ y: Int, _ width: Int, _ height: Int, _ pixels: UnsafeBufferPointer<UInt8>,
        _ integral: UnsafeMutableBufferPointer<UInt32>, _ map: UnsafeMutableBufferPointer<UInt8>
    ) {
        let stride = width + 1
        let top = max(0, y - radius) * stride
        let bottom = min(height, y + radius + 1) * stride
        let rows = (bottom - top) / stride
        // Away from the edges the window has one size: a loop that the compiler turns into vector instructions.
        let inner = min(radius, width)..<max(min(radius, width), width - radius)
        for x in 0..<inner.lowerBound { compare(x, y, width, rows, top, bottom, pixels, integral, map) }
        guard let pixels = pixels.baseAddress, let integral = integral.baseAddress, let map = map.baseAddress else {
            return
        }
        let area = Int32(rows * (2 * radius + 1))
        let least = Int32(minimumDifference) &* area
        let relative = Int32(relativeDifference)
        let row = pixels + y * width
        let out = map + y * width
        for x in inner {
            let left = x &- radius
            let right = x &+ radius &+ 1
            let sum = Int32(
                bitPattern: integral[bottom &+ right] &- integral[bottom &+ left] &- integral[top &+ right]
                    &+ integral[top &+ left])
            let difference = Int32(row[x]) &* area &- sum
            let margin = least &+ (relative &* (sum >> 8))
            out[x] = (difference < 0 &- margin ? Self.dark : 0) | (difference > margin ? Self.light : 0)
        }
        let pixelBuffer = UnsafeBufferPointer(start: pixels, count: width * height)
        let integralBuffer = UnsafeMutableBufferPointer(start: integral, count: stride * (height + 1))
        let mapBuffer = UnsafeMutableBufferPointer(start: map, count: width * height)
        for x in inner.upperBound..<width {
            compare(x, y, width, rows, top, bottom, pixelBuffer, integralBuffer, mapBuffer)
        }
    }

    /// One pixel near the edge, whose window is cut off.
    private func compare(
        _ x: Int, _ y: Int, _ width: Int, _ rows: Int, _ top: Int, _ bottom: Int,
        _ pixels: UnsafeBufferPointer<UInt8>, _ integral: UnsafeMutableBufferPointer<UInt32>,
        _ map: UnsafeMutableBufferPointer<UInt8>
    ) {
        let left = max(0, x - radius)
        let right = min(width, x + radius + 1)
        let sum = Int32(
            bitPattern:
                integral[bottom + right] &- integral[bottom + left] &- integral[top + right] &+ integral[top + left])
        let area = Int32(rows * (right - left))
        // Compared as value * area against sum: no division for each pixel.
        let difference = Int32(pixels[y * width + x]) * area - sum
        let margin = Int32(minimumDifference) * area + Int32(relativeDifference) * (sum >> 8)
        map[y * width + x] = difference < -margin ? Self.dark : difference > margin ? Self.light : 0
    }
}
