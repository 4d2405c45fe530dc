/// Tells which pixels are clearly darker or lighter than their surroundings.
///
/// A stroke is darker (or lighter) than the mean of a window about twice its glyph's height. The window's sums are taken from
/// the sums of its columns, which move down row by row: the cost doesn't depend on the window, and no more than a row is kept.
struct LocalContrast {
    static let dark: UInt8 = 1
    static let light: UInt8 = 2

    /// Half the side of the window, in pixels; at most 100, so that the sums fit into 32 bits.
    var radius: Int

    /// How far from the mean a pixel must be: this many gray levels …
    var minimumDifference: Int

    /// … and this part of the mean, in 1/256.
    var relativeDifference: Int

    /// Of every column the sum of the window's rows.
    private var columns: [Int32] = []

    /// Of every place in the row the sum of the columns left of it; they wrap around, and their differences still come out right.
    private var before: [Int32] = []

    init(radius: Int, minimumDifference: Int, relativeDifference: Int) {
        self.radius = radius
        self.minimumDifference = minimumDifference
        self.relativeDifference = relativeDifference
    }

    /// Fills `map` with `dark`, `light` or 0 for every pixel of the picture.
    mutating func classify(_ image: GrayImage, into map: inout [UInt8]) {
        let width = image.width
        let height = image.height
        if map.count != width * height { map = [UInt8](repeating: 0, count: width * height) }
        // Taken out for the loops: `self` may not be touched while its arrays are.
        var columns = self.columns
        var before = self.before
        self.columns = []
        self.before = []
        columns.removeAll(keepingCapacity: true)
        columns.append(contentsOf: repeatElement(0, count: width))
        before.removeAll(keepingCapacity: true)
        before.append(contentsOf: repeatElement(0, count: width + 1))
        columns.withUnsafeMutableBufferPointer { columns in
            before.withUnsafeMutableBufferPointer { before in
                image.pixels.withUnsafeBufferPointer { pixels in
                    map.withUnsafeMutableBufferPointer { map in
                        guard let columns = columns.baseAddress, let before = before.baseAddress,
                            let pixels = pixels.baseAddress, let map = map.baseAddress
                        else { return }
                        for y in 0..<min(radius, height) { add(pixels + y * width, to: columns, width) }
                        for y in 0..<height {
                            if y + radius < height { add(pixels + (y + radius) * width, to: columns, width) }
                            if y > radius { subtract(pixels + (y - radius - 1) * width, from: columns, width) }
                            var sum: Int32 = 0
                            for x in 0..<width {
                                sum &+= columns[x]
                                before[x &+ 1] = sum
                            }
                            let rows = min(height, y + radius + 1) - max(0, y - radius)
                            compareRow(pixels + y * width, width, rows: rows, before, map + y * width)
                        }
                    }
                }
            }
        }
        self.columns = columns
        self.before = before
    }

    private func add(_ row: UnsafePointer<UInt8>, to columns: UnsafeMutablePointer<Int32>, _ width: Int) {
        for x in 0..<width { columns[x] &+= Int32(row[x]) }
    }

    private func subtract(_ row: UnsafePointer<UInt8>, from columns: UnsafeMutablePointer<Int32>, _ width: Int) {
        for x in 0..<width { columns[x] &-= Int32(row[x]) }
    }

    /// - Parameter rows: how many the window has here.
    private func compareRow(
        _ row: UnsafePointer<UInt8>, _ width: Int, rows: Int, _ before: UnsafePointer<Int32>,
        _ out: UnsafeMutablePointer<UInt8>
    ) {
        // Away from the edges the window has one size: a loop that the compiler turns into vector instructions.
        let inner = min(radius, width)..<max(min(radius, width), width - radius)
        let area = Int32(rows * (2 * radius + 1))
        let least = Int32(minimumDifference) &* area
        let relative = Int32(relativeDifference)
        for x in inner {
            let sum = before[x &+ radius &+ 1] &- before[x &- radius]
            let difference = Int32(row[x]) &* area &- sum
            let margin = least &+ (relative &* (sum >> 8))
            out[x] = (difference < 0 &- margin ? Self.dark : 0) | (difference > margin ? Self.light : 0)
        }
        for x in 0..<inner.lowerBound { out[x] = compare(row[x], x, width, rows, before) }
        for x in inner.upperBound..<width { out[x] = compare(row[x], x, width, rows, before) }
    }

    /// One pixel near the edge, whose window is cut off.
    private func compare(
        _ value: UInt8, _ x: Int, _ width: Int, _ rows: Int, _ before: UnsafePointer<Int32>
    ) -> UInt8 {
        let left = max(0, x - radius)
        let right = min(width, x + radius + 1)
        let sum = before[right] &- before[left]
        let area = Int32(rows * (right - left))
        // Compared as value * area against sum: no division for each pixel.
        let difference = Int32(value) * area - sum
        let margin = Int32(minimumDifference) * area + Int32(relativeDifference) * (sum >> 8)
        return difference < -margin ? Self.dark : difference > margin ? Self.light : 0
    }
}
