/// A picture in colour as JPEGs hold it: its luminance, and how much bluer and redder it is than gray, at the same or a lower
/// resolution.
package struct ColourImage: Sendable, Equatable {
    /// The colour differences of YCbCr, 128 where there is none. Each side is the luminance's divided by what one value stands for, rounded up.
    struct Chroma: Sendable, Equatable {
        var blue: GrayImage
        var red: GrayImage

        /// One value stands for 2 to the power of this many pixels, across and down.
        var shiftX: Int
        var shiftY: Int
    }

    let luminance: GrayImage

    /// Nil for pictures without colours.
    let chroma: Chroma?

    init(luminance: GrayImage, chroma: Chroma? = nil) {
        self.luminance = luminance
        self.chroma = chroma
    }

    var width: Int { luminance.width }
    var height: Int { luminance.height }

    /// The picture at half the size. Nil when a side would vanish.
    func halved() -> ColourImage? {
        guard let half = luminance.halved() else { return nil }
        guard let chroma else { return ColourImage(luminance: half) }
        let factorX = chroma.shiftX > 0 ? 1 : 2
        let factorY = chroma.shiftY > 0 ? 1 : 2
        guard let blue = chroma.blue.reduced(factorX, factorY), let red = chroma.red.reduced(factorX, factorY) else {
            return nil
        }
        return ColourImage(
            luminance: half,
            chroma: Chroma(
                blue: blue, red: red, shiftX: max(0, chroma.shiftX - 1), shiftY: max(0, chroma.shiftY - 1)))
    }

    /// The picture upright, given Exif's orientation.
    func upright(from orientation: Int) -> ColourImage {
        guard (2...8).contains(orientation) else { return self }
        return ColourImage(
            luminance: luminance.upright(from: orientation),
            chroma: chroma.map {
                Chroma(
                    blue: $0.blue.upright(from: orientation), red: $0.red.upright(from: orientation),
                    shiftX: orientation >= 5 ? $0.shiftY : $0.shiftX, shiftY: orientation >= 5 ? $0.shiftX : $0.shiftY)
            })
    }
}
