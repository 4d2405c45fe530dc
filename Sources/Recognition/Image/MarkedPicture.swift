import CLeptonica
import Enforcement
import Foundation

/// Draws boxes into a picture.
package enum MarkedPicture {
    /// A box and how it is drawn.
    package struct Mark: Sendable {
        package var box: Enforcement.Box

        /// Red, green, blue.
        package var colour: SIMD3<UInt8>

        package init(_ box: Enforcement.Box, _ colour: SIMD3<UInt8>) {
            self.box = box
            self.colour = colour
        }
    }

    /// Larger pictures are made smaller: a page shows no more.
    private static let longestSide = 1600.0

    private static let lineWidth: Int32 = 3

    /// - Parameter marks: in pixels of the upright picture.
    /// - Returns: a PNG file's bytes.
    /// - Throws: `ImageError`; `damaged` when it can't be drawn.
    package static func png(of picture: Data, marks: [Mark]) throws(ImageError) -> Data {
        let (decoded, damaged) = try UprightPicture.decode(picture)
        var whole: UnsafeMutablePointer<Pix>? = decoded
        defer { pixDestroy(&whole) }
        let longest = Double(max(pixGetWidth(decoded), pixGetHeight(decoded)))
        let scale = min(1, longestSide / longest)
        var smaller = scale < 1 ? pixScale(decoded, Float(scale), Float(scale)) : pixClone(decoded)
        defer { pixDestroy(&smaller) }
        var coloured = smaller.flatMap { pixConvertTo32($0) }
        defer { pixDestroy(&coloured) }
        guard let coloured else { throw damaged }
        for mark in marks {
            func scaled(_ value: Int) -> Int32 { Int32((Double(value) * scale).rounded()) }
            var box = boxCreate(
                scaled(mark.box.x), scaled(mark.box.y), max(1, scaled(mark.box.width)), max(1, scaled(mark.box.height)))
            defer { boxDestroy(&box) }
            pixRenderBoxArb(coloured, box, lineWidth, mark.colour.x, mark.colour.y, mark.colour.z)
        }
        guard let data = pngData(coloured) else { throw damaged }
        return data
    }
}
