import CLeptonica
import Foundation

/// A picture as a camera's next frame might show it: a little beside and nearer or farther, out of focus, noisy, darker or
/// brighter. Photos of one moment become frames of a sighting, so that voting can be measured on them.
package struct PictureJitter: Sendable, Equatable {
    /// In pixels.
    package var right = 0
    package var down = 0

    /// How much larger everything is.
    package var scale = 1.0

    /// The mean is taken over so many pixels to each side.
    package var blur = 0

    /// The standard deviation of what is added to every value.
    package var noise = 0.0

    /// What the light is multiplied with.
    package var exposure = 1.0

    package init() {}

    /// The frame of a mediocre camera, by chance: in ranges within which a plate that can be read stays legible in most frames.
    package init(using random: inout some RandomNumberGenerator) {
        right = Int.random(in: -12...12, using: &random)
        down = Int.random(in: -8...8, using: &random)
        scale = Double.random(in: 0.9...1.08, using: &random)
        blur = [0, 1, 1, 2].randomElement(using: &random) ?? 1
        noise = Double.random(in: 4...16, using: &random)
        exposure = Double.random(in: 0.55...1.35, using: &random)
    }

    /// - Returns: the frame as a JPEG in colour.
    /// - Throws: `ImageError` for what can't be decoded or is too large.
    package func frame(
        of picture: Data, using random: inout some RandomNumberGenerator
    ) throws(ImageError) -> Data {
        let (decoded, damaged) = try UprightPicture.decode(picture)
        var pix: UnsafeMutablePointer<Pix>? = decoded
        defer { pixDestroy(&pix) }
        func replace(_ made: UnsafeMutablePointer<Pix>?) {
            guard let made else { return }
            pixDestroy(&pix)
            pix = made
        }
        replace(pixConvertTo32(pix))
        if scale != 1 { replace(pixScale(pix, Float(scale), Float(scale))) }
        if right != 0 || down != 0 {
            replace(pixTranslate(nil, pix, Int32(right), Int32(down), Int32(L_BRING_IN_BLACK)))
        }
        if blur > 0 { replace(pixBlockconv(pix, Int32(blur), Int32(blur))) }
        guard let pix, var canvas = PixelCanvas(pix) else { throw damaged }
        canvas.multiply(Float(exposure))
        canvas.addNoise(Float(noise), using: &random)
        guard let frame = canvas.jpeg() else { throw damaged }
        return frame
    }
}
