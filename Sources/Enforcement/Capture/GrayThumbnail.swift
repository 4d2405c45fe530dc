/// A small gray picture of a frame, for telling whether anything changed: a JPEG decoded at an eighth of its size is one.
package struct GrayThumbnail: Sendable, Equatable {
    package let width: Int
    package let height: Int

    /// Row after row from the top left, 0 black to 255 white.
    package let pixels: [UInt8]

    /// Nil when the pixels are not `width` times `height`, or there are none.
    package init?(width: Int, height: Int, pixels: [UInt8]) {
        guard width > 0, height > 0, width <= 1 << 15, height <= 1 << 15, pixels.count == width * height else {
            return nil
        }
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// This picture made smaller by averaging squares of pixels, until it is at most `largestWidth` wide.
    package func reduced(toWidth largestWidth: Int) -> GrayThumbnail {
        let step = (width + max(largestWidth, 1) - 1) / max(largestWidth, 1)
        guard step > 1, width >= step, height >= step else { return self }
        let (newWidth, newHeight) = (width / step, height / step)
        var sums = [Int](repeating: 0, count: newWidth * newHeight)
        for y in 0..<newHeight * step {
            let target = y / step * newWidth
            for x in 0..<newWidth * step { sums[target + x / step] += Int(pixels[y * width + x]) }
        }
        let area = step * step
        return GrayThumbnail(width: newWidth, height: newHeight, pixels: sums.map { UInt8($0 / area) }) ?? self
    }
}
