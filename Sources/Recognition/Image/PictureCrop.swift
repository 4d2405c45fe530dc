import CLeptonica
import Enforcement
import Foundation

/// Cuts a part out of a picture, in colour and without loss.
package enum PictureCrop {
    /// A part of a picture and where the wanted box is in it.
    package struct Cut: Sendable, Equatable {
        /// A PNG file's bytes.
        package var png: Data
        package var box: Enforcement.Box
    }

    /// - Parameters:
    ///   - box: in pixels of the upright picture.
    ///   - margin: how much of what is around it comes along on each side, as a part of its sides.
    /// - Throws: `ImageError`; `damaged` when the box lies outside of the picture.
    package static func png(of picture: Data, box: Enforcement.Box, margin: Double = 0.25) throws(ImageError) -> Cut {
        let (decoded, damaged) = try UprightPicture.decode(picture)
        var pix: UnsafeMutablePointer<Pix>? = decoded
        defer { pixDestroy(&pix) }
        let whole = Enforcement.Box(x: 0, y: 0, width: Int(pixGetWidth(pix)), height: Int(pixGetHeight(pix)))
        let inside = box.intersection(whole)
        guard inside.area > 0 else { throw damaged }
        let part = inside.grown(
            byX: Int(margin * Double(inside.width)), byY: Int(margin * Double(inside.height)), within: whole.width,
            whole.height)
        var region = boxCreate(Int32(part.x), Int32(part.y), Int32(part.width), Int32(part.height))
        defer { boxDestroy(&region) }
        var clipped = pixClipRectangle(pix, region, nil)
        defer { pixDestroy(&clipped) }
        guard let png = clipped.flatMap(pngData) else { throw damaged }
        return Cut(
            png: png,
            box: Enforcement.Box(x: inside.x - part.x, y: inside.y - part.y, width: inside.width, height: inside.height)
        )
    }
}
