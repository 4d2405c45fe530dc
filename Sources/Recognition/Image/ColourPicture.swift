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

    init(_ levels: ColourLevels) {
        let (image, reduction) = levels.smallest(atLeast: Self.leastWidth)
        self.reduction = reduction
        let rows = ColourRows(image)
        var least = GrayImage(width: image.width, height: image.height, filledWith: 0)
        var warm = least
        least.pixels.withUnsafeMutableBufferPointer { least in
            warm.pixels.withUnsafeMutableBufferPointer { warm in
                for y in 0..<image.height {
                    rows.read(y)
                    let start = y * image.width
                    for x in 0..<image.width {
                        least[start + x] = min(rows.red[x], rows.green[x], rows.blue[x])
                        warm[start + x] = max(rows.red[x], rows.green[x])
                    }
                }
            }
        }
        self.least = least
        self.warm = warm
    }

    /// Whether a place's ground is darker than its writing, the place in stored pixels: most of a plate is ground.
    func isDark(_ place: Box) -> Bool {
        // Without a tenth on each side, which may be the border or beside the plate.
        let inner = Box(
            x: (place.x + place.width / 10) / reduction, y: (place.y + place.height / 10) / reduction,
            width: place.width * 8 / 10 / reduction, height: place.height * 8 / 10 / reduction
        ).intersection(Box(x: 0, y: 0, width: least.width, height: least.height))
        guard inner.area > 0 else { return true }
        return least.cropped(to: inner).hasDarkGround
    }
}
