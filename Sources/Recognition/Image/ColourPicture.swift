import Enforcement
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
        let decoded = DecodedColours(data, maximumPixels: Self.maximumPixels) { width, _ in
            [8, 4, 2].first { width / $0 >= Self.leastWidth } ?? 1
        }
        guard let decoded else { return nil }
        let width = decoded.width
        let height = decoded.height
        var least = GrayImage(width: width, height: height, filledWith: 0)
        var warm = least
        least.pixels.withUnsafeMutableBufferPointer { least in
            warm.pixels.withUnsafeMutableBufferPointer { warm in
                for y in 0..<height {
                    let row = decoded.row(y)
                    for x in 0..<width {
                        let word = row[x]
                        let red = UInt8(truncatingIfNeeded: word >> 24)
                        let green = UInt8(truncatingIfNeeded: word >> 16)
                        let blue = UInt8(truncatingIfNeeded: word >> 8)
                        least[y * width + x] = min(red, green, blue)
                        warm[y * width + x] = max(red, green)
                    }
                }
            }
        }
        reduction = decoded.reduction
        self.least = least
        self.warm = warm
    }

    /// Whether a place's ground is darker than its writing, the place in stored pixels: most of a plate is ground.
    func isDark(_ place: Box) -> Bool {
        let inner = Box(
            x: (place.x + place.width / 10) / reduction, y: (place.y + place.height / 10) / reduction,
            width: place.width * 8 / 10 / reduction, height: place.height * 8 / 10 / reduction
        ).intersection(Box(x: 0, y: 0, width: least.width, height: least.height))
        guard inner.area > 0 else { return true }
        return least.cropped(to: inner).hasDarkGround
    }
}
