import CLeptonica
import Foundation

/// A picture's colours at about its full size, for reading painted plates.
package struct ColourPicture: Sendable {
    /// The least of the three colours of every pixel: white writing stays bright, every coloured ground turns dark, and yellow
    /// and red borders vanish.
    package let least: GrayImage

    /// The greatest of red and green: blue writing on yellow stays dark.
    package let warm: GrayImage

    /// How many stored pixels one pixel stands for, along one side.
    package let reduction: Int

    /// Plates are read in pictures about this wide; larger ones are decoded at a fraction.
    private static let leastWidth = 1000

    private static let maximumPixels = 8_000_000

    /// Nil for pictures other than JPEGs, and for what can't be decoded: the colours are a second look.
    package init?(_ data: Data) {
        guard let size = try? ImageDecoder.size(of: data), size.format == IFF_JFIF_JPEG else { return nil }
        let reduction = [8, 4, 2].first { size.width / $0 >= Self.leastWidth } ?? 1
        guard size.width / reduction * (size.height / reduction) <= Self.maximumPixels else { return nil }
        var warnings: Int32 = 0
        let decoded = data.withUnsafeBytes { bytes in
            pixReadMemJpeg(
                bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, 0, Int32(reduction), &warnings, 0)
        }
        guard let pix = decoded else { return nil }
        var pointer: UnsafeMutablePointer<Pix>? = pix
        defer { pixDestroy(&pointer) }
        guard pixGetDepth(pix) == 32, let words = pixGetData(pix) else { return nil }
        let width = Int(pixGetWidth(pix))
        let height = Int(pixGetHeight(pix))
        guard width > 0, height > 0 else { return nil }
        let wordsPerLine = Int(pixGetWpl(pix))
        var least = GrayImage(width: width, height: height, filledWith: 0)
        var warm = least
        least.pixels.withUnsafeMutableBufferPointer { least in
            warm.pixels.withUnsafeMutableBufferPointer { warm in
                for y in 0..<height {
                    for x in 0..<width {
                        // A word holds red in its highest byte, then green and blue.
                        let word = words[y * wordsPerLine + x]
                        let red = UInt8(truncatingIfNeeded: word >> 24)
                        let green = UInt8(truncatingIfNeeded: word >> 16)
                        let blue = UInt8(truncatingIfNeeded: word >> 8)
                        least[y * width + x] = min(red, green, blue)
                        warm[y * width + x] = max(red, green)
                    }
                }
            }
        }
        self.least = least
        self.warm = warm
        self.reduction = reduction
    }
}
